import { expect, test } from "@jest/globals";
import { files, sources, text } from "./repository.ts";

/**
 * Checks the names of files, folders and functions in docs/architecture.md. Each test collects the names that do not
 * exist.
 */

const page = text("docs/architecture.md");
const prose = page.replace(/^```$[\s\S]*?^```$/gm, "");

const isFolder = (path: string): boolean => files.some((file) => file.startsWith(`${path}/`));
const exists = (path: string): boolean => files.includes(path) || isFolder(path.replace(/\/$/, ""));

/** Returns the quoted names of a text. */
const quoted = (part: string): string[] => [...part.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

test("every path on the page exists", () => {
  const paths = quoted(prose).filter((name) => /^[\w.-]+(\/[\w.-]+)*\/?$/.test(name) && name.includes("/"));
  const named = [...new Set(paths)];
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !exists(path))).toEqual([]);
});

test.each(["CONTRIBUTING.md", "docs/develop.md"])("every path in %s exists", (document) => {
  const paths = quoted(text(document).replace(/^```[\s\S]*?^```$/gm, "")).filter(
    (name) => /^[\w.-]+\/[\w./-]*$/.test(name) && !/NAME|ROOM/.test(name),
  );
  expect(paths.length).toBeGreaterThan(15);
  expect(paths.filter((path) => !exists(path))).toEqual([]);
});

/** Function on the page with the file that must declare it. */
interface Place {
  readonly file: string;
  readonly name: string;
}

/** Returns the places in table rows: a cell that is one file, followed by a cell with its functions. */
function placesInRows(): Place[] {
  return prose.split("\n").flatMap((line) => {
    const cells = line.split("|").map((cell) => cell.trim());
    const at = cells.findIndex((cell) => /^`[\w./-]+\.ts`$/.test(cell));
    if (!line.startsWith("|") || at < 0) return [];
    const [file = ""] = quoted(cells[at] ?? "");
    return quoted(cells[at + 1] ?? "").map((name) => ({ file, name }));
  });
}

/** Returns the places in sentences: "`name` of `file`", and "`file` (`name`, `name`)". */
function placesInSentences(): Place[] {
  const before = [...prose.matchAll(/`(\w+)` of\s+`([\w./-]+\.ts)`/g)];
  const after = [...prose.matchAll(/`([\w./-]+\.ts)`\s+\(((?:`\w+`(?:, )?)+)\)/g)];
  return [
    ...before.map(([, name = "", file = ""]) => ({ file, name })),
    ...after.flatMap(([, file = "", names = ""]) => quoted(names).map((name) => ({ file, name }))),
  ];
}

/** Returns true if the file declares a function, constant, class or method of this name. */
function declares({ file, name }: Place): boolean {
  if (!files.includes(file)) return false;
  return new RegExp(
    `\\b(function\\*?|const|class|interface) ${name}\\b|^ +(async )?${name}(\\(|: \\()`,
    "m",
  ).test(text(file));
}

test("every function on the page is declared in the file that is named with it", () => {
  const rows = placesInRows();
  const sentences = placesInSentences();
  expect(rows.length).toBeGreaterThan(50);
  expect(sentences.length).toBeGreaterThan(10);
  const wrong = [...rows, ...sentences].filter((place) => !declares(place));
  expect(wrong.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});

test("every row with a file names a function", () => {
  const rows = prose.split("\n").filter((line) => /^\|.*\| `[\w./-]+\.ts` \|/.test(line));
  expect(rows.filter((line) => !/\.ts` \| `\w+`/.test(line))).toEqual([]);
});

/**
 * Returns the folders in the tree under "Folders": nested by indentation, with several on one line before their
 * descriptions.
 */
function tree(): string[] {
  const block = /^## Folders\n+```\n([\s\S]*?)^```/m.exec(page)?.[1] ?? "";
  let top = "";
  return block.split("\n").flatMap((line) => {
    const [, indent = "", names = ""] = /^( *)((?:[\w-]+\/ +)+)\S/.exec(line) ?? [];
    const folders = names.split(/[ /]+/).filter((name) => name !== "");
    if (indent === "") top = folders[0] ?? "";
    return indent === "" ? folders : folders.map((name) => `${top}/${name}`);
  });
}

test("the tree names every folder, two levels deep, and no other", () => {
  const named = tree();
  expect(named.filter((folder) => !isFolder(folder))).toEqual([]);
  const folders = new Set(
    sources
      .filter((file) => file.includes("/"))
      .flatMap((file) => {
        const [top = "", second = "", ...rest] = file.split("/");
        return rest.length === 0 ? [top] : [top, `${top}/${second}`];
      })
      .filter((folder) => !/^(examples|bench|tools|\.ci)\//.test(folder) && !folder.startsWith(".")),
  );
  const missing = [...folders].filter(
    (folder) => !named.includes(folder) && !prose.includes(`\`${folder}\``),
  );
  expect(missing).toEqual([]);
});

test("every link to a section of another page leads to an anchor", () => {
  const links = [...page.matchAll(/\]\(([\w-]+\.md)(?:#([\w.]+))?\)/g)];
  expect(links.length).toBeGreaterThan(2);
  const wrong = links.filter(([, other = "", anchor]) => {
    const target = `docs/${other}`;
    return !files.includes(target) || (anchor !== undefined && !text(target).includes(`<a id="${anchor}">`));
  });
  expect(wrong.map(([link]) => link)).toEqual([]);
});
