import { expect, test } from "@jest/globals";
import { appliedReport, outcomesIn, recorded } from "../applied/fixture.ts";

const log = (scene: string): string => recorded(scene, "log.jsonl");

/** Returns the outcomes without what is done. */
const problemsIn = (...args: Parameters<typeof appliedReport>): string[] =>
  outcomesIn(appliedReport(...args)).filter((line) => !line.includes(": done"));

const volume = (name: string): string => `kcloud_volume.${name}`;
const pulumiVolume = (name: string): string => `kcloud:index:Volume::${name}`;

test.each(["terraform", "opentofu"])("%s: everything is done as planned", (engine) => {
  expect(outcomesIn(appliedReport(`${engine}-done`)).toSorted()).toEqual([
    "create kcloud_volume.copy: done, exists",
    "create kcloud_volume.fresh: done, exists",
    "create terraform_data.note: done, exists",
    "delete kcloud_volume.old: done, absent",
    "forget kcloud_volume.logs: done, absent",
    "import kcloud_ssh_key.found: done, exists",
    "invoke data.kcloud_ssh_key.late: done",
    "move kcloud_ssh_key.b: done, exists",
    "replace kcloud_volume.shape: done, exists",
    "update kcloud_volume.data: done, exists",
  ]);
});

test("Pulumi: everything is done as planned, with the planned values", () => {
  const report = appliedReport("pulumi-done");
  expect(problemsIn("pulumi-done")).toEqual([]);
  expect(outcomesIn(report)).toHaveLength(8);
  const [plan] = report.applied?.plans ?? [];
  expect([plan?.comparedValues, plan?.uncomparedValues, plan?.next]).toEqual([17, 5, []]);
});

test.each([
  [
    "terraform-failed",
    [
      `create ${volume("copy")}: not reached, absent`,
      `create ${volume("fresh")}: failed, absent`,
      `delete ${volume("old")}: failed, exists`,
      `replace ${volume("shape")}: failed, exists`,
    ],
  ],
  [
    "pulumi-failed",
    [
      `create ${pulumiVolume("copy")}: not reached, absent`,
      `create ${pulumiVolume("fresh")}: failed, absent`,
      `delete ${pulumiVolume("old")}: not reached, exists`,
      `forget ${pulumiVolume("logs")}: not reached, exists`,
      `replace ${pulumiVolume("shape")}: failed, exists`,
    ],
  ],
  ["terraform-half-replaced", [`replace ${volume("shape")}: failed, absent`]],
  ["pulumi-half-replaced", [`replace ${pulumiVolume("shape")}: failed, absent`]],
  ["terraform-deposed", ["replace kcloud_access_key.reports: failed, exists, 1 deposed"]],
  ["pulumi-deposed", ["replace kcloud:index:AccessKey::reports: failed, exists, 1 deposed"]],
  // The old object of an earlier replacement is deleted.
  ["terraform-left-over", []],
  ["pulumi-left-over", []],
  ["terraform-tainted", [`create ${volume("data")}: failed, exists, tainted`]],
  [
    "terraform-interrupted",
    [
      `create ${volume("copy")}: not reached, absent`,
      `create ${volume("fresh")}: failed, exists, tainted`,
      `replace ${volume("shape")}: failed, exists, tainted`,
    ],
  ],
  [
    "terraform-killed",
    [
      `create ${volume("copy")}: unknown, absent`,
      `create ${volume("fresh")}: unknown, absent`,
      `replace ${volume("shape")}: unknown, absent`,
    ],
  ],
  [
    "pulumi-killed",
    [
      `create ${pulumiVolume("copy")}: unknown, absent`,
      `create ${pulumiVolume("fresh")}: unknown, absent, creating`,
      `delete ${pulumiVolume("old")}: unknown, exists`,
      `forget ${pulumiVolume("logs")}: not reached, exists`,
      `replace ${pulumiVolume("shape")}: unknown, absent, creating`,
    ],
  ],
  [
    "terraform-action",
    ["create terraform_data.release: failed, exists", "invoke action.kcloud_instance_restart.web: failed"],
  ],
  [
    "pulumi-other-values",
    [
      `delete ${pulumiVolume("old")}: other, exists`,
      `none ${pulumiVolume("extra")}: other, exists`,
      `update ${pulumiVolume("data")}: other, exists`,
    ],
  ],
])("what is not done as planned: %s", (scene, expected) => {
  expect(
    problemsIn(scene)
      .filter((line) => !line.startsWith("update kcloud:index:Volume::data: not"))
      .toSorted(),
  ).toEqual(expected);
});

test("a state file has the same outcomes as the output of show -json", () => {
  for (const scene of ["terraform-failed", "terraform-tainted", "terraform-deposed"])
    expect(outcomesIn(appliedReport(scene, { state: recorded(scene, "raw.json") }))).toEqual(
      outcomesIn(appliedReport(scene)),
    );
});

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

test("a state that is locked by another apply: nothing is reached, but what the other apply did", () => {
  const { objects = [], plans = [] } = appliedReport("opentofu-locked").applied ?? {};
  expect(new Set(objects.map(({ outcome }) => outcome))).toEqual(new Set(["not reached"]));
  expect(plans[0]?.next).toEqual([
    expect.stringMatching(/^The state is locked: this apply changed nothing\./),
  ]);
  // The state was read while the other apply ran.
  expect(problemsIn("terraform-locked")).toContain("delete kcloud_volume.old: other, absent");
  expect(
    appliedReport("terraform-locked").applied?.objects.find(({ planned }) => planned === "delete")?.text,
  ).toBe("The log shows a failed apply without a step for this object. The state does not have the object.");
});

test("without a log, only effects on the state are known", () => {
  expect(
    outcomesIn(appliedReport("terraform-done", { log: "" }))
      .filter((line) => line.includes("done"))
      .toSorted(),
  ).toEqual([
    "forget kcloud_volume.logs: done, absent",
    "import kcloud_ssh_key.found: done, exists",
    "move kcloud_ssh_key.b: done, exists",
  ]);
  const report = appliedReport("terraform-done", { log: "", state: null });
  expect(outcomesIn(report).every((line) => line.endsWith(": unknown"))).toBe(true);
  expect(report.applied?.plans[0]).toMatchObject({
    ...{ end: "unknown", hasState: false },
    problems: ["net has no log of an apply: it cannot be known what was done."],
  });
});

test("a log or a state of another engine, several logs, and a wrong exit code are problems", () => {
  const problems = (...args: Parameters<typeof appliedReport>) =>
    appliedReport(...args).applied?.plans[0]?.problems;
  expect(problems("terraform-done", { log: log("opentofu-done") })).toEqual([
    "The log of net is of OpenTofu, and the plan is not.",
  ]);
  expect(problems("terraform-done", { state: recorded("pulumi-done", "state.json") })).toEqual([
    "The state of net is of another engine than the plan.",
  ]);
  expect(problems("terraform-done", { log: `${log("terraform-done")}\n${log("terraform-done")}` })).toEqual([
    "The log of net holds 2 logs.",
  ]);
  expect(problems("terraform-done", {}, 1)).toEqual([
    "The log of net shows that the apply succeeded, and the exit code of the engine is 1.",
  ]);
  expect(problems("terraform-failed", {}, 0)).toEqual([
    "The log of net shows that the apply failed, and the exit code of the engine is 0.",
  ]);
  expect([problems("terraform-done", {}, 0), problems("terraform-failed", {}, 1)]).toEqual([[], []]);
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

test("errors are those of their objects; the others are those of the plan", () => {
  const { objects = [], plans = [] } = appliedReport("terraform-failed").applied ?? {};
  const fresh = objects.find(({ address }) => address === volume("fresh"));
  expect(fresh?.errors).toEqual([
    expect.stringMatching(/^Creating the volume "fresh" failed: The API rejected/),
  ]);
  expect(plans[0]?.errors.map((text) => text.slice(0, 28)).toSorted()).toEqual([
    'Deleting the volume "old" fa',
    'Deleting the volume "shape" ',
  ]);
});

const errorLine = (detail: string, address?: string): string =>
  JSON.stringify({
    ...{ "@level": "error", type: "diagnostic" },
    diagnostic: { severity: "error", summary: "Failed", detail, ...(address && { address }) },
  });

test("an object that is replaced and retained is forgotten, and its successor is another object", () => {
  expect(outcomesIn(appliedReport("pulumi-retained")).toSorted()).toEqual([
    "create kcloud:index:Volume::logs: done, exists",
    "forget kcloud:index:Volume::logs: done, absent",
  ]);
});

test("an id that is a sensitive value is in no report", () => {
  const state = JSON.parse(recorded("terraform-done", "state.json"));
  for (const row of state.values.root_module.resources) row.sensitive_values = { id: true };
  const report = appliedReport("terraform-done", { state: JSON.stringify(state) });
  expect(report.applied?.objects.filter(({ id }) => id !== undefined)).toEqual([]);
});

test("an error text is on one line, cut, and has no secret of the state", () => {
  const secret =
    /"secret_key":"(emulator-secret-[^"]+)"/.exec(recorded("terraform-deposed", "state.json"))?.[1] ?? "";
  expect(secret).not.toBe("");
  const texts = [`a\u001b[31m\n-->${secret}`, `${"x ".repeat(5_000_000)}`, "password=hunter2-canary"];
  const lines = [log("terraform-deposed"), ...texts.map((text) => errorLine(text))].join("\n");
  const errors = appliedReport("terraform-deposed", { log: lines }).applied?.plans[0]?.errors ?? [];
  expect(errors[1]).toBe("Failed: a\\u{1b}[31m -->***");
  expect(errors[2]).toMatch(/^Failed: x x .*… \(10000008 characters\)$/);
  expect(errors[2]?.length).toBeLessThan(2_100);
  expect(errors[3]).toBe("Failed: ***");
});

test("error texts that do not fit are counted", () => {
  const lines = Array.from({ length: 30 }, (_, index) => errorLine(`number ${index}`));
  const { plans, omittedErrors } =
    appliedReport("terraform-tainted", { log: [log("terraform-tainted"), ...lines].join("\n") }).applied ??
    {};
  expect([plans?.[0]?.errors.length, omittedErrors]).toEqual([20, 10]);
});
