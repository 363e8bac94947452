import { expect, test } from "@jest/globals";
import { appliedReport, outcomesIn, problemsIn, recorded } from "../applied/fixture.ts";

const log = (scene: string): string => recorded(scene, "log.jsonl");

test("a replacement says which of its steps are done", () => {
  const textOf = (scene: string) => appliedReport(scene).applied?.objects[0]?.text;
  expect(textOf("terraform-half-replaced")).toBe(
    "The old object was deleted. The create of the new object failed. The state does not have the object.",
  );
  expect(textOf("terraform-deposed")).toBe(
    "The delete of the old object failed. The new object was created. The object exists. 1 old object still exists, and the next apply deletes it.",
  );
  // The log of a failed apply in which the create did not begin.
  const cut = log("terraform-half-replaced")
    .split("\n")
    .filter((line) => !/apply_[a-z]+"/.test(line) || line.includes('"action":"delete"'))
    .join("\n");
  expect(appliedReport("terraform-half-replaced", { log: cut }).applied?.objects[0]).toMatchObject({
    outcome: "failed",
    text: "The old object was deleted, and the new one was not created. The state does not have the object.",
  });
});

test("values other than planned have their names", () => {
  const data = appliedReport("pulumi-other-values").applied?.objects.find(
    ({ planned }) => planned === "update",
  );
  expect(data).toMatchObject({
    otherValues: ["sizeGb"],
    text: "Other values than planned: sizeGb. The object exists.",
  });
});

test("a log that contradicts the state is other than planned", () => {
  const done = recorded("terraform-done", "state.json");
  const failed = recorded("terraform-failed", "state.json");
  expect(problemsIn("terraform-done", { state: failed }).toSorted()).toEqual([
    "create kcloud_volume.copy: other, absent",
    "create kcloud_volume.fresh: other, absent",
    "create terraform_data.note: other, exists",
    "delete kcloud_volume.old: other, exists",
    "replace kcloud_volume.shape: other, exists",
  ]);
  expect(problemsIn("terraform-failed", { state: done })).toContain(
    "delete kcloud_volume.old: other, absent",
  );
});

test("an old object of an earlier replacement is in the state until it is deleted", () => {
  const state = recorded("terraform-deposed", "state.json");
  const key = /"deposed_key":"(\w+)"/.exec(state)?.[1] ?? "";
  const plan = recorded("terraform-left-over", "plan.json");
  const own = /deposed (\w+)/.exec(plan)?.[1] ?? /"deposed":"(\w+)"/.exec(plan)?.[1] ?? "";
  expect([key, own]).not.toContain("");
  expect(problemsIn("terraform-left-over", { state: state.replace(key, own) })).toEqual([
    expect.stringMatching(/^delete kcloud_access_key\.reports \(deposed \w+\): other, exists, 1 deposed$/),
  ]);
});

test("a log of another plan has steps that the report does not have", () => {
  const other = problemsIn("terraform-tainted", {
    log: log("terraform-done"),
    state: recorded("terraform-done", "state.json"),
  });
  expect(other).toContain("none kcloud_volume.fresh: other, exists");
  // The report creates this volume, and the log updates it.
  expect(other).toContain("create kcloud_volume.data: other, exists");
});

test("a step that is twice in the log is other than planned", () => {
  const lines = log("terraform-done").split("\n");
  const twice = lines.flatMap((line) =>
    line.includes('"apply_complete"') && line.includes("volume.fresh") ? [line, line] : [line],
  );
  expect(problemsIn("terraform-done", { log: twice.join("\n") })).toEqual([
    "create kcloud_volume.fresh: other, exists",
  ]);
});

test("an object that has another id after an update is other than planned", () => {
  const state = recorded("terraform-done", "state.json").replaceAll(
    /"id":"[^"]*"(?=[^{}]*"name":"data")/g,
    '"id":"krn:other"',
  );
  expect(problemsIn("terraform-done", { state })).toEqual(["update kcloud_volume.data: other, exists"]);
});

test("an action that the report does not have is other than planned; one without a step was not invoked", () => {
  const start =
    log("terraform-action")
      .split("\n")
      .find((line) => line.includes('"action_start"')) ?? "";
  const complete = start.replace("action_start", "action_complete");
  expect(problemsIn("terraform-done", { log: `${complete}\n${log("terraform-done")}` })).toEqual([
    "invoke action.kcloud_instance_restart.web: other",
  ]);
  const without = log("terraform-action")
    .split("\n")
    .filter((line) => !line.includes('"type":"action_'))
    .join("\n");
  expect(problemsIn("terraform-action", { log: without })).toContain(
    "invoke action.kcloud_instance_restart.web: not reached",
  );
});

test("an object that is replaced and retained is forgotten, and its successor is another object", () => {
  expect(outcomesIn(appliedReport("pulumi-retained")).toSorted()).toEqual([
    "create kcloud:index:Volume::logs: done, exists",
    "forget kcloud:index:Volume::logs: done, absent",
  ]);
});
