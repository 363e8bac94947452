import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { type Renamed, renamedTo } from "./renamed.ts";
import { createTypeGraph } from "./type-graph.ts";
import type { TypeNode } from "./type-node.ts";

/** Public entries whose declarations are compiled from the sources. Those of CDKTF and CDKTN are generated. */
const entries = [".", "./emulator", "./pulumi", "./dynamic"] as const;

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly import?: { readonly types?: string } }>>;
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  lib: ["lib.es2024.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
};

/**
 * Returns a text for each public entry of a built revision: the exports by the structure of their types. The texts
 * contain no names of files, no names of declarations that are not exported, and no doc comments. Throws if the
 * declarations do not compile.
 */
export async function printTypes(
  folder: string,
  renamed: Renamed,
): Promise<Readonly<Record<string, string>>> {
  // The compiler reports real paths.
  const root = await realpath(folder);
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as Manifest;
  const files = entries.map((entry) => {
    const types = manifest.exports[entry]?.import?.types;
    if (types === undefined) throw new Error(`package.json of ${root} has no types for ${entry}`);
    return join(root, types);
  });
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram(files, options, { ...host, getCurrentDirectory: () => root });
  const problems = ts.getPreEmitDiagnostics(program);
  if (problems.length > 0) throw new Error(ts.formatDiagnostics(problems, host));
  const checker = program.getTypeChecker();
  const graph = createTypeGraph(checker, root, renamed);
  const exported = entries.map((entry, index) => {
    const source = program.getSourceFile(files[index] ?? "");
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${entry} of ${root} exports nothing`);
    const symbols = checker
      .getExportsOfModule(module)
      .map((symbol) => ({ name: renamedTo(renamed.exports, symbol.name), node: graph.nodeOfExport(symbol) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    return { entry, symbols };
  });
  graph.finish();
  return Object.fromEntries(exported.map(({ entry, symbols }) => [entry, printEntry(symbols)]));
}

interface Exported {
  readonly name: string;
  readonly node: TypeNode;
}

/**
 * Returns the text of an entry. A structure that occurs again is represented by the place where it is printed in full.
 */
function printEntry(symbols: readonly Exported[]): string {
  const places = new Map<string, string>();
  // An exported type is printed in full under its own name, even if it occurs elsewhere first.
  for (const { name, node } of symbols)
    for (const { role, node: type } of node.edges)
      if (role === "type" && isCompound(type) && !places.has(type.hash)) places.set(type.hash, name);

  const lines: string[] = [];
  const print = (indent: string, role: string, node: TypeNode, place: string, isHome: boolean): void => {
    const head = `${indent}${role === "" ? "|" : `${role}:`}`;
    const known = places.get(node.hash);
    if (!isCompound(node)) lines.push(`${head} ${shortText(node)}`);
    else if (known !== undefined && !(isHome && known === place)) lines.push(`${head} see ${known}`);
    else {
      places.set(node.hash, place);
      lines.push(`${head} ${node.label}`);
      for (const { role, node: child } of node.edges)
        print(
          `${indent}  `,
          role,
          child,
          `${place}/${role.replace(/\W.*/, "") || role.replace(/ .*/, "")}`,
          false,
        );
    }
  };
  for (const { name, node } of symbols) {
    lines.push(`${name} (${node.label})`);
    for (const { role, node: child } of node.edges)
      print("  ", role, child, role === "type" ? name : `${name}/${role}`, role === "type");
  }
  return `${lines.join("\n")}\n`;
}

/**
 * Returns false for a type that is printed in full wherever it occurs: a keyword, a literal, a type of another package
 * without arguments, or a union of these.
 */
const isCompound = ({ label, edges }: TypeNode): boolean =>
  label === "union" ? edges.some(({ node }) => node.edges.length > 0) : edges.length > 0;

const shortText = ({ label, edges }: TypeNode): string =>
  edges.length === 0
    ? label
    : edges
        .map(({ node }) => node.label)
        .sort()
        .join(" | ");
