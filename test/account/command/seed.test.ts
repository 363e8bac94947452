import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { seedFromStates } from "../../../account/command/seed.ts";
import { krnOf } from "../../emulator/inventory/sample.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-seed-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, json: object | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof json === "string" ? json : JSON.stringify(json));
  return path;
}

const vpc = krnOf("vpc", "vpc", 1);
const terraform = {
  ...{ version: 4, terraform_version: "1.16.0" },
  resources: [
    {
      ...{ mode: "managed", type: "kcloud_vpc", name: "net" },
      provider: 'provider["registry.terraform.io/kcloud/kcloud"]',
      instances: [{ attributes: { id: vpc, name: "net", region: "In-Bangalore-1" } }] as object[],
    },
  ],
};
const pulumi = {
  version: 3,
  deployment: {
    manifest: { version: "3.259.0" },
    resources: [
      {
        ...{ urn: "urn:pulumi:dev::p::kcloud:index:Volume::data", type: "kcloud:index:Volume", custom: true },
        id: krnOf("kbs", "volume", 2),
        outputs: { vpcId: vpc, name: "data", sizeGb: 10, volumeType: "ssd", region: "In-Bangalore-1" },
      },
    ],
  },
};

test("several states of both engines make one seed", async () => {
  const seed = seedFromStates(
    [await file("terraform.tfstate", terraform), await file("stack.json", pulumi)],
    [],
  );
  expect(seed).toMatchObject({
    inventory: { objects: [{ kind: "network" }, { kind: "volume", vpc }, { kind: "vpc", name: "net" }] },
    assumed: [expect.stringContaining("network")],
  });
});

test.each([
  ["half.json", '{"version": 4, "resour', "is not JSON, or is truncated"],
  ["old.json", JSON.stringify({ ...terraform, version: 3 }), "is a state of version 3"],
  ["encrypted.json", JSON.stringify({ encrypted_data: "…" }), "is encrypted"],
  ["plan.json", JSON.stringify({ planned_values: {} }), "is a plan, not a state"],
])("a file that cannot be used is named: %s", async (name, text, problem) => {
  expect(seedFromStates([await file(name, text)], [])).toEqual({
    problem: expect.stringMatching(new RegExp(`${name} .*${problem}`)),
  });
});

test.each<[string, object, string]>([
  [
    "an object without an id",
    { resources: [{ ...terraform.resources[0], instances: [{ attributes: {} }] }] },
    "has no id",
  ],
  ["resources that are no list", { resources: {} }, "resources is not a list of objects"],
])("a state that may have more objects makes no seed: %s", async (_, more, gap) => {
  const path = await file("gap.tfstate", { ...terraform, ...more });
  expect(seedFromStates([path], [])).toEqual({
    problem: expect.stringMatching(new RegExp(`gap.tfstate may have objects that cannot be read: .*${gap}`)),
  });
});
