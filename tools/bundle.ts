import { writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { lazyDefinitions } from "./bundle/definition.ts";
import { disguised, end, longestTable, type Part, type Table } from "./bundle/part.ts";
import { unusedSchemas } from "./bundle/unused-schema.ts";

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

/** Schema validator of the library of the tool server, of which the server uses nothing. */
export const unusedValidator = {
  "@modelcontextprotocol/server/_shims": fileURLToPath(new URL("bundle/no-validator.ts", import.meta.url)),
} as const;

const minified = {
  ...shared,
  format: "cjs",
  minify: true,
  // An old Node must be able to run the code that prints the required version.
  target: "es2022",
  // In a CommonJS file, a dynamic import would start the loader of ES modules.
  supported: { "dynamic-import": false },
  alias: unusedValidator,
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

/** Parts of a program by their paths, and the files that the program and its parts contain code of. */
export interface Bundled {
  readonly parts: Map<string, string>;
  readonly inputs: Set<string>;
}

/** Returns what a program begins with before it is compiled. */
export const nothingBundled = (): Bundled => ({ parts: new Map(), inputs: new Set() });

/**
 * Returns a plugin that compiles the target of each relative `import()` to a part, which it adds by its path below `root`.
 */
const lazyParts = (bundled: Bundled, root: string, options: BuildOptions): Plugin => ({
  name: "lazy parts",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === "dynamic-import" ? { path: join(resolveDir, path), namespace: "part" } : undefined,
    );
    onLoad({ filter: /./, namespace: "part" }, async ({ path }) => {
      const part = relative(root, path);
      bundled.parts.set(part, await compile({ ...options, entryPoints: [path] }, bundled));
      return { contents: run(part), resolveDir: root };
    });
  },
});

/**
 * Compiles a program or a part to ASCII text, so that offsets in bytes and characters are equal. Also escapes regular
 * expressions, where esbuild keeps other characters.
 */
export async function compile(options: BuildOptions, bundled: Bundled): Promise<string> {
  const { absWorkingDir: root = process.cwd(), external = [], minify = true } = options;
  const { outputFiles, metafile } = await build({
    ...minified,
    ...options,
    plugins: [
      evaluatedConstants,
      lazyDefinitions,
      unusedSchemas,
      lazyParts(bundled, root, { absWorkingDir: root, external, minify }),
      ...(options.plugins ?? []),
    ],
    write: false,
    metafile: true,
  });
  // Code that loads a part is in no file.
  for (const { inputs } of Object.values(metafile.outputs))
    for (const [file, { bytesInOutput }] of Object.entries(inputs))
      if (bytesInOutput > 0 && !file.startsWith("part:")) bundled.inputs.add(file);
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
 * (`test/repository/bundle.test.ts`). With `partFile`, the parts are in a file of that name in the folder of the program.
 * Returns the files that the program contains code of.
 */
export async function bundle(
  options: BuildOptions,
  outfile: string,
  partFile?: string,
): Promise<ReadonlySet<string>> {
  const bundled = nothingBundled();
  let file = await compile(options, bundled);
  let others = "";
  const parts: Record<string, Part> = {};
  for (const [name, text] of bundled.parts) {
    const part = wrapped(text).replaceAll(end, disguised);
    if (partFile !== undefined) {
      parts[name] = { file: partFile, at: others.length, length: part.length };
      others += `${part}\n`;
      continue;
    }
    file += `/*${name}\n`;
    parts[name] = { at: file.length, length: part.length };
    file += `${part}${end}\n`;
  }
  if (partFile !== undefined) writeFileSync(join(dirname(outfile), partFile), others);
  writeFileSync(outfile, `${file}${tableLine({ parts })}`);
  return bundled.inputs;
}

/** Returns a part as V8 compiles it: the function of a CommonJS module. */
const wrapped = (text: string): string => `(function(exports,require,module,__filename){${text}\n})`;

/** Returns the line at the end of a program with the table of its parts. */
export function tableLine(table: Table): string {
  const line = `/*${JSON.stringify(table)}${end}\n`;
  if (line.length > longestTable) throw new Error(`the table of the parts has ${line.length} bytes`);
  return line;
}
