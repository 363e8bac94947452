import { expect, test } from "@jest/globals";
import { type Facts, outcomeOf } from "../../../review/report/applied-outcome.ts";

const planned = ["create", "update", "replace", "delete", "forget", "keep"] as const;
const steps = ["done", "failed", "half", "open", "none"] as const;
const ends = ["succeeded", "failed", "unknown"] as const;
const states = ["present", "tainted", "absent", undefined] as const;

/** Letters of the outcomes: done, Failed, Not reached, Other, Unknown. */
const letters = { done: "d", failed: "F", "not reached": "N", other: "O", unknown: "U" } as const;

/**
 * Each row has the outcomes for one plan and result of the steps: with a log that succeeded, failed, or has no end, each for an
 * object that is present, tainted, absent, and without a state.
 */
const rows: Readonly<Record<Facts["planned"], Readonly<Record<Facts["steps"], string>>>> = {
  create: {
    done: "dOOd dOOd dOOd",
    failed: "OOOO FFFF FFFF",
    half: "OOOO FFFF UUUU",
    open: "OOOO FFFF UUUU",
    none: "OOOO OONN UUUU",
  },
  update: {
    done: "dOOd dOOd dOOd",
    failed: "OOOO FFOF FFOF",
    half: "OOOO FFOF UUUU",
    open: "OOOO FFOF UUUU",
    none: "OOOO NOON UUUU",
  },
  replace: {
    done: "dOOd dOOd dOOd",
    failed: "OOOO FFFF FFFF",
    half: "OOOO FFFF UUUU",
    open: "OOOO FFFF UUUU",
    none: "OOOO NNON UUUU",
  },
  delete: {
    done: "OOdd OOdd OOdd",
    failed: "OOOO FFOF FFOF",
    half: "OOOO FFOF UUUU",
    open: "OOOO FFOF UUUU",
    none: "OOOO NNON UUUU",
  },
  forget: {
    done: "OOdd OOdd OOdd",
    failed: "OOOO FFOF FFOF",
    half: "OOOO FFOF UUUU",
    open: "OOOO FFOF UUUU",
    none: "OOdd NNdU NNdU",
  },
  keep: {
    done: "ddOd ddOd ddOd",
    failed: "OOOO FFFF FFFF",
    half: "OOOO FFFF UUUU",
    open: "OOOO FFFF UUUU",
    none: "ddOd ddNU ddNU",
  },
};

const cases = planned.flatMap((effect) => steps.map((result) => [effect, result] as const));

test.each(cases)("the outcomes of a planned %s whose steps are %s", (effect, result) => {
  const outcomes = ends.map((end) =>
    states.map((state) => letters[outcomeOf({ planned: effect, steps: result, end, state })]).join(""),
  );
  expect(outcomes.join(" ")).toBe(rows[effect][result]);
});

test("only what log and state show is done", () => {
  for (const effect of planned)
    for (const result of ["failed", "half", "open"] as const)
      for (const end of ends)
        for (const state of states)
          expect(outcomeOf({ planned: effect, steps: result, end, state })).not.toBe("done");
});
