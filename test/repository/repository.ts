import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";

/** Files of this repository, for the tests of its rules. */

/** Path of the checkout. */
export const root = dirname(dirname(import.meta.dirname));
/** Paths that `.gitignore` excludes, and the folder of Git itself. */
const ignored =
  /(^|\/)(\.git|node_modules|dist(-[^/]*)?|generated|coverage|\.terraform|cdktf\.out|[^/]*\.tgz)$|^(examples\/.*)?Pulumi\.[^/]+\.yaml$|^examples\/.*\/(\.terraform\.lock\.hcl|terraform\.tfstate.*)$/;

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (ignored.test(path)) return [];
    return entry.isDirectory() ? filesIn(path) : [path];
  });

/** Paths of all files that are not ignored, from the folders, since suites of `npm run unit` cannot start Git. */
export const files = filesIn("").toSorted();
/** Returns the content of a file. */
export const text = (file: string): string => readFileSync(join(root, file), "utf8");
/** Returns the text of the section with this anchor, including its subsections. */
export function sectionOf(page: string, anchor: string): string {
  const all = text(page);
  const start = all.indexOf(`<a id="${anchor}"></a>`);
  if (start < 0) throw new Error(`${page} has no section ${anchor}`);
  const depth = /^(#+) /m.exec(all.slice(start))?.[1]?.length ?? 0;
  const body = all.indexOf("\n#", start) + 2;
  const end = new RegExp(`^#{1,${depth}} `, "m").exec(all.slice(all.indexOf("\n", body)));
  return all.slice(start, end === null ? undefined : all.indexOf("\n", body) + end.index);
}
/** Returns the number of lines of a file. */
export const lines = (file: string): number => text(file).split("\n").length - 1;

const generated = new Set(["provider/terraform/tfplugin6/tfplugin6.ts"]);
/** Hand-written TypeScript and JavaScript files. */
export const sources = files.filter((file) => /\.(ts|js)$/.test(file) && !generated.has(file));
/** Files to which the bans apply: provider, resources and functions. */
export const ours = sources.filter((file) => /^(provider|resources|functions)\//.test(file));

const parsed = new Map<string, ts.SourceFile>();
/** Returns the syntax tree of a file. */
export function parse(file: string): ts.SourceFile {
  const known = parsed.get(file) ?? ts.createSourceFile(file, text(file), ts.ScriptTarget.Latest, true);
  parsed.set(file, known);
  return known;
}

/** Returns every node of that tree. */
export function nodes(file: string): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

/** Import, export or call of `import()`. */
export interface Import {
  readonly from: string;
  /** File of the repository, or package. */
  readonly to: string;
  readonly typeOnly: boolean;
  /** True for `export … from`. */
  readonly again: boolean;
}

/** Returns the imports of a file. */
export function importsOf(file: string): Import[] {
  return nodes(file).flatMap((node): Import[] => {
    const from = (specifier: ts.Expression | undefined, typeOnly: boolean, again = false): Import[] => {
      if (specifier === undefined || !ts.isStringLiteral(specifier)) return [];
      const to = specifier.text.startsWith(".")
        ? normalize(join(dirname(file), specifier.text))
        : specifier.text;
      return [{ from: file, to, typeOnly, again }];
    };
    if (ts.isImportDeclaration(node))
      return from(node.moduleSpecifier, node.importClause?.isTypeOnly ?? false);
    if (ts.isExportDeclaration(node)) return from(node.moduleSpecifier, node.isTypeOnly, true);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      return from(node.arguments[0], false);
    return [];
  });
}

/** Returns true if the import is a file of the repository. */
export const local = ({ to }: Import): boolean => to.includes("/") && existsSync(join(root, to));
