import { readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { build, type Plugin, transform } from "esbuild";
import ts from "typescript";
import { shared } from "../bundle.ts";

/** Files whose descriptions the client does not need: the table of operations, and the settings. */
const described = /[\\/](operation[\\/].*|provider[\\/]config[\\/]setting)\.ts$/;

/** Matches a sentence, such as a description. Texts of errors begin with a small letter. */
const sentence = /^[A-Z`].*\.$/s;

/** Returns the text of a string or of a template with the tag `wording`, without its values; undefined for any other expression. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTaggedTemplateExpression(node) || node.tag.getText() !== "wording") return undefined;
  const { template } = node;
  return ts.isNoSubstitutionTemplateLiteral(template)
    ? template.text
    : [template.head, ...template.templateSpans.map(({ literal }) => literal)]
        .map(({ text }) => text)
        .join("X");
}

/** Properties of a row that only help and pages show. */
const shownOnly = new Set(["about", "section", "known"]);

/** Returns a source without its sentences, which only help, types and pages show, and the properties that consist of them. */
export function withoutSentences(path: string, source: string): string {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const changes: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const visit = (node: ts.Node): void => {
    const isProperty = ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);
    if (isProperty && path.includes("area") && shownOnly.has(node.name.getText(file))) {
      const comma = /^\s*,/.exec(source.slice(node.end))?.[0].length ?? 0;
      changes.push({ start: node.getStart(file), end: node.end + comma, text: "" });
    } else if (sentence.test(textOf(node) ?? "")) {
      const { parent } = node;
      const before =
        ts.isCallExpression(parent) && parent.arguments.at(-1) === node ? parent.arguments.at(-2) : undefined;
      // The last argument is left out together with the comma before it.
      if (before === undefined) changes.push({ start: node.getStart(file), end: node.end, text: '""' });
      else changes.push({ start: before.end, end: node.end, text: "" });
    } else ts.forEachChild(node, visit);
  };
  visit(file);
  return changes.reduceRight(
    (text, { start, end, text: shorter }) => `${text.slice(0, start)}${shorter}${text.slice(end)}`,
    source,
  );
}

/**
 * Plugin for the bundle of the client. Leaves out descriptions, modules of which nothing is used, repeated imports, and all of
 * `package.json` but the version.
 */
const smallLibrary: Plugin = {
  name: "small library",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) =>
      kind === "entry-point" ? undefined : { path: join(resolveDir, path), sideEffects: false },
    );
    // One import of the library in place of one in each module.
    onResolve({ filter: /^zod\/mini$/ }, ({ namespace }) =>
      namespace === "library"
        ? { path: "zod/mini", external: true }
        : { path: "zod/mini", namespace: "library" },
    );
    onLoad({ filter: /./, namespace: "library" }, ({ path }) => ({ contents: `export * from "${path}";` }));
    onLoad({ filter: described }, async ({ path }) => ({
      contents: withoutSentences(path, await readFile(path, "utf8")),
      loader: "ts",
    }));
    onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, "utf8")) as { readonly version: string };
      return { contents: JSON.stringify({ version }), loader: "json" };
    });
  },
};

/** Names of properties that no library and no program of a user reads or has: shorter in the bundle. */
const internalNames =
  /^(parameters|listing|regional|semantics|monotonic|references|switches|rateLimiter|tokenSource|serverClock|oneTimePasswords|objectKeys|userAgent|settings|environment|secrets)$/;

/**
 * Writes the bundle of the client: a CommonJS file, and an ES module that exports the same objects, so that an error of the one is an error of the
 * other too.
 */
export async function buildLibrary(folder: string): Promise<void> {
  const outfile = resolve(folder, "client.js");
  const { platform, target } = shared;
  const minified = { platform, target, minify: true } as const;
  await build({
    ...shared,
    ...minified,
    entryPoints: ["library/client.ts"],
    packages: "external",
    format: "cjs",
    plugins: [smallLibrary],
    outfile,
  });
  // A second pass minifies what the first one brought together.
  const { code } = await transform(readFileSync(outfile, "utf8"), {
    ...minified,
    format: "cjs",
    mangleProps: internalNames,
    // Node prints the line that throws an error which a program does not catch.
    lineLimit: 800,
  });
  writeFileSync(outfile, code);
  const names = Object.keys(createRequire(import.meta.url)(outfile)).toSorted();
  const text = `import client from "./client.js";\nexport const { ${names.join(", ")} } = client;\n`;
  writeFileSync(resolve(folder, "client.mjs"), text);
}
