import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Matches the modules that a declaration file imports or refers to. */
const imported = /(?:\bfrom |\bimport\(|\bimport )"(\.[^"\n]*)"/g;

/** Returns the declaration file of a module that another declaration file imports: of `a.js`, `a.ts` and `a.d.ts`. */
const declarationOf = (path: string): string => path.replace(/(\.d)?\.[jt]s$/, "").concat(".d.ts");

/** Removes the declaration files of a folder that no entry reaches, and the empty folders. Throws for an import without a file. */
export function removeUnreachable(folder: string, entries: readonly string[]): void {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file)) return;
    if (!existsSync(file)) throw new Error(`there is no declaration file ${file}`);
    reached.add(file);
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(imported))
      visit(declarationOf(resolve(dirname(file), path)));
  };
  for (const entry of entries) visit(resolve(folder, entry));
  clean(resolve(folder), reached);
}

/** Removes the other declaration files below a folder; returns true if nothing is left in it. */
function clean(folder: string, reached: ReadonlySet<string>): boolean {
  const left = readdirSync(folder, { withFileTypes: true }).filter((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return !clean(path, reached);
    if (!entry.name.endsWith(".d.ts") || reached.has(path)) return true;
    rmSync(path);
    return false;
  });
  if (left.length > 0) return false;
  rmSync(folder, { recursive: true });
  return true;
}
