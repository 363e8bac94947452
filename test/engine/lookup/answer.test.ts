import { expect, test } from "@jest/globals";
import type { Values } from "../../../provider/core/value.ts";
import { createEveryKind, type Made, openEveryKind } from "../../support/every-kind.ts";
import { find } from "../../support/lookup.ts";

test.each<[string, string, string]>([
  ["vpc", "get_vpc", "krn"],
  ["subnet", "get_vpc", "cidr"],
  ["volume", "list_volumes", "size"],
  ["bucket", "list_buckets", "versioning"],
  ["instance-template", "list_templates", "volume_size"],
])("a lookup of a %s has the same result if one response (%s) lacks %s", async (kind, target, field) => {
  const cloud = openEveryKind();
  const { state } = (await createEveryKind(cloud)).find((one) => one.kind === kind) as Made;
  const of: Values = kind === "subnet" || kind === "volume" ? { vpcId: state.values.vpcId ?? "" } : {};
  const ask = () => find(cloud, kind, { ...of, id: state.id ?? "" }, cloud.reopen());
  const whole = await ask();
  cloud.emulator.faults.add({ target, kind: "missing-field", field, times: 1 });
  expect(await ask()).toEqual(whole);
});

test("a lookup of all volumes has the same result if one response lacks the name or the id of an object", async () => {
  const cloud = openEveryKind();
  const { state } = (await createEveryKind(cloud)).find(({ kind }) => kind === "volume") as Made;
  const inputs: Values = { vpcId: state.values.vpcId ?? "", name: state.values.name ?? "" };
  const ask = () => find(cloud, "volumes", inputs, cloud.reopen());
  const whole = await ask();
  expect(whole.volumes).toHaveLength(1);
  for (const field of ["name", "id", "krn"]) {
    cloud.emulator.faults.add({ target: "list_volumes", kind: "missing-field", field, times: 1 });
    expect(await ask()).toEqual(whole);
  }
});
