import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { lazyDefinitions } from "./bundle/definition.ts";
import { disguised, end, longestTable, type Range, type Table } from "./bundle/part.ts";

/** Options of esbuild for all files that are published. */
export const shared = {
  bundle: true,
  platform: "node",
  target: "node22",
  logLevel: "warning",
  legalComments: "none",
  define: {
    // The bundle runs as the main program, but none of its modules may: some of them are programs when started directly.
    "import.meta.main": "false",
    // Omits the experimental parser of undici, a quarter of the library, as Node does in its own build of undici.
    esbuildDetection: "true",
  },
} as const satisfies BuildOptions;

const minified = {
  ...shared,
  format: "cjs",
  minify: true,
  // An old Node must be able to run the code that prints the required version.
  target: "es2022",
  // In a CommonJS file, a dynamic import would start the loader of ES modules.
  supported: { "dynamic-import": false },
} as const satisfies BuildOptions;

const runner = fileURLToPath(new URL("bundle/part.ts", import.meta.url));

/** Returns code that runs a part instead of the module. */
const run = (part: string): string =>
  `require(${JSON.stringify(runner)}).runPart(${JSON.stringify(part)}, exports, require, module, __filename);`;

/** Plugin that evaluates each `constant.ts` at build time. The bundle contains only the result. */
export const evaluatedConstants: Plugin = {
  name: "evaluated constants",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]constant\.ts$/, namespace: "file" }, async ({ path }) => {
      const { constants } = await import(pathToFileURL(path).href);
      const result = constants();
      const isAsync = result instanceof Promise;
      return {
        contents: `export const constants = ${isAsync ? "async " : ""}() => (${JSON.stringify(await result)});`,
      };
    });
  },
};

/**
 * Returns a plugin that compiles the target of each relative `import()` to a part, which it adds to `parts` by its path
 * below `root`.
 */
const lazyParts = (parts: Map<string, string>, root: string, options: BuildOptions): Plugin => ({
  name: "lazy parts",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === "dynamic-import" ? { path: join(resolveDir, path), namespace: "part" } : undefined,
    );
    onLoad({ filter: /./, namespace: "part" }, async ({ path }) => {
      const part = relative(root, path);
      parts.set(part, await compile({ ...options, entryPoints: [path] }, parts));
      return { contents: run(part), resolveDir: root };
    });
  },
});

/**
 * Compiles a program or a part to ASCII text, so that offsets in bytes and characters are equal. Also escapes regular
 * expressions, where esbuild keeps other characters.
 */
export async function compile(options: BuildOptions, parts: Map<string, string>): Promise<string> {
  const { absWorkingDir: root = process.cwd(), external = [], minify = true } = options;
  const { outputFiles } = await build({
    ...minified,
    ...options,
    plugins: [
      evaluatedConstants,
      lazyDefinitions,
      lazyParts(parts, root, { absWorkingDir: root, external, minify }),
      ...(options.plugins ?? []),
    ],
    write: false,
  });
  return (outputFiles[0]?.text ?? "").replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Writes a program with all its dependencies except `external` into one file, since an engine copies only this file. Modules
 * imported with `import()` follow the program as comments and are compiled when they are imported: V8 scans every function of a
 * program before it runs the first one, and an engine starts a plugin several times per command. Each such part has separate
 * copies of the modules that it shares with the program, so that only plain values and functions may be passed between them
 * (`test/repository/bundle.test.ts`).
 */
export async function bundle(options: BuildOptions, outfile: string): Promise<void> {
  const texts = new Map<string, string>();
  let file = await compile(options, texts);
  const parts: Record<string, Range> = {};
  for (const [name, text] of texts) {
    const part = wrapped(text).replaceAll(end, disguised);
    file += `/*${name}\n`;
    parts[name] = { at: file.length, length: part.length };
    file += `${part}${end}\n`;
  }
  writeFileSync(outfile, `${file}${tableLine({ parts })}`);
}

/** Returns a part as V8 compiles it: the function of a CommonJS module. */
const wrapped = (text: string): string => `(function(exports,require,module,__filename){${text}\n})`;

/** Returns the line at the end of a program with the table of its parts. */
export function tableLine(table: Table): string {
  const line = `/*${JSON.stringify(table)}${end}\n`;
  if (line.length > longestTable) throw new Error(`the table of the parts has ${line.length} bytes`);
  return line;
}
