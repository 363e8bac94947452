import { expect, test } from "@jest/globals";
import { stepsOf } from "../../../review/model/apply-log.ts";
import { logOf, recorded } from "../applied/fixture.ts";

const stepsIn = (scene: string): string[] =>
  stepsOf(logOf(recorded(scene, "log.jsonl")).events)
    .map(({ action, address, result }) => `${action} ${address} ${result}`)
    .toSorted();

test.each(["terraform", "opentofu"] as const)(
  "a log of %s has the steps, the version and the end",
  (engine) => {
    const log = logOf(recorded(`${engine}-done`, "log.jsonl"));
    const version = engine === "terraform" ? "1.16.0" : "1.12.6";
    expect({ ...log, events: log.events.length }).toEqual({
      ...{
        engine,
        engineVersion: version,
        events: 16,
        unchanged: [],
        invocations: [],
        errors: [],
        warnings: [],
      },
      ...{ end: "succeeded", problems: [], secrets: new Set() },
    });
    expect(stepsIn(`${engine}-failed`)).toEqual([
      "create kcloud_volume.fresh failed",
      "create terraform_data.note done",
      "delete kcloud_volume.old failed",
      "delete kcloud_volume.shape failed",
      "read data.kcloud_ssh_key.late done",
      "update kcloud_volume.data done",
    ]);
    expect(logOf(recorded(`${engine}-failed`, "log.jsonl"))).toMatchObject({ end: "failed" });
  },
);

test("errors have their objects, and no values of the configuration", () => {
  const { errors, end } = logOf(recorded("terraform-failed", "log.jsonl"));
  // The errors of deletes have no address.
  expect(errors.map(({ address }) => address).toSorted()).toEqual([
    "kcloud_volume.fresh",
    undefined,
    undefined,
  ]);
  expect(errors.find(({ address }) => address !== undefined)?.text).toMatch(
    /^Creating the volume "fresh" failed: The API rejected the request\./,
  );
  expect(end).toBe("failed");
});

test("warnings have their objects", () => {
  const diagnostic = {
    severity: "warning",
    summary: "No request deleted the port",
    detail: "It remains.",
    address: "a.b",
  };
  const { errors, warnings } = logOf(JSON.stringify({ "@level": "warn", type: "diagnostic", diagnostic }));
  expect([errors, warnings]).toEqual([
    [],
    [{ address: "a.b", text: "No request deleted the port: It remains." }],
  ]);
});

test("the error of a provisioner has neither its command nor its output", () => {
  const { errors } = logOf(recorded("terraform-tainted", "log.jsonl"));
  expect(errors).toEqual([
    { address: "kcloud_volume.data", text: "local-exec provisioner error: exit status 3" },
  ]);
});

test.each([
  ["add", "create"],
  ["change", "update"],
  ["remove", "delete"],
])("a log whose summary counts another number of %s is not the whole one", (name, action) => {
  const log = recorded("terraform-done", "log.jsonl").replace(
    new RegExp(`("${name}":)(\\d+)(?=[^\n]*"operation":"apply")`),
    "$19$2",
  );
  expect(logOf(log).problems).toEqual([
    expect.stringMatching(new RegExp(`^has \\d steps ${action}, and its summary counts 9\\d$`)),
  ]);
});

test("an invoked action has its result", () => {
  expect(logOf(recorded("terraform-action", "log.jsonl")).invocations).toEqual([
    { address: "action.kcloud_instance_restart.web", result: "failed" },
  ]);
  const [start = ""] = recorded("terraform-action", "log.jsonl")
    .split("\n")
    .filter((line) => line.includes('"action_start"'));
  expect(logOf(start).invocations).toEqual([
    { address: "action.kcloud_instance_restart.web", result: "open" },
  ]);
});

test("a log shows the end of its apply, or that it does not", () => {
  const ends = ["done", "failed", "interrupted", "deposed", "killed"].map(
    (scene) => logOf(recorded(`terraform-${scene}`, "log.jsonl")).end,
  );
  expect(ends).toEqual(["succeeded", "failed", "failed", "failed", undefined]);
  // An engine that is stopped at once writes an error while steps run.
  const stopped = recorded("terraform-killed", "log.jsonl").split("\n");
  const error =
    '{"@level":"error","type":"diagnostic","diagnostic":{"severity":"error","summary":"canceled"}}';
  const step = stopped.findLast((line) => line.includes("apply_start")) ?? "";
  expect(logOf([...stopped, error].join("\n")).end).toBe("failed");
  expect(logOf([...stopped, error, step].join("\n")).end).toBeUndefined();
});

test("the summary of a plan is no end of an apply", () => {
  const summary = (operation: string) =>
    `{"@level":"info","type":"change_summary","changes":{"add":1,"operation":"${operation}"}}`;
  expect(logOf(summary("plan")).end).toBeUndefined();
  expect(logOf(summary("apply")).end).toBe("succeeded");
  expect(logOf(summary("destroy")).end).toBe("succeeded");
});

test("several logs, and one without a beginning, are problems", () => {
  const text = recorded("terraform-done", "log.jsonl");
  expect(logOf(`${text}\n${text}`).problems).toEqual(["holds 2 logs"]);
  expect(logOf(text.split("\n").slice(1).join("\n")).problems).toEqual(["has no beginning"]);
});
