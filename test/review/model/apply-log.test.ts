import { expect, test } from "@jest/globals";
import { type StepEvent, stepsOf } from "../../../review/model/apply-log.ts";

const event = (address: string, result?: "done" | "failed", id?: string): StepEvent => ({
  ...{ address, type: "kcloud_vpc", action: "delete" },
  ...(result && { result }),
  ...(id && { id }),
});

const shown = (events: readonly StepEvent[]) =>
  stepsOf(events).map(({ address, id, result, start, end }) => [address, id, result, start, end]);

test("a step has the positions of its start and its end; one without an end is open", () => {
  expect(shown([event("a"), event("b"), event("b", "done"), event("c")])).toEqual([
    ["b", undefined, "done", 1, 2],
    ["a", undefined, "open", 0, 4],
    ["c", undefined, "open", 3, 4],
  ]);
});

test("an end has the id of its start, and belongs to the start with its id", () => {
  const old = [event("a", undefined, "1"), event("a", undefined, "2")];
  expect(shown([...old, event("a", "failed"), event("a", "done")])).toEqual([
    ["a", "1", "failed", 0, 2],
    ["a", "2", "done", 1, 3],
  ]);
  expect(shown([...old, event("a", "done", "2")])).toEqual([
    ["a", "2", "done", 1, 2],
    ["a", "1", "open", 0, 3],
  ]);
});

test("an end without a start is a step, too: the beginning of the log may be missing", () => {
  expect(shown([event("a", "done")])).toEqual([["a", undefined, "done", 0, 0]]);
});
