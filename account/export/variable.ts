import { className, underscored } from "../../provider/core/name.ts";
import { type Address, addressKey, type Block } from "./project.ts";

/** Form of the names of a language. */
interface Naming {
  /** Names that a program cannot give to a resource. */
  readonly reserved: ReadonlySet<string>;
  /** Converts a name of the project. */
  variable(name: string): string;
  /** Returns the end of a name that several resources of different kinds have, or that is reserved. */
  suffix(kind: string): string;
  /** Returns a name with a number. */
  numbered(name: string, count: number): string;
}

/** Names of TypeScript and Pulumi YAML, and those of the writers. */
const reservedInTypescript: ReadonlySet<string> = new Set([
  ...["arguments", "async", "await", "break", "case", "catch", "class", "const", "continue", "debugger"],
  ...["default", "delete", "do", "else", "enum", "eval", "export", "exports", "extends", "false", "finally"],
  ...["for", "function", "global", "if", "implements", "import", "in", "instanceof", "interface", "let"],
  ...["module", "new", "null", "package", "private", "process", "protected", "public", "require", "return"],
  ...["static", "super", "switch", "this", "throw", "true", "try", "typeof", "undefined", "var", "void"],
  ...["while", "with", "yield", "globalThis", "app", "kcloud", "pulumi", "stack"],
]);

/** Keywords of Python, its built-in functions and types, and the names of the writer. */
export const reservedInPython: ReadonlySet<string> = new Set([
  ...["and", "as", "assert", "async", "await", "break", "case", "class", "continue", "def", "del", "elif"],
  ...["else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "match"],
  ...["nonlocal", "not", "or", "pass", "raise", "return", "try", "type", "while", "with", "yield"],
  ...["abs", "aiter", "all", "anext", "any", "ascii", "bin", "bool", "breakpoint", "bytearray", "bytes"],
  ...["callable", "chr", "classmethod", "compile", "complex", "copyright", "credits", "delattr", "dict"],
  ...["dir", "divmod", "enumerate", "eval", "exec", "exit", "filter", "float", "format", "frozenset"],
  ...["getattr", "globals", "hasattr", "hash", "help", "hex", "id", "input", "int", "isinstance"],
  ...["issubclass", "iter", "len", "license", "list", "locals", "map", "max", "memoryview", "min", "next"],
  ...["object", "oct", "open", "ord", "pow", "print", "property", "quit", "range", "repr", "reversed"],
  ...["round", "set", "setattr", "slice", "sorted", "staticmethod", "str", "sum", "super", "tuple", "vars"],
  ...["zip", "kcloud", "pulumi"],
]);

const typescriptNaming: Naming = {
  reserved: reservedInTypescript,
  variable: (name) =>
    // `web_server_1_10` is `webServer1_10`.
    name.replace(/(\d)_(?=\d)|_([a-z0-9])/g, (_, digit: string | undefined, next: string) =>
      digit === undefined ? next.toUpperCase() : `${digit}_`,
    ),
  suffix: className,
  numbered: (name, count) => `${name}${count}`,
};

const pythonNaming: Naming = {
  reserved: reservedInPython,
  variable: (name) => name,
  suffix: (kind) => `_${underscored(kind)}`,
  numbered: (name, count) => `${name}_${count}`,
};

/** Returns the name of each resource in a program. */
export type VariableNames = (address: Address) => string;

/** Returns the name of each resource in a program of TypeScript or Pulumi YAML, which is its name in Pulumi, too. */
export const variableNames = (blocks: readonly NamedBlock[]): VariableNames =>
  namesOf(blocks, typescriptNaming);

/** Returns the variable of each resource in a program of Python. */
export const pythonVariableNames = (blocks: readonly NamedBlock[]): VariableNames =>
  namesOf(blocks, pythonNaming);

/**
 * Returns names that are unique across kinds: those of the project in the form of the language, with the kind if several resources
 * have one or if it is reserved. Comments yield to resources in force. The same blocks give the same names.
 */
function namesOf(
  blocks: readonly NamedBlock[],
  { reserved, variable, suffix, numbered }: Naming,
): VariableNames {
  const used = new Set(reserved);
  const counts = new Map<string, number>();
  const names = new Map<string, string>();
  for (const some of [blocks.filter(isInForce), blocks.filter((block) => !isInForce(block))]) {
    const groups = Map.groupBy(some, ({ name }) => variable(name));
    const isAlone = (name: string) => groups.get(name)?.length === 1 && !used.has(name);
    const alone = new Set([...groups.keys()].filter(isAlone));
    for (const name of alone) used.add(name);
    for (const [name, sharing] of groups)
      for (const block of sharing)
        names.set(
          addressKey(block),
          alone.has(name) ? name : unused(name + suffix(block.kind), { used, counts, numbered }),
        );
  }
  return (address) => names.get(addressKey(address)) ?? "";
}

type NamedBlock = Pick<Block, "kind" | "name" | "problems">;

const isInForce = ({ problems }: NamedBlock): boolean => problems.length === 0;

/** Returns the name, or the first one with a number that is not used yet. `counts` has the last number of each name. */
function unused(
  name: string,
  {
    used,
    counts,
    numbered,
  }: Pick<Naming, "numbered"> & { readonly used: Set<string>; readonly counts: Map<string, number> },
): string {
  const named = (count: number) => (count === 1 ? name : numbered(name, count));
  let count = counts.get(name) ?? 1;
  while (used.has(named(count))) count += 1;
  counts.set(name, count);
  used.add(named(count));
  return named(count);
}
