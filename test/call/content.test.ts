import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "@jest/globals";
import { sentContent } from "../../call/content.ts";

async function* input() {
  yield Buffer.from("first ");
  yield Buffer.from("second");
}

test("standard input is copied to a file that its owner only can read, and that is removed", async () => {
  const { path, remove } = await sentContent("-", input);
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["first second", 0o600]);
  remove();
  expect(existsSync(dirname(path))).toBe(false);
});

test("a file stays where it is", async () => {
  const { path, remove } = await sentContent(import.meta.filename, input);
  remove();
  expect([path, existsSync(path)]).toEqual([import.meta.filename, true]);
});
