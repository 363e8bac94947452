import { expect, test } from "@jest/globals";
import { terraformType } from "../../../provider/core/name.ts";
import type { Values } from "../../../provider/core/value.ts";
import { resourceShape } from "../../../provider/terraform/codec/schema.ts";
import { decodeRecord } from "../../../provider/terraform/codec/value.ts";
import { resources } from "../../../resources/index.ts";
import { readState } from "../../adapter/state-golden.ts";
import { openCloud } from "../../support/cloud.ts";
import { openProvider, texts } from "../../support/engine/provider.ts";

const { resources: ofAll } = await readState();
const stored = ofAll.flatMap(({ type, instances }) => instances.map((instance) => [type, instance] as const));

test.each(stored)(
  "a %s stored by the first version is read, and needs no change",
  async (typeName, instance) => {
    const resource = resources.find(({ name }) => terraformType(name) === typeName);
    if (resource === undefined) throw new Error(`no resource ${typeName}`);
    const provider = openProvider(openCloud());
    await provider.configure();
    const upgraded = await provider.one("upgradeResourceState", {
      typeName,
      version: instance.schema_version,
      rawState: { json: Buffer.from(JSON.stringify(instance.attributes)) },
    });
    expect(texts(upgraded.diagnostics)).toEqual([]);
    const values = decodeRecord(upgraded.upgradedState, resourceShape(resource)) ?? {};
    const { config } = await provider.one("generateResourceConfig", {
      typeName,
      state: upgraded.upgradedState,
    });
    const written: Values = {
      ...decodeRecord(config, resourceShape(resource)),
      timeouts: values.timeouts ?? null,
    };
    const state = { values, private: Buffer.from(instance.private ?? "", "base64"), diagnostics: [] };
    expect(await provider.plan(resource.name, written, state)).toMatchObject({
      values,
      replaces: [],
      diagnostics: [],
    });
  },
);

test("every resource has a recorded state", () => {
  expect([...new Set(stored.map(([type]) => type))].toSorted()).toEqual(
    resources.map(({ name }) => terraformType(name)).toSorted(),
  );
});
