import { expect, test } from "@jest/globals";
import type { StateFile } from "../../account/state/recorded.ts";
import { longestPath, relatedIn } from "../../rehearse/path.ts";
import { resources } from "../../resources/index.ts";
import type { RehearsedStep } from "../../review/model/rehearsal.ts";

const [resource] = resources;

const state = (...edges: readonly (readonly [string, ...string[]])[]): StateFile => ({
  ...{ engine: "terraform", gaps: [] },
  objects: edges.map(([address, ...dependsOn]) => ({
    ...{ address, dependsOn, resource: resource as NonNullable<typeof resource> },
    state: { id: address, values: {} } as never,
  })),
});

const step = (address: string, start: number, end: number, seconds?: number): RehearsedStep => ({
  ...{ address, start, end, action: "create", result: "done" },
  ...(seconds !== undefined && { seconds }),
});

test("objects are related by the dependencies of any state, in both directions", () => {
  const related = relatedIn([state(["subnet", "vpc"], ["vpc"]), state(["rule", "group", "vpc"])]);
  expect(related.get("vpc")).toEqual(new Set(["subnet", "rule"]));
  expect(related.get("subnet")).toEqual(new Set(["vpc"]));
});

test("the longest path has steps of related objects that ran one after another", () => {
  const related = relatedIn([state(["subnet", "vpc"], ["machine", "subnet"], ["group", "vpc"])]);
  const steps = [
    ...[step("vpc", 0, 1), step("group", 2, 4), step("subnet", 3, 5), step("machine", 6, 7)],
    // It runs late, but waits for nothing.
    step("bucket", 8, 9),
  ];
  expect(longestPath(steps, related)).toEqual(["vpc", "subnet", "machine"]);
  expect(longestPath([], related)).toEqual([]);
});

test("dependencies name resources without the keys of instances, whose steps do not wait for each other", () => {
  const related = relatedIn([state(['subnet["a.b]"]', "vpc"], ["subnet[1]", "vpc"], ["vpc"])]);
  const steps = [step("vpc", 0, 1), step('subnet["a.b]"]', 2, 3), step("subnet[1]", 4, 5)];
  expect(longestPath(steps, related)).toEqual(["vpc", 'subnet["a.b]"]']);
});

test("a replacement has the same address twice", () => {
  const steps = [step("vpc", 0, 1), step("vpc", 2, 3)];
  expect(longestPath(steps, new Map())).toEqual(["vpc", "vpc"]);
});

test("with times, the path is the longest by seconds, and the number of steps decides if one has none", () => {
  const related = relatedIn([state(["subnet", "vpc"], ["machine", "vpc"], ["port", "subnet"])]);
  const steps = [
    step("vpc", 0, 1, 5),
    step("machine", 2, 7, 90),
    step("subnet", 3, 4, 2),
    step("port", 5, 6, 1),
  ];
  expect(longestPath(steps, related)).toEqual(["vpc", "machine"]);
  expect(longestPath([...steps, step("other", 8, 9)], related)).toEqual(["vpc", "subnet", "port"]);
});
