import { expect, test } from "@jest/globals";
import { objectTools } from "../../../mcp/tool/object.ts";
import type { Call } from "../../../mcp/tool/tool.ts";

const call: Call = {
  signal: new AbortController().signal,
  report: () => {},
  log: () => {},
  ...{ canAsk: false, answer: undefined },
};

test("the problem of a setting is an error of each tool that needs the cloud, and of no other", async () => {
  const tools = objectTools({
    objects: async () => ({ problem: "Missing api_key" }),
  });
  const outcomes = await Promise.all(
    tools.map(async ({ name, isOpen, run }) => [
      name,
      isOpen,
      "error" in (await run({ kind: "vpc", attributes: {} }, call)),
    ]),
  );
  expect(outcomes).toEqual([
    ["list_kinds", false, false],
    ["describe_kind", false, false],
    ["list_objects", true, true],
    ["get_object", true, true],
    ["list_account", true, true],
  ]);
});
