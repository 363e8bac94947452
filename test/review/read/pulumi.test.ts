import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { outputsOf, reportOf } from "../render/outputs.ts";

/** Previews of the real Pulumi, recorded by `test/review/record.ts`, and variants with other steps. */

// biome-ignore lint/suspicious/noExplicitAny: the previews are changed in ways that no type allows.
type Any = any;

const text = (name: string): string => readFileSync(new URL(`../fixture/${name}`, import.meta.url), "utf8");

const changed = (change: (json: Any) => void) => {
  const json = JSON.parse(text("pulumi.json"));
  change(json);
  return readPlan("shop", JSON.stringify(json));
};

const stepOf = (json: Any, op: string, kind: string): Any =>
  json.steps.find((step: Any) => step.op === op && step.urn.includes(`:${kind}::`));

test.each(["pulumi-retained.json", "pulumi-retained-events.jsonl"])(
  "%s: an object with retainOnDelete is removed from the state, and stays in the cloud",
  (name) => {
    const report = reportOf([readPlan("shop", text(name))]);
    expect(report.changes.map(({ address, action }) => [address, action]).toSorted()).toEqual([
      ["kcloud:index:SshKey::gone", "delete"],
      ["kcloud:index:SshKey::kept", "forget"],
      ["kcloud:index:SshKey::renamed", "create"],
      ["kcloud:index:SshKey::renamed", "forget"],
    ]);
    const [created] = report.changes.filter(({ action }) => action === "create");
    expect([created?.name, created?.id, created?.order]).toEqual(["renamed-2", undefined, undefined]);
    expect(report.findings.filter(({ rule }) => rule === "SEC-04").map(({ name: key }) => key)).toEqual([
      "gone",
    ]);
  },
);

test.each(["pulumi-left-over.json", "pulumi-left-over-events.jsonl"])(
  "%s deletes the old object of an interrupted replacement",
  (name) => {
    const { changes, findings } = reportOf([readPlan("shop", text(name))]);
    expect(changes.map(({ action, name: key, isDeposed }) => [action, key, isDeposed])).toEqual([
      ["delete", "reports", true],
    ]);
    expect(findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(["SEC-01", "OPS-12"]));
  },
);

test.each(["pulumi-destroy.json", "pulumi-destroy-events.jsonl"])(
  "%s destroys a stack after a refresh, which is not drift",
  (name) => {
    const plan = readPlan("shop", text(name));
    const { changes, findings } = reportOf([plan]);
    expect(plan.purpose).toBe("change");
    expect(
      changes.filter(({ kind }) => kind === "ssh-key").map(({ action, name: key }) => [action, key]),
    ).toEqual([["delete", "one"]]);
    expect(findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(["SEC-04"]));
  },
);

test.each(["pulumi-renamed.json", "pulumi-renamed-events.jsonl"])(
  "%s: a rename by an alias is a move, with a replacement one replacement; addresses have the types of the parents",
  (name) => {
    const report = reportOf([readPlan("shop", text(name))]);
    const team = "shop:index:Team$kcloud:index:SshKey";
    expect(
      report.changes.map(({ address, action, order, previousAddress }) => [
        ...[address, action, order, previousAddress],
      ]),
    ).toEqual([
      [`${team}::second`, "replace", "create first", `${team}::first`],
      [`${team}::new`, "none", undefined, `${team}::old`],
    ]);
    expect(report.findings.map(({ rule }) => rule)).toEqual(["SEC-04"]);
  },
);

test("an object that a refresh reads before it is deleted is one object: the whole stack is deleted", () => {
  const json = JSON.parse(text("pulumi-destroy.json"));
  const [one] = json.steps.filter(({ op, urn }: Any) => op === "delete" && /SshKey/.test(urn));
  json.steps.push({ ...one, urn: `${one.urn.slice(0, -3)}two` });
  const report = reportOf([readPlan("shop", JSON.stringify(json))]);
  expect(report.plans[0]?.objects).toBe(2);
  expect(report.findings.filter(({ rule }) => rule === "OPS-07").map(({ severity }) => severity)).toEqual([
    "critical",
  ]);
});

test("an event log contains the drift that a refresh found, with changes and without", () => {
  const found = (name: string) => {
    const { purpose, gaps, drift } = readPlan("shop", text(name));
    const changed = drift
      .filter(({ action }) => action !== "none")
      .map(({ action, name: key }) => [action, key]);
    return [purpose, gaps, changed];
  };
  expect(found("pulumi-refresh-events.jsonl")).toEqual(["drift", [], [["delete", "two"]]]);
  expect(found("pulumi-refresh.json")).toEqual(["drift", [], [["delete", "two"]]]);
  expect(found("pulumi-destroy-events.jsonl")).toEqual(["change", [], [["delete", "two"]]]);
});

test("the old object of an interrupted replacement is deleted, with its data", () => {
  const plan = changed((json) => {
    const step = stepOf(json, "delete", "Volume");
    json.changeSummary.delete -= 1;
    step.op = "delete-replaced";
    step.oldState.delete = true;
  });
  const report = reportOf([plan]);
  const left = report.changes.filter(({ isDeposed }) => isDeposed);
  expect(left.map(({ action, kind }) => [action, kind])).toEqual([["delete", "volume"]]);
  const rules = report.findings.filter(({ address }) => address === left[0]?.address).map(({ rule }) => rule);
  expect(rules).toEqual(expect.arrayContaining(["DATA-01", "OPS-12"]));
});

test("a provider that changes is shown, without its key", () => {
  const state = { type: "pulumi:providers:kcloud", custom: true, id: "1" };
  const plan = changed((json) => {
    json.steps.push({
      op: "update",
      urn: "urn:pulumi:dev::proj::pulumi:providers:kcloud::other",
      oldState: { ...state, inputs: { region: "In-Bangalore-1", apiKey: "opensesame" } },
      newState: { ...state, inputs: { region: "In-Hyderabad-1", apiKey: "opensezame" } },
    });
  });
  const report = reportOf([plan]);
  const [provider] = report.changes.filter(({ type }) => type === "pulumi:providers:kcloud");
  expect(provider?.differences.map(({ name, before }) => [name, before.kind])).toEqual([
    ["region", "value"],
    ["apiKey", "sensitive"],
  ]);
  expect(Object.values(outputsOf(report)).join()).not.toMatch(/openses|opensez/);
});

test("secrets in the format of a state are secrets, in plain text or encrypted", () => {
  const secretOf = (content: object) => ({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    ...content,
  });
  const report = reportOf([
    changed((json) => {
      const { inputs } = stepOf(json, "create", "Volume").newState;
      inputs.metadata = {
        clear: secretOf({ plaintext: '"opensesame"' }),
        hidden: secretOf({ ciphertext: "v1:abcdef:ghijkl" }),
      };
      inputs.name = "copy of opensesame";
    }),
  ]);
  const shown = Object.values(outputsOf(report)).join();
  expect(shown).not.toMatch(/opense|v1:abcd/);
  const [created] = report.changes.filter(({ action }) => action === "create");
  const values = created?.differences.filter(({ name }) => name.startsWith("metadata"));
  expect(values?.map(({ after }) => after)).toEqual([
    { kind: "value", text: '{"clear":(sensitive),"hidden":(sensitive)}' },
  ]);
});

test.each([
  ['metadata["a\\d.x"]', ["metadata", "a\\d.x"]],
  ['metadata["a\\"b.c"][0]', ["metadata", 'a"b.c', 0]],
])("the path %s is parsed, even if its key is not JSON", (path, steps) => {
  const plan = changed((json) => {
    stepOf(json, "update", "Volume").detailedDiff = { [path]: { kind: "update" } };
  });
  const [update] = plan.changes.filter(({ action, type }) => action === "update" && /Volume/.test(type));
  expect(update?.changedPaths).toContainEqual(steps);
});

test("the name of a source file can be an invalid URL", () => {
  const plan = changed((json) => {
    for (const { newState } of json.steps) if (newState) newState.sourcePosition = "project:///100%.ts#3,1";
  });
  expect(plan.changes.map(({ source }) => source?.file)).toContain("100%.ts");
});

test("an unchanged object contradicts nothing by a value that the API set in a group, or by a masked one", () => {
  const { gaps } = changed((json) => {
    const urn = "urn:pulumi:dev::proj::kcloud:index:InstanceTemplate::template";
    const inputs = {
      name: "template",
      instanceType: "[secret]",
      bootVolume: { sizeGb: 10, volumeType: "ssd" },
    };
    const outputs = {
      ...{ name: "template", instanceType: "c1.small" },
      bootVolume: { sizeGb: 10, volumeType: "ssd", name: "template-volume" },
    };
    const state = { urn, custom: true, type: "kcloud:index:InstanceTemplate" };
    json.steps.push({
      ...{ op: "same", urn },
      oldState: { ...state, id: "template-1", inputs: outputs, outputs },
      newState: { ...state, inputs },
    });
  });
  expect(gaps).toEqual([]);
});
