import { expect, test } from "@jest/globals";
import { secret } from "../../../provider/core/value.ts";
import { settingsOf } from "../../../review/gate/policy.ts";
import { runRules } from "../../../review/gate/run.ts";
import { makeReport } from "../../../review/report/make.ts";
import { reportRehearsal } from "../../../review/report/rehearsal.ts";
import { changeOf, planOf, unchanged } from "../change-of.ts";
import { rehearsalOf, rehearsed } from "../rehearsal-of.ts";

const key = (name: string) => changeOf("ssh-key", undefined, { name });
const plan = planOf([key("b"), key("a"), unchanged("vpc", { name: "net" })]);
const done = { action: "create", result: "done" } as const;

test("objects are in the order of their first steps, with all of them, and untouched ones are counted", () => {
  const steps = [
    { ...done, address: "kcloud_ssh_key.b", start: 3, end: 4, seconds: 2 },
    { ...done, address: "kcloud_ssh_key.a", start: 1, end: 2, id: "id-1" },
    { ...done, address: "kcloud_port.x", action: "delete", start: 0, end: 5 },
  ] as const;
  const longestPath = ["kcloud_port.x"];
  const shown = reportRehearsal(rehearsed(plan, { steps: [...steps], longestPath }), (text) => text);
  expect(shown.untouched).toBe(1);
  expect(shown.objects).toEqual([
    {
      ...{ address: "kcloud_port.x", isInterrupted: false, isOnLongestPath: true, assumptions: [] },
      steps: [{ action: "delete", result: "done", start: 0, end: 5 }],
    },
    {
      ...{ address: "kcloud_ssh_key.a", kind: "ssh-key", class: "created", isInterrupted: false },
      ...{ isOnLongestPath: false, assumptions: [], steps: [{ ...done, start: 1, end: 2 }] },
    },
    {
      ...{ address: "kcloud_ssh_key.b", kind: "ssh-key", class: "created", isInterrupted: false },
      ...{ isOnLongestPath: false, assumptions: [], steps: [{ ...done, start: 3, end: 4, seconds: 2 }] },
    },
  ]);
});

test("no text of a rehearsal shows a sensitive value of the plan or a control character", () => {
  const hidden = "canary-Tq7xL0pW";
  const text = `\u001b[2J ${hidden}\r\n::error::x`;
  const own = planOf([key("k")], { sensitive: [secret(hidden)] });
  const whole = rehearsalOf(own);
  const more = {
    ...{ engine: { name: "pulumi" as const, version: text }, unconfined: text, absent: [text] },
    ...{ errors: [{ text }, { text, address: text }], secondPlan: [text], assumed: [text], unknown: [text] },
    differences: [text],
    steps: [...whole.steps, { ...done, address: text, start: 2, end: 3 }],
    longestPath: [text],
    objects: [
      { ...whole.objects[0], class: "not reached" as const, isInterrupted: true, assumptions: [text] },
      {
        ...{ address: text, kind: text, class: "failed" as const },
        ...{ isInterrupted: true, assumptions: [text] },
      },
    ] as (typeof whole)["objects"],
    drill: { seed: 1, runs: [{ request: text, fault: text, problem: text }] },
  };
  const results = runRules([own], settingsOf({}), { rehearsals: [rehearsed(own, more)] });
  const report = makeReport([own], { results });
  expect(new Set(report.findings.map(({ rule }) => rule))).toEqual(
    new Set([1, 2, 3, 4, 5, 6, 7, 8].map((number) => `RUN-0${number}`)),
  );
  const all = JSON.stringify(report);
  expect(all).not.toContain(hidden);
  expect(all).not.toContain("\\u001b");
  expect(all).not.toMatch(/\s::error::/);
});
