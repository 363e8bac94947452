import { expect, test } from "@jest/globals";
import { outputsOf, reportOf } from "../render/outputs.ts";
import { type Any, changed } from "./changed.ts";

const stepOf = (json: Any, op: string, kind: string): Any =>
  json.steps.find((step: Any) => step.op === op && step.urn.includes(`:${kind}::`));

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
