import { className, hyphenated } from "../../provider/core/name.ts";
import type { Words } from "../../provider/core/wording.ts";
import { type Code, objectCode, textCode } from "./code.ts";
import { commented, commentReason } from "./comment.ts";
import type { FileBy } from "./hcl.ts";
import {
  addressKey,
  type Block,
  type Entry,
  type Expression,
  type Project,
  referencesOf,
} from "./project.ts";
import { importText } from "./typescript-syntax.ts";
import { variableNames } from "./variable.ts";

/** Modules of TypeScript with the resources of a project, for any library. */

/** Library in which a program is written. */
export interface Library {
  /** Engine whose terms comments use. */
  readonly words: Words;
  /** Module of the classes. */
  readonly module: string;
  /** Names that each module imports from another one of the program, by its file. */
  readonly imports: Readonly<Record<string, readonly string[]>>;
  /** Returns a text as an expression. */
  text(text: string): string;
  /** Returns a key of a map as the library expects it, without quotes. */
  key(key: string): string;
  /** Returns an attribute of a resource as an expression. */
  attribute(variable: string, path: readonly string[]): string;
  /** Returns the lines of the statements that create and import a resource. */
  statements(block: Block, variable: string, inputs: readonly (readonly [string, Code])[]): string[];
  /** Lines of a comment that say how to manage the resource. */
  remedy(block: Block, variable: string): string[];
}

/** Returns the content of each module with resources by its file. The same project gives the same modules. */
export function typescriptModules(project: Project, by: FileBy, library: Library): Map<string, string> {
  const variableOf = variableNames(project.blocks);
  const files = new Map(project.blocks.map((block) => [addressKey(block), fileOf(block, by)]));
  const context: Context = { library, variableOf, fileOf: (address) => files.get(addressKey(address)) ?? "" };
  return new Map(
    [...Map.groupBy(project.blocks, (block) => fileOf(block, by))].map(([file, blocks]) => [
      file,
      moduleText(file, inOrder(blocks), context),
    ]),
  );
}

interface Context {
  readonly library: Library;
  readonly variableOf: ReturnType<typeof variableNames>;
  readonly fileOf: (address: Parameters<typeof addressKey>[0]) => string;
}

const fileOf = ({ kind, vpc }: Block, by: FileBy): string =>
  by === "vpc" && vpc !== undefined ? `vpc-${hyphenated(vpc.name)}.ts` : `${kind}.ts`;

/** Returns the blocks of a module, each after those to which it refers. */
function inOrder(blocks: readonly Block[]): Block[] {
  const byKey = new Map(blocks.map((block) => [addressKey(block), block]));
  const ordered = new Set<Block>();
  const visited = new Set<Block>();
  const visit = (block: Block) => {
    if (visited.has(block)) return;
    visited.add(block);
    for (const address of referencesOf(block)) {
      const target = byKey.get(addressKey(address));
      if (target !== undefined) visit(target);
    }
    ordered.add(block);
  };
  for (const block of blocks) visit(block);
  return [...ordered];
}

function moduleText(file: string, blocks: readonly Block[], context: Context): string {
  const inForce = blocks.filter(({ problems }) => problems.length === 0);
  const comments = blocks.filter(({ problems }) => problems.length > 0);
  const imports = importsOf(inForce, file, context);
  const missing = [...importsOf(comments, file, context)].flatMap(([module, names]) => {
    const others = [...names].filter((name) => !imports.get(module)?.has(name));
    return others.length === 0 ? [] : commented(importText(others, module).split("\n"), "//");
  });
  const head = [...[...imports].map(([module, names]) => importText([...names], module)), ...missing];
  const parts = [head, ...blocks.map((block) => linesOf(block, context))];
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** Returns the names that blocks need from other modules, by module: that of the classes first, then in alphabetical order. */
function importsOf(
  blocks: readonly Block[],
  file: string,
  { library, variableOf, fileOf }: Context,
): Map<string, ReadonlySet<string>> {
  if (blocks.length === 0) return new Map();
  const names = new Map<string, Set<string>>();
  const add = (module: string, name: string) => names.set(module, (names.get(module) ?? new Set()).add(name));
  for (const [other, some] of Object.entries(library.imports))
    for (const name of some) add(`./${other}`, name);
  for (const address of blocks.flatMap(referencesOf))
    if (fileOf(address) !== file) add(`./${fileOf(address)}`, variableOf(address));
  return new Map([
    [library.module, new Set(blocks.map(({ kind }) => className(kind)))],
    ...[...names].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

/** Returns the lines of a resource; as a comment, with the reason, if the resource cannot be written. */
function linesOf(block: Block, { library, variableOf }: Context): string[] {
  const variable = variableOf(block);
  const codeOf = (expression: Expression): Code => {
    switch (expression.kind) {
      case "literal": {
        const { value } = expression;
        return textCode(typeof value === "string" ? library.text(value) : String(value));
      }
      case "reference":
        return textCode(library.attribute(variableOf(expression.to), expression.path));
      case "list":
        return { kind: "list", items: expression.items.map(codeOf) };
      case "group":
        return objectCode(expression.entries.map(([name, value]) => [name, codeOf(value)]));
      case "map":
        return objectCode(expression.entries.map(([key, value]) => [library.key(key), codeOf(value)]));
    }
  };
  const lines = library.statements(
    block,
    variable,
    block.inputs.map(([name, value]: Entry) => [name, codeOf(value)]),
  );
  if (block.problems.length === 0) return lines;
  const remedy = library.remedy(block, variable);
  return commented([commentReason(block, library.words), ...remedy, "", ...lines], "//");
}
