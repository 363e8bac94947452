import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";

/** Matches the modules that list definitions. */
const list = /[\\/](resources|functions)[\\/]index\.ts$/;

/**
 * Plugin that loads each definition of a list when it is used: an engine uses few of them per process, and creating the schemas
 * of all would take most of the time of a start. In the list, a stub replaces the definition. It contains plain data, such as
 * the name, and loads the file for everything else.
 */
export const lazyDefinitions: Plugin = {
  name: "lazy definitions",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\// }, ({ kind, path, importer, resolveDir }) =>
      kind === "import-statement" && list.test(importer)
        ? { path: join(resolveDir, path), namespace: "definition" }
        : undefined,
    );
    onLoad({ filter: /./, namespace: "definition" }, async ({ path }) => {
      const exported: Record<string, unknown> = await import(pathToFileURL(path).href);
      const stubs = Object.entries(exported).flatMap(([name, value]) =>
        typeof value === "object" && value !== null
          ? [`export const ${name} = ${stubOf(value, `load().${name}`)};`]
          : [],
      );
      // Each evaluation of a compiled `require` copies the list of exports.
      const load = `let loaded; const load = () => (loaded ??= require(${JSON.stringify(path)}));`;
      return { contents: [load, ...stubs].join("\n"), resolveDir: "/" };
    });
  },
};

/** Returns code for a stub of the object that the expression `at` evaluates to. */
const stubOf = (value: object, expression: string): string =>
  `{${membersOf(value, expression)
    .map(({ key, code, at }) => (code === undefined ? `get ${key}() { return ${at}; }` : `${key}: ${code}`))
    .join(",\n")}}`;

/** Returns code for plain data and for functions, which are forwarded; undefined for a value with any other part. */
function codeOf(value: unknown, expression: string): string | undefined {
  if (value === undefined) return "undefined";
  if (typeof value === "function") return `(...args) => ${expression}(...args)`;
  if (value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value))
    return JSON.stringify(value);
  if (typeof value !== "object") return undefined;
  const isList = Array.isArray(value);
  if (!isList && Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  const members = membersOf(value, expression);
  if (members.some(({ code }) => code === undefined)) return undefined;
  const parts = members.map(({ key, code }) => (isList ? code : `${key}: ${code}`));
  return isList ? `[${parts}]` : `{${parts}}`;
}

const membersOf = (value: object, expression: string) =>
  Object.entries(value).map(([name, member]) => {
    const key = JSON.stringify(name);
    const place = `${expression}[${key}]`;
    return { key, at: place, code: codeOf(member, place) };
  });
