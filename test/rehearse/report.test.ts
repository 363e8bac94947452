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
