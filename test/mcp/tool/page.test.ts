import { expect, test } from "@jest/globals";
import { pageTools } from "../../../mcp/tool/page.ts";
import type { Call, Outcome } from "../../../mcp/tool/tool.ts";

const call: Call = {
  signal: new AbortController().signal,
  report: () => {},
  log: () => {},
  ...{ canAsk: false, answer: undefined },
};
const run = async (name: string, args: object): Promise<Outcome> => {
  const tool = pageTools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool.run(args as Readonly<Record<string, unknown>>, call);
};

test("a search returns the sections that fit best, one per page", async () => {
  const found = await run("search_pages", { query: "one-time passwords", limit: 2 });
  expect(found).toMatchObject({ data: { pages: [{ page: "guides/one-time-passwords" }, {}] } });
});

test("a page is read in parts", async () => {
  const first = await run("read_page", { page: "rules.md" });
  if (!("page" in first)) throw new Error("no page");
  const { next_offset: offset, length } = first.about;
  expect([first.page.length, offset]).toEqual([16_000, 16_000]);
  const next = await run("read_page", { page: "rules", offset });
  expect(next).toMatchObject({ about: { page: "rules", length } });
  expect("page" in next && next.page.length).toBeGreaterThan(0);
});

test("an unknown page is an error with the nearest one", async () => {
  expect(await run("read_page", { page: "resources/volum" })).toEqual({
    error: 'Unknown page "resources/volum"; did you mean "resources/volume"? (search_pages finds pages)',
  });
});
