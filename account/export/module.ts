import { underscored } from "../../provider/core/name.ts";
import type { Words } from "../../provider/core/wording.ts";
import { type Code, objectCode, textCode } from "./code.ts";
import { commented, commentReason } from "./comment.ts";
import type { FileBy } from "./hcl.ts";
import { elementType, type InputType, propertyType } from "./input-type.ts";
import {
  type Address,
  addressKey,
  type Block,
  type Expression,
  type Project,
  referencesOf,
} from "./project.ts";
import type { VariableNames } from "./variable.ts";

/** Modules with the resources of a project, for any language that has modules, and any library. */

/** Names that a module imports, by the module that exports them; none for a package that is imported as a whole. */
export type Imports = ReadonlyMap<string, ReadonlySet<string>>;

/** Language of a program. */
export interface Language {
  readonly commentSign: "#" | "//";
  /** Returns the file of the module with a name in lower case with underscores. */
  file(name: string): string;
  /** Returns the module of a file as an import names it. */
  module(file: string): string;
  /** Returns the lines of imports, in the order that is usual in the language. */
  importLines(imports: Imports): string[];
}

/** Library in which a program is written. */
export interface Library {
  readonly language: Language;
  /** Engine whose terms comments use. */
  readonly words: Words;
  /** Returns the names that blocks need from modules outside of the program, and from those that have no resources. */
  imports(blocks: readonly Block[]): readonly (readonly [module: string, names: readonly string[]])[];
  /** Returns the type of an input; undefined if the library needs none. */
  typeOf(kind: string, input: string): InputType | undefined;
  /** Returns a value as an expression. */
  literal(value: string | number | boolean, type: InputType | undefined): string;
  /** Returns the name of a field in a group. */
  name(field: string): string;
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
export function programModules(
  project: Project,
  by: FileBy,
  library: Library,
  variableOf: VariableNames,
): Map<string, string> {
  const fileOf = (block: Block) => library.language.file(moduleName(block, by));
  const files = new Map(project.blocks.map((block) => [addressKey(block), fileOf(block)]));
  const context: Context = { library, variableOf, fileOf: (address) => files.get(addressKey(address)) ?? "" };
  return new Map(
    [...Map.groupBy(project.blocks, fileOf)].map(([file, blocks]) => [
      file,
      moduleText(file, inOrder(blocks), context),
    ]),
  );
}

interface Context {
  readonly library: Library;
  readonly variableOf: VariableNames;
  readonly fileOf: (address: Address) => string;
}

const moduleName = ({ kind, vpc }: Block, by: FileBy): string =>
  by === "vpc" && vpc !== undefined ? `vpc_${vpc.name}` : underscored(kind);

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
  const { commentSign, importLines } = context.library.language;
  const inForce = blocks.filter(({ problems }) => problems.length === 0);
  const comments = blocks.filter(({ problems }) => problems.length > 0);
  const imports = importsOf(inForce, file, context);
  const missing = [...importsOf(comments, file, context)].flatMap(([module, names]) => {
    const others = [...names].filter((name) => !imports.get(module)?.has(name));
    return others.length === 0 && imports.has(module) ? [] : [[module, new Set(others)] as const];
  });
  const head = [...importLines(imports), ...commented(importLines(new Map(missing)), commentSign)];
  const parts = [head, ...blocks.map((block) => linesOf(block, context))];
  return `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** Returns the names that blocks need from other modules, by module. */
function importsOf(
  blocks: readonly Block[],
  file: string,
  { library, variableOf, fileOf }: Context,
): Imports {
  if (blocks.length === 0) return new Map();
  const names = new Map<string, Set<string>>();
  for (const address of blocks.flatMap(referencesOf)) {
    const other = fileOf(address);
    if (other === file) continue;
    const module = library.language.module(other);
    names.set(module, (names.get(module) ?? new Set()).add(variableOf(address)));
  }
  return new Map([
    ...library.imports(blocks).map(([module, some]) => [module, new Set(some)] as const),
    ...names,
  ]);
}

/** Returns the lines of a resource; as a comment, with the reason, if the resource cannot be written. */
function linesOf(block: Block, { library, variableOf }: Context): string[] {
  const variable = variableOf(block);
  const codeOf = (expression: Expression, type: InputType | undefined): Code => {
    switch (expression.kind) {
      case "literal":
        return textCode(library.literal(expression.value, type));
      case "reference":
        return textCode(library.attribute(variableOf(expression.to), expression.path));
      case "list":
        return { kind: "list", items: expression.items.map((item) => codeOf(item, elementType(type))) };
      case "group":
        return objectCode(
          expression.entries.map(([field, value]) => [
            library.name(field),
            codeOf(value, propertyType(type, field)),
          ]),
        );
      case "map":
        return objectCode(
          expression.entries.map(([key, value]) => [library.key(key), codeOf(value, elementType(type))]),
        );
    }
  };
  const lines = library.statements(
    block,
    variable,
    block.inputs.map(([field, value]) => [
      library.name(field),
      codeOf(value, library.typeOf(block.kind, field)),
    ]),
  );
  if (block.problems.length === 0) return lines;
  const remedy = library.remedy(block, variable);
  const { commentSign } = library.language;
  return commented([commentReason(block, library.words), ...remedy, "", ...lines], commentSign);
}
