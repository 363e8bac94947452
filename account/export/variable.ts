import { className } from "../../provider/core/name.ts";
import { type Address, addressKey, type Block } from "./project.ts";

/** Names that a program cannot give to a resource in TypeScript, in Pulumi YAML, or next to the names of the writers. */
const reserved: ReadonlySet<string> = new Set([
  ...["arguments", "async", "await", "break", "case", "catch", "class", "const", "continue", "debugger"],
  ...["default", "delete", "do", "else", "enum", "eval", "export", "exports", "extends", "false", "finally"],
  ...["for", "function", "global", "if", "implements", "import", "in", "instanceof", "interface", "let"],
  ...["module", "new", "null", "package", "private", "process", "protected", "public", "require", "return"],
  ...["static", "super", "switch", "this", "throw", "true", "try", "typeof", "undefined", "var", "void"],
  ...["while", "with", "yield", "globalThis", "app", "kcloud", "pulumi", "stack"],
]);

/**
 * Returns the name of each resource in a program whose names are unique across kinds: that of the project in camel case, with the
 * kind if several resources have it or if it is reserved. Comments yield to resources in force. The same blocks give the same
 * names.
 */
export function variableNames(blocks: readonly NamedBlock[]): (address: Address) => string {
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
          alone.has(name) ? name : unused(name + className(block.kind), used, counts),
        );
  }
  return (address) => names.get(addressKey(address)) ?? "";
}

type NamedBlock = Pick<Block, "kind" | "name" | "problems">;

const isInForce = ({ problems }: NamedBlock): boolean => problems.length === 0;

/** Converts `web_server_1_10` to `webServer1_10`. */
const variable = (name: string): string =>
  name.replace(/(\d)_(?=\d)|_([a-z0-9])/g, (_, digit: string | undefined, next: string) =>
    digit === undefined ? next.toUpperCase() : `${digit}_`,
  );

/** Returns the name, or the first one with a number that is not used yet. `counts` has the last number of each name. */
function unused(name: string, used: Set<string>, counts: Map<string, number>): string {
  let count = counts.get(name) ?? 1;
  let found = count === 1 ? name : `${name}${count}`;
  while (used.has(found)) {
    count += 1;
    found = `${name}${count}`;
  }
  counts.set(name, count);
  used.add(found);
  return found;
}
