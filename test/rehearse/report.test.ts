import { expect, test } from "@jest/globals";
import { textOf } from "../../rehearse/report.ts";
import type { Rehearsal } from "../../review/model/rehearsal.ts";

const quiet: Rehearsal = {
  ...{
    version: 1,
    engine: { name: "terraform", version: "1.16.0" },
    unconfined: "programs have the network of this machine",
    approval: "kr2-x",
    isComplete: true,
    steps: [],
    longestPath: [],
    objects: [],
    absent: [],
  },
  ...{ errors: [], secondPlan: [], assumed: [], unknown: [], differences: [] },
};

test("a change that applies is one line", () => {
  expect(textOf(quiet)).toBe(
    "The change applies, and a second plan is empty. Rehearsed with Terraform 1.16.0; programs have the network of this machine.\n",
  );
});

test("a change that fails has its errors first, then steps, objects and facts", () => {
  const text = textOf({
    ...quiet,
    isComplete: false,
    secondPlan: undefined,
    errors: [{ address: "kcloud_subnet.a", text: "Deleting failed:\nhas ports" }],
    steps: [{ address: "kcloud_subnet.a", action: "delete", result: "failed", start: 0, end: 1 }],
    objects: [
      { address: "kcloud_subnet.a", kind: "subnet", class: "failed", isInterrupted: false, assumptions: [] },
      {
        address: "kcloud_instance.b",
        kind: "instance",
        class: "untouched",
        isInterrupted: true,
        assumptions: ["repeatedPower"],
      },
      { address: "kcloud_vpc.c", kind: "vpc", class: "untouched", isInterrupted: false, assumptions: [] },
    ],
    absent: ["the address 192.0.2.7"],
    assumed: ["vpc krn"],
    differences: ["kcloud_vpc.c: nothing in the given plan, update in the rehearsed one"],
  });
  expect(
    text,
  ).toBe(`The change fails. Rehearsed with Terraform 1.16.0; programs have the network of this machine.

Errors:
  kcloud_subnet.a: Deleting failed:
  has ports

Steps, in the order in which they ended:
  1. kcloud_subnet.a: delete failed

Objects; 1 untouched:
  kcloud_subnet.a: failed
  kcloud_instance.b: untouched, interrupted, assumes repeatedPower

Absent meanwhile:
  the address 192.0.2.7

Different from the given plan:
  kcloud_vpc.c: nothing in the given plan, update in the rehearsed one

Assumed, since no state has it:
  vpc krn
`);
});

test("a second plan that is not empty is the verdict", () => {
  expect(textOf({ ...quiet, secondPlan: ["kcloud_vpc.c"] })).toContain(
    "The change applies, but a second plan would change something.",
  );
});

test("the longest path has a duration if each of its steps has a measured time, and lines have no control characters", () => {
  const step = (address: string, end: number, seconds?: number) => ({
    ...{ address, action: "create", result: "done", start: end - 1, end },
    ...(seconds !== undefined && { seconds }),
  });
  const path = { longestPath: ["a", "a", "b\u001b[2J"] };
  const steps = [step("a", 1, 100), step("a", 3, 30), step("b\u001b[2J", 5, 60), step("c", 7)];
  expect(textOf({ ...quiet, ...path, steps } as Rehearsal)).toContain(
    "Longest path, about 4 min:\n  a → a → b\\u{1b}[2J\n",
  );
  const open = [step("a", 1, 100), step("a", 3), step("b\u001b[2J", 5, 60)];
  expect(textOf({ ...quiet, ...path, steps: open } as Rehearsal)).toContain("Longest path:\n");
});

test("the problems of a drill are listed, or that there are none", () => {
  const run = { request: "create_volume 1", fault: "after-reset" };
  const drill = { seed: 7, runs: [run] };
  expect(textOf({ ...quiet, drill })).toContain(
    "Drill with the seed 7: 1 requests failed once:\n  the next run converged each time, without a loss\n",
  );
  const failed = { ...drill, runs: [run, { ...run, problem: "the next run fails: busy" }] };
  expect(textOf({ ...quiet, drill: failed })).toContain(
    "Drill with the seed 7: 2 requests failed once:\n  create_volume 1, after-reset: the next run fails: busy\n",
  );
});
