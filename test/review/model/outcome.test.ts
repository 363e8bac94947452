import { expect, test } from "@jest/globals";
import { outcomeOf } from "../../../review/model/outcome.ts";
import { changeOf, planOf } from "../change-of.ts";
import { objectsWith, rehearsalOf } from "../rehearsal-of.ts";

const plan = planOf([changeOf("ssh-key", undefined, { name: "k" })]);
const [address] = rehearsalOf(plan).longestPath;
const step = { address: address ?? "", action: "create", result: "failed", start: 0, end: 1 } as const;

test("any sign of a failure counts as one, whatever the other parts say", () => {
  for (const more of [
    { steps: [step] },
    { errors: [{ text: "x" }] },
    { objects: objectsWith(plan, step.address, { class: "failed" }) },
    { objects: objectsWith(plan, step.address, { class: "not reached" }) },
    { isComplete: false },
  ])
    expect([more, outcomeOf(rehearsalOf(plan, more))]).toEqual([more, "fails"]);
});

test("a change applies only if a second plan was made and is empty", () => {
  expect(outcomeOf(rehearsalOf(plan))).toBe("applies");
  expect(outcomeOf(rehearsalOf(plan, { secondPlan: ["a"] }))).toBe("does not converge");
  const { secondPlan, ...rest } = rehearsalOf(plan);
  expect(outcomeOf(rest)).toBe("does not converge");
});
