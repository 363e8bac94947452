import { expect, test } from "@jest/globals";
import ts from "typescript";
import { files, parse, sectionOf, sources, text } from "./repository.ts";

/**
 * Tests citations. A comment cites a section of a page as `docs/contract.md#2.1`, one citation per section, and an
 * invariant of the simulation by its id, as `I3`. Nothing cites a document that is not in the repository.
 */

/** Pages whose sections have stable anchors: `<a id="2.1"></a>` in front of the heading `### 2.1 VPC`. */
const pages = ["docs/contract.md", "docs/reliability.md"] as const;

const headingsOf = (page: string): string[] =>
  [...text(page).matchAll(/^#{2,3} (\d+(?:\.\d+)?) /gm)].map(([, section = ""]) => section);

const anchorsOf = (page: string): string[] =>
  [...text(page).matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, anchor = ""]) => anchor);

/** Returns the comments of a file, with their first line. */
function commentsOf(file: string): { readonly line: number; readonly comment: string }[] {
  const tree = parse(file);
  const ends = new Map<number, number>();
  const note = (ranges: readonly ts.CommentRange[] | undefined) => {
    for (const { pos, end } of ranges ?? []) ends.set(pos, end);
  };
  const visit = (node: ts.Node) => {
    note(ts.getLeadingCommentRanges(tree.text, node.getFullStart()));
    note(ts.getTrailingCommentRanges(tree.text, node.getEnd()));
    for (const child of node.getChildren(tree)) visit(child);
  };
  visit(tree);
  return [...ends].map(([pos, end]) => ({
    line: tree.getLineAndCharacterOfPosition(pos).line + 1,
    comment: tree.text.slice(pos, end),
  }));
}

/** Returns the comments with a match, with file and line. Only files with a match are parsed. */
const commentsWith = (pattern: RegExp): string[] =>
  sources
    .filter((file) => pattern.test(text(file)))
    .flatMap((file) =>
      commentsOf(file).flatMap(({ line, comment }) => {
        const found = pattern.exec(comment);
        return found === null ? [] : [`${file}:${line}: ${found[0]}`];
      }),
    );

test.each(pages)("%s has one anchor and one entry in its table of contents for each section", (page) => {
  const headings = headingsOf(page);
  expect(headings.length).toBeGreaterThan(10);
  expect(new Set(headings).size).toBe(headings.length);
  const anchored = [...text(page).matchAll(/^<a id="([\d.]+)"><\/a>\n\n#{2,3} (\d+(?:\.\d+)?) /gm)];
  expect(anchored.map(([, anchor]) => anchor)).toEqual(headings);
  expect(anchored.map(([, , heading]) => heading)).toEqual(headings);
  const listed = [...text(page).matchAll(/^ *- \[(\d+(?:\.\d+)?) .*\]\(#([\d.]+)\)$/gm)];
  expect(listed.map(([, , anchor]) => anchor)).toEqual(headings);
  expect(listed.map(([, section]) => section)).toEqual(headings);
});

test("every citation of a section names a section that exists", () => {
  const anchors = new Map(pages.map((page): [string, string[]] => [page, anchorsOf(page)]));
  const cited = files
    .filter((file) => /\.(ts|js|proto|md)$/.test(file))
    .flatMap((file) => {
      const links = text(file).matchAll(/\b(docs\/(?:contract|reliability)\.md)#([\w.]*\w)/g);
      return [...links].map(([, page = "", anchor = ""]) => ({ file, page, anchor }));
    });
  expect(cited.length).toBeGreaterThan(100);
  const wrong = cited.filter(({ page, anchor }) => !anchors.get(page)?.includes(anchor));
  expect(wrong.map(({ file, page, anchor }) => `${file} cites ${page}#${anchor}`)).toEqual([]);
});

test.each(pages)("every link inside %s leads to one of its sections", (page) => {
  const links = [...text(page).matchAll(/\]\((?:([\w-]+\.md))?#([\w.]+)\)/g)];
  const wrong = links.filter(
    ([, other, anchor = ""]) => !anchorsOf(other === undefined ? page : `docs/${other}`).includes(anchor),
  );
  expect(wrong.map(([link]) => link)).toEqual([]);
});

test("comments cite sections in one form", () => {
  expect(commentsWith(/\b(contract|reliability)(\.md)?,?[\s*/]+(section[\s*/]+)?\d/i)).toEqual([]);
  expect(commentsWith(/\.md#[\w.]*\w,? (and )?#/)).toEqual([]);
});

test("comments cite no document that is not in the repository", () => {
  const names = new Set(files.map((file) => file.slice(file.lastIndexOf("/") + 1)));
  const wrong = commentsWith(/\b(?!(?:contract|reliability)\.md)[\w-]+\.md\b/).filter(
    (place) => !names.has(place.slice(place.lastIndexOf(" ") + 1)),
  );
  expect(wrong).toEqual([]);
  expect(commentsWith(/\bS[0-2]:\d+/)).toEqual([]);
});

test("every invariant that the simulation names is listed", () => {
  const listed = [...sectionOf("docs/reliability.md", "4.7").matchAll(/^\| <a id="(I\d+)"><\/a>\1 \|/gm)];
  const invariants = listed.map(([, invariant]) => invariant);
  expect(invariants).toEqual(invariants.map((_, at) => `I${at + 1}`));
  const named = sources
    .filter((file) => /(^|\/)simulation[/.]/.test(file))
    .flatMap((file) => [...text(file).matchAll(/\bI\d{1,2}\b/g)].map(([invariant]) => invariant));
  expect(named.length).toBeGreaterThan(10);
  expect([...new Set(named)].filter((invariant) => !invariants.includes(invariant))).toEqual([]);
});

test("every switch of the emulator is named in section 17 of the contract, and cites sections that exist", () => {
  const page = text("docs/emulator.md");
  const list = page.slice(
    page.indexOf("\nAssumptions:"),
    page.indexOf("\n```", page.indexOf("\nAssumptions:")),
  );
  const switches = [
    ...list.matchAll(/^ {2}(\w+)=\S+ {2}(\d+(?:\.\d+)?(?:, \d+(?:\.\d+)?)*|unknown[^:]*): /gm),
  ];
  expect(switches.length).toBe(list.trim().split("\n").length - 1);
  const section = sectionOf("docs/contract.md", "17");
  const unnamed = switches.map(([, name = ""]) => name).filter((name) => !section.includes(`\`${name}\``));
  const sections = switches.flatMap(([, , cited = ""]) =>
    cited.startsWith("unknown") ? [] : cited.split(", "),
  );
  const operations = [...page.matchAll(/^## .* \((\d+(?:\.\d+)?)\)$/gm)].map(([, cited = ""]) => cited);
  const headings = headingsOf("docs/contract.md");
  const missing = [...sections, ...operations].filter((cited) => !headings.includes(cited));
  expect({ unnamed, missing }).toEqual({ unnamed: [], missing: [] });
});
