import { expect, test } from "@jest/globals";
import { appliedIn, applyErrors, failureText, RehearsalError } from "../../../rehearse/engine/engine.ts";

const ended = { code: 1, stdout: "", stderr: "", isLate: false };

test("an engine did what its log says; a step without an end has failed", () => {
  const line = (type: string, addr: string) =>
    JSON.stringify({ "@level": "info", type, hook: { resource: { addr }, action: "create" } });
  const log = [line("apply_start", "a"), line("apply_start", "b"), line("apply_complete", "b")].join("\n");
  expect(appliedIn({ ...ended, code: 0 }, log, () => "").steps).toEqual([
    { address: "b", action: "create", result: "done", start: 1, end: 2 },
    { address: "a", action: "create", result: "failed", start: 0, end: 3 },
  ]);
  expect(() => appliedIn(ended, "Error: no plan\n", () => "apply failed")).toThrow(RehearsalError);
});

test("an apply that fails has a reason, also if the engine reported none", () => {
  expect(applyErrors({ ...ended, code: 0 }, [])).toEqual([]);
  expect(applyErrors(ended, [{ text: "busy" }])).toEqual([{ text: "busy" }]);
  expect(applyErrors(ended, [])).toEqual([
    { text: "The engine ended with exit code 1 without an error text." },
  ]);
  expect(applyErrors({ ...ended, code: null, signal: "SIGKILL" }, [])).toEqual([
    { text: "The engine was ended by SIGKILL." },
  ]);
  expect(applyErrors({ ...ended, isLate: true }, [{ text: "busy" }])).toHaveLength(2);
});

test("the text of a failure has no line of a configuration, and is cut", () => {
  const output =
    'Error: bad\n  on main.tf line 2:\n   2:   api_key = "canary"\n│   3:   x = "canary"\nsee above\n';
  const text = failureText("plan", ended, output);
  expect(text).toBe("plan failed with exit code 1:\nError: bad\n  on main.tf line 2:\nsee above");
  const long = failureText(
    "plan",
    ended,
    Array.from({ length: 100 }, (_, line) => `line ${line}`).join("\n"),
  );
  expect(long.split("\n")).toHaveLength(42);
  expect(long).toMatch(/… and 60 more lines$/);
});
