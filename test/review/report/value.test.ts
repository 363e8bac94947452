import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import { changeOf, planOf } from "../change-of.ts";
import { outputsOf, reportOf } from "../render/outputs.ts";
import { changeFrom, linesOf } from "../value-change.ts";

const script = (nth: number, line: string) =>
  Array.from({ length: nth }, (_, at) => (at === 41 ? line : `echo ${at}`)).join("\n");

const policy = (...statements: object[]) => JSON.stringify({ Version: "1", Statement: statements }, null, 2);

const read = { Sid: "read", Effect: "Allow", Action: ["get", "list"], Resource: "bucket/*" };

const write = { Sid: "write", Effect: "Allow", Action: ["put"], Resource: "bucket/*" };

test("the JSON report has length and hash of a value that it truncates", () => {
  const [change] = reportOf([planOf([changeFrom("a", "x".repeat(1_000))])]).changes;
  expect(change?.differences[0]?.after).toEqual({
    kind: "value",
    text: `"${"x".repeat(399)}`,
    cut: 1_002,
    sha256: createHash("sha256")
      .update(JSON.stringify("x".repeat(1_000)))
      .digest("hex"),
  });
});

test("a long value on one side only is shown by its parts: a new policy, a script, an added statement", () => {
  const large = { ...write, Action: Array.from({ length: 60 }, (_, at) => `action-${at}`) };
  const lines = linesOf(policy(read), policy(read, large));
  expect(lines.slice(0, 3)).toEqual([
    "value (JSON):",
    `  + Statement[1].Action[0]: "action-0"`,
    `  + Statement[1].Action[1]: "action-1"`,
  ]);
  expect(lines.at(-1)).toBe(`  + Statement[1].Sid: "write"`);
  const created = changeOf("account-policy", undefined, { name: "shop", statements: policy(read, large) });
  const outputs = outputsOf(reportOf([planOf([created])]));
  for (const format of ["text", "Markdown for github"]) {
    expect(outputs[format]).toContain(`+ Statement[1].Effect: "Allow"`);
    expect(outputs[format]).toContain(`+ Statement[1].Action[59]: "action-59"`);
  }
  expect(linesOf(null, script(60, "new"))[42]).toBe("  + line 42: new");
  expect(linesOf(script(60, "new"), null)[42]).toBe("  − line 42: new");
  expect(linesOf(null, script(2_000, "new")).at(-1)).toBe("  1900 more");
  expect(linesOf(null, "short")).toEqual([`value: (none) → "short"`]);
});
