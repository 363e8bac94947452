import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { reportOf } from "../render/outputs.ts";

/** The reader never ignores an unsupported part of a plan: such a plan cannot be reviewed. */

// biome-ignore lint/suspicious/noExplicitAny: the plans are changed in ways that no type allows.
type Any = any;

const text = (name: string): string => readFileSync(new URL(`../fixture/${name}`, import.meta.url), "utf8");

const verdictOf = (content: string) => {
  const { verdict, plans } = reportOf([readPlan("shop", content)]);
  return [verdict.code, plans[0]?.gaps.join("; ")];
};

const changed = (name: string, change: (json: Any) => void): string => {
  const json = JSON.parse(text(name));
  change(json);
  return JSON.stringify(json);
};

const plan = (change: (json: Any) => void): string => changed("terraform-1.16.0.json", change);

const preview = (change: (json: Any) => void): string => changed("pulumi.json", change);

const events = text("pulumi-events.jsonl").trim().split("\n");

/** Returns a log of these events, numbered. */
const logOf = (lines: readonly string[], change: (event: Any) => void = () => {}): string =>
  lines
    .map((line, sequence) => {
      const event = { ...JSON.parse(line), sequence };
      change(event);
      return JSON.stringify(event);
    })
    .join("\n");

test.each<readonly [string, string, RegExp]>([
  [
    "a plan without its changes",
    plan((json) => {
      json.resource_changes = undefined;
    }),
    /planned_values and resource_changes differ in 12 objects.*the plan omits 13 of the objects of the state/,
  ],
  [
    "a plan without one of its creates",
    plan((json) => {
      json.resource_changes = json.resource_changes.filter(
        ({ address }: Any) => address !== "kcloud_volume.queue",
      );
    }),
    /differ in 1 objects.*the plan omits 1 of the resources of the configuration/,
  ],
  [
    "a plan without one of its deletes",
    plan((json) => {
      json.resource_changes = json.resource_changes.filter(
        ({ address }: Any) => address !== "kcloud_volume.logs",
      );
    }),
    /^the plan omits 1 of the objects of the state/,
  ],
  [
    "a change whose action says that nothing changes",
    plan((json) => {
      for (const { change } of json.resource_changes)
        if (change.actions[0] === "update") change.actions = ["no-op"];
    }),
    /^its parts contradict each other: the values or the type of \S+ do not belong to its action/,
  ],
  [
    "a change that is hidden in the list of changes only",
    plan((json) => {
      for (const { change } of json.resource_changes)
        if (change.actions[0] === "update")
          Object.assign(change, { actions: ["no-op"], after: change.before });
    }),
    /^its parts contradict each other: planned_values and resource_changes differ in 3 objects$/,
  ],
  [
    "a replacement without its new object",
    plan((json) => {
      for (const { change } of json.resource_changes) if (change.actions.length === 2) change.after = null;
    }),
    /the values or the type of \S+ do not belong to its action/,
  ],
  [
    "a managed object that is read",
    plan((json) => {
      for (const { change } of json.resource_changes)
        if (change.actions[0] === "delete") change.actions = ["read"];
    }),
    /the values or the type of kcloud_volume.logs do not belong/,
  ],
  [
    "an object with the type of another one",
    plan((json) => {
      for (const row of json.resource_changes)
        if (row.address === "kcloud_volume.logs") row.type = "terraform_data";
    }),
    /the values or the type of kcloud_volume.logs do not belong/,
  ],
  [
    "an object of Pulumi that is the same, but has other values",
    logOf(events, ({ resourcePreEvent: event }) => {
      if (event?.metadata.op !== "same" || !event.metadata.urn.endsWith("SecurityGroupRule::https")) return;
      for (const values of [event.metadata.new.inputs, event.metadata.new.outputs])
        values.remoteIpPrefix = "::/0";
    }),
    /its parts contradict each other: kcloud:index:SecurityGroupRule::https is the same, but has other values/,
  ],
  [
    "a plan that can be applied, without effects",
    plan((json) => {
      json.resource_changes = [];
      json.prior_state = undefined;
      json.planned_values = {};
      json.configuration = {};
    }),
    /^the plan can be applied, but lists no effect$/,
  ],
  [
    "outputs that are not an object",
    plan((json) => {
      json.output_changes = [1];
    }),
    /^output_changes is not an object$/,
  ],
  [
    "an action whose name every object inherits",
    plan((json) => {
      json.resource_changes[0].change.actions = ["constructor"];
    }),
    /has an action that this version does not support: constructor$/,
  ],
  [
    "a step whose name every object inherits",
    preview((json) => {
      json.steps[1].op = "toString";
    }),
    /has a step that this version does not support: toString/,
  ],
  [
    "a preview without its steps",
    preview((json) => {
      json.steps = [];
    }),
    /^the preview counts 1 of the step create, and holds 0; the preview counts 2 of the step delete, and holds 0/,
  ],
  [
    "an event log without the events of deletes",
    logOf(events.filter((line) => !line.includes('"op":"delete"'))),
    /^the preview counts 2 of the step delete, and holds 0$/,
  ],
  [
    "an event log without the events of replacements, but with their parts",
    events.filter((line) => !line.includes('"op":"replace"')).join("\n"),
    /has a step of a replacement, but the replacement is missing/,
  ],
  [
    "an event log with an error of the engine",
    logOf([...events, '{"sequence":0,"timestamp":1,"errorEvent":{"error":"it failed"}}']),
    /ended with an error/,
  ],
  [
    "the log of an update",
    logOf(events, (event) => {
      if (event.summaryEvent) event.summaryEvent.isPreview = false;
    }),
    /^it is the log of an update, not of a preview$/,
  ],
  [
    "the log of an update whose events say so",
    logOf(events, (event) => {
      if (event.resourcePreEvent) event.resourcePreEvent.planning = false;
      if (event.summaryEvent) event.summaryEvent.isPreview = undefined;
    }),
    /^it is the log of an update, not of a preview$/,
  ],
  [
    "a cut log behind a whole one",
    [...events, ...events.slice(0, 40)].join("\n"),
    /it has several logs, or parts of one/,
  ],
  ["two logs", [...events, ...events].join("\n"), /it has several logs, or parts of one/],
  ["a log without its beginning", events.slice(31).join("\n"), /it has several logs, or parts of one/],
  [
    "a log without some events",
    events.filter((line) => !line.includes("RPC prepared")).join("\n"),
    /it has several logs, or parts of one/,
  ],
  [
    "a preview that failed",
    logOf(events, (event) => {
      if (event.summaryEvent) event.summaryEvent.result = "failed";
    }),
    /^the preview ended with "failed"$/,
  ],
  [
    "a preview without a summary",
    preview((json) => {
      json.changeSummary = undefined;
    }),
    /^the preview has no summary of its steps$/,
  ],
  [
    "a preview with more deletes than it counts",
    preview((json) => {
      json.changeSummary.delete = 1;
    }),
    /^the preview counts 1 of the step delete, and holds 2$/,
  ],
])("%s: exit 4", (_, content, gap) => {
  expect(verdictOf(content)).toEqual([4, expect.stringMatching(gap)]);
});

test("an object of Pulumi that is the same may record values that its import left empty", () => {
  const log = logOf(events, ({ resourcePreEvent: event }) => {
    if (event?.metadata.op !== "same" || !event.metadata.urn.endsWith("SecurityGroupRule::https")) return;
    const { old, new: next } = event.metadata;
    for (const values of [old.inputs, old.outputs, next.outputs]) values.remoteIpPrefix = undefined;
    for (const { outputs } of [old, next]) outputs.__unread = ["remoteIpPrefix"];
  });
  const read = readPlan("shop", log);
  expect(read.gaps).toEqual([]);
  expect(reportOf([read]).findings.filter(({ rule }) => rule === "OPS-15")).toMatchObject([
    { severity: "medium", address: "kcloud:index:SecurityGroupRule::https" },
  ]);
});

test("a reason with a name that every object inherits is ignored", () => {
  const { changes } = reportOf([
    readPlan(
      "shop",
      plan((json) => {
        for (const row of json.resource_changes) row.action_reason = "constructor";
      }),
    ),
  ]);
  expect(changes.filter(({ cause }) => cause !== undefined)).toEqual([]);
});

test("an event of an unsupported kind is listed as an unknown part", () => {
  const read = readPlan("shop", logOf([...events, '{"sequence":0,"timestamp":1,"laterEvent":{"urn":"a"}}']));
  expect([read.unknownParts, read.gaps]).toEqual([["laterEvent"], []]);
});

test("a resource that a plan of OpenTofu omits may be disabled: a warning names the number", () => {
  const { gaps, messages } = readPlan(
    "shop",
    changed("opentofu-1.12.6.json", (json) => {
      json.configuration.root_module.resources.push({ address: "kcloud_vpc.off", mode: "managed" });
    }),
  );
  expect(gaps).toEqual([]);
  expect(messages).toEqual([
    {
      level: "warning",
      text: "The plan omits 1 of the resources of the configuration: it was limited by -target, or they have enabled = false.",
    },
  ]);
});

test.each<readonly [string, string, RegExp]>([
  [
    "lines of plan -json",
    '{"@level":"info","@message":"Terraform 1.16.0"}\n{"@level":"info","@message":"a: Plan to create"}',
    /is the log of a command \(-json\).*show -json PLANFILE/,
  ],
  [
    "two plans in one stream",
    `${text("terraform-1.16.0.json")}\n${text("terraform-1.16.0.json")}`,
    /--in NAME=PATH/,
  ],
  [
    "the output for people",
    "Plan: 1 to add, 0 to change, 0 to destroy.",
    /pass the output of show -json PLANFILE/,
  ],
])("%s: the error says what to pass", (_, content, hint) => {
  expect(() => readPlan("shop", content)).toThrow(hint);
});

test("a plan of a destroy of an empty stack is complete", () => {
  const { gaps, changes } = readPlan(
    "shop",
    plan((json) => {
      Object.assign(json, { resource_changes: [], prior_state: {}, planned_values: { root_module: {} } });
      json.applyable = false;
    }),
  );
  expect([gaps, changes]).toEqual([[], []]);
});

test("a resource or module with a for_each that the plan does not show is listed by its instances, or has none", () => {
  const { gaps } = readPlan(
    "shop",
    plan((json) => {
      const { root_module: root } = json.configuration;
      root.resources.push({
        ...{ address: "kcloud_vpc.each", mode: "managed", type: "kcloud_vpc", name: "each" },
        expressions: { name: { references: ["each.value"] } },
      });
      const change = { actions: ["create"], before: null, after: { name: "a" }, after_unknown: {} };
      const row = { mode: "managed", type: "kcloud_vpc", name: "set" };
      const address = 'module.net["a"].kcloud_vpc.set["b"]';
      json.resource_changes.push({ ...row, address, module_address: 'module.net["a"]', change });
      json.planned_values.root_module.child_modules = [
        { address: 'module.net["a"]', resources: [{ ...row, address, values: { name: "a" } }] },
      ];
      root.module_calls = { net: { module: { resources: [{ ...row, address: "kcloud_vpc.set" }] } } };
    }),
  );
  expect(gaps).toEqual([]);
});

const recorded = readdirSync(new URL("../fixture", import.meta.url))
  .filter((name) => /\.jsonl?$/.test(name) && !/errored|targeted/.test(name))
  .concat("dynamic/preview.json", "dynamic/events.jsonl");

test.each(recorded)("%s, as a real engine wrote it, has no gap", (name) => {
  expect(readPlan("shop", text(name)).gaps).toEqual([]);
});
