import { expect, test } from "@jest/globals";
import { applyLogIn, logLines } from "../../../review/read/apply-log.ts";
import { recorded } from "../applied/fixture.ts";

test("the engine is recognized by the lines", () => {
  const engines = ["terraform-done", "opentofu-done", "pulumi-done"].map(
    (scene) => applyLogIn(logLines(recorded(scene, "log.jsonl")))?.engine,
  );
  expect(engines).toEqual(["terraform", "opentofu", "pulumi"]);
});

test("a log may have lines of a wrapper, and end in a part of a line", () => {
  const text = recorded("terraform-done", "log.jsonl");
  const wrapped = `::debug::exec\n${text.slice(0, -40)}`;
  const lines = logLines(wrapped);
  expect(lines.firstOther).toBe(1);
  expect(applyLogIn(lines)?.events).toHaveLength(16);
  expect(logLines(text.slice(0, -40)).firstOther).toBeUndefined();
  expect(logLines(`\uFEFF${text}`).firstOther).toBeUndefined();
});

test.each(["", "\n\n", "Error: Failed to load the plan\n", '{"a":1}\n', "[1]\nnull\n"])(
  "%j is no log of an engine",
  (text) => {
    expect(applyLogIn(logLines(text))).toBeUndefined();
  },
);
