import { expect, test } from "@jest/globals";
import { constants } from "../../../mcp/tool/constant.ts";

test("the kinds that each tool accepts are those that the API lists or reads", () => {
  const { known, listed, read, managed, lookups } = constants();
  expect(listed.filter((kind) => !known.includes(kind))).toEqual([]);
  expect(listed).toContain("instance-type");
  expect(listed).not.toContain("ai-pod");
  expect(read).toEqual(expect.arrayContaining(["vpc", "ai-pod", "instance-type"]));
  expect(read).not.toContain("region");
  expect(managed).not.toContain("region");
  expect(lookups.volume).toEqual({ list: "volumes", one: "volume" });
});
