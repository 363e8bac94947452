import { expect, test } from "@jest/globals";
import { appliedReport, outcomesIn, problemsIn, recorded } from "../applied/fixture.ts";

const log = (scene: string): string => recorded(scene, "log.jsonl");

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
