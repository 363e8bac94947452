import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";
import ts from "typescript";

/**
 * Leaves out the schemas of the library of the tool server that the server does not use. The library creates a schema for each type of
 * the protocol when it is loaded, which took a quarter of the start of `kcloud mcp`: a bundler keeps constants whose value is a call, and
 * the library has a table of all schemas by name.
 */

/** Loop that adds schemas to the table, which the server does not use. */
const registration = /^for \(const .* register\(key, .*\);$/gm;

/** Returns a source without the table, whose constants a bundler leaves out if nothing refers to them. */
export function withPureConstants(text: string): string {
  const source = text.replaceAll(registration, "");
  const file = ts.createSourceFile("source.mjs", source, ts.ScriptTarget.Latest, true);
  return file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .map(({ initializer }) => initializer)
    .filter((value) => value !== undefined && ts.isCallExpression(value))
    .reduceRight(
      (code, value) =>
        `${code.slice(0, value.getStart(file))}/* @__PURE__ */ (() => ${value.getText(file)})()${code.slice(value.end)}`,
      source,
    );
}

/** Plugin for bundles with the tool server. */
export const unusedSchemas: Plugin = {
  name: "unused schemas",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]@modelcontextprotocol[\\/].*\.mjs$/ }, async ({ path }) => ({
      contents: withPureConstants(await readFile(path, "utf8")),
    }));
  },
};
