import { expect, test } from "@jest/globals";
import { fieldIn, jsonText, oneLine } from "../../call/text.ts";

test("control characters and direction marks are written by their number", () => {
  expect(oneLine("a\u001b\n\u202e\u2028b")).toBe("a\\u001b\\u000a\\u202e\\u2028b");
  expect(jsonText({ "k\u202e": "\u009b\u2028" }, (text) => text)).toBe(
    '{\n  "k\\u202e": "\\u009b\\u2028"\n}',
  );
});

test("JSON has no secret, and one line if that is asked for", () => {
  expect(jsonText([{ a: "x canary" }, 1], (text) => text.replace("canary", "***"), true)).toBe(
    '[{"a":"x ***"},1]',
  );
  expect(jsonText(undefined, (text) => text)).toBe("null");
});

test("a field is found by its path, among own members only", () => {
  const value = { volume: { id: "1", tags: [{ key: "a" }] } };
  expect(fieldIn(value, "volume.tags.0.key")).toBe("a");
  for (const path of ["volume.x", "volume.id.length", "constructor", "volume.tags.1", ""])
    expect(fieldIn(value, path)).toBeUndefined();
});
