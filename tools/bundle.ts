import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";

/** How sources become what is shipped. */
export const shared = {
  bundle: true,
  platform: "node",
  target: "node22",
  logLevel: "warning",
  legalComments: "none",
  // A bundle is never the program that its parts may be when they run by themselves.
  define: { "import.meta.main": "false" },
} as const satisfies BuildOptions;

const minified = {
  ...shared,
  format: "cjs",
  minify: true,
  // An old Node has to get as far as the sentence that says which one it needs.
  target: "es2022",
  // In a CommonJS file it would start the loader of ES modules.
  supported: { "dynamic-import": false },
} as const satisfies BuildOptions;

/** What gRPC loads for services of its own that no plugin offers, by a `require` where they begin. */
const unused = /^@grpc\/proto-loader$/;

/** What ends a comment, and what stands for it inside of one. */
const [end, disguised] = ["*/", "*\0/"];

/** Takes a part out of the file it came in and runs it: `part` is its name. What it looks for stands nowhere whole in it. */
const unpack = (part: string): string => `
  const file = require("node:fs").readFileSync(__filename, "latin1");
  const [begin, end] = [["/*", ${JSON.stringify(part)}, "\\n"].join(""), ${JSON.stringify(end)}];
  const at = file.indexOf(begin) + begin.length;
  const text = file.slice(at, file.indexOf(end, at)).replaceAll(${JSON.stringify(disguised)}, end);
  const parameters = ["exports", "require", "module", "__filename"];
  require("node:vm").compileFunction(text, parameters, { filename: ${JSON.stringify(part)} })(exports, require, module, __filename);`;

/** What never changes is asked here, and the answer stands in the program. */
export const answered: Plugin = {
  name: "answered",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]constant\.ts$/, namespace: "file" }, async ({ path }) => {
      const { constants } = await import(pathToFileURL(path).href);
      return { contents: `export const constants = async () => (${JSON.stringify(await constants())});` };
    });
  },
};

/** Turns every `import()` of a source, and what is unused, into a part, which is put into `parts` by its name. */
const later = (parts: Map<string, string>): Plugin => ({
  name: "later",
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === "dynamic-import" ? { path: join(resolveDir, path), namespace: "later" } : undefined,
    );
    onResolve({ filter: unused }, async ({ kind, path, resolveDir }) => {
      if (kind !== "require-call") return undefined;
      const found = await resolve(path, { kind: "entry-point", resolveDir });
      return { path: found.path, namespace: "later" };
    });
    onLoad({ filter: /./, namespace: "later" }, async ({ path }) => {
      const part = basename(path);
      parts.set(part, await compile({ entryPoints: [path] }, parts));
      return { contents: unpack(part) };
    });
  },
});

async function compile(options: BuildOptions, parts: Map<string, string>): Promise<string> {
  const { outputFiles } = await build({
    ...minified,
    ...options,
    plugins: [answered, later(parts)],
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

/**
 * Makes a program that carries all it needs in one file: an engine copies it to where nothing else is. What it
 * imports with `import()` stands behind it in comments, compiled when it is wanted: V8 reads through every function
 * of a program before it runs the first, and an engine starts a plugin several times a command. Such a part has its
 * own copy of what it shares with the rest, so that only plain values and functions may cross.
 */
export async function bundle(options: BuildOptions, outfile: string): Promise<void> {
  const parts = new Map<string, string>();
  const program = await compile(options, parts);
  const behind = [...parts].map(([part, text]) => `/*${part}\n${text.replaceAll(end, disguised)}${end}\n`);
  writeFileSync(outfile, [program, ...behind].join(""));
}
