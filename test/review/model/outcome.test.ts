import { expect, test } from "@jest/globals";
import { outcomeOf } from "../../../review/model/outcome.ts";
import { changeOf, planOf } from "../change-of.ts";
import { objectsWith, rehearsalOf } from "../rehearsal-of.ts";

const plan = planOf([changeOf("ssh-key", undefined, { name: "k" })]);
const [address] = rehearsalOf(plan).longestPath;
const step = { address: address ?? "", action: "create", result: "failed", start: 0, end: 1 } as const;

test.each([
  ["a failed step", { steps: [step] }],
  ["an error", { errors: [{ text: "x" }] }],
  ["a failed object", { objects: objectsWith(plan, step.address, { class: "failed" }) }],
  ["an object that was not reached", { objects: objectsWith(plan, step.address, { class: "not reached" }) }],
  ["an apply that is not complete", { isComplete: false }],
] as const)("%s is a failure, whatever the other parts say", (_name, more) => {
  expect(outcomeOf(rehearsalOf(plan, more as object))).toBe("fails");
});

test("a change applies only if a second plan was made and is empty", () => {
  expect(outcomeOf(rehearsalOf(plan))).toBe("applies");
  expect(outcomeOf(rehearsalOf(plan, { secondPlan: ["a"] }))).toBe("does not converge");
  const { secondPlan, ...rest } = rehearsalOf(plan);
  expect(outcomeOf(rest)).toBe("does not converge");
});
