import { expect, test } from "@jest/globals";
import { term } from "../../provider/core/name.ts";
import type { Values } from "../../provider/core/value.ts";
import { plan } from "../../provider/engine/plan.ts";
import { resources } from "../../resources/index.ts";
import { openCloud, resource } from "../support/cloud.ts";
import { openProvider } from "../support/engine/provider.ts";
import { withDriver } from "../support/pulumi/driver.ts";

/** Tests the warnings of a delete or replacement that destroys data, wherever the engine can show a warning. */

const state = (values: Values, more = {}) => ({ id: "krn:1", task: undefined, values, unread: [], ...more });
const bootVolume = { imageKrn: "krn:image", sizeGb: 10, volumeType: "ssd" };

const losses: readonly (readonly [noun: string, values: Values, lost: string | undefined])[] = [
  ["volume", {}, "The data on the volume is destroyed; take a backup or a copy first."],
  ["instance", { bootVolume }, "The data on the boot volume is destroyed."],
  ["instance", { bootVolume, deleteOnTermination: false }, undefined],
  ["instance", { volumeId: "krn:volume" }, undefined],
  ["instance-batch", {}, "The data on the boot volumes of its instances is destroyed."],
  ["instance-batch", { deleteOnTermination: false }, undefined],
  ["image", {}, "The existing image is destroyed; instances created from it are not affected."],
  ["ai-pod", {}, "The data on the disks of the pod is destroyed."],
  ["vpc", {}, undefined],
];

test.each(losses)(
  "Terraform shows the warning in the plan of a destroy: %s %j",
  async (kind, values, lost) => {
    const provider = openProvider(openCloud());
    await provider.configure();
    const kept = { values: { id: "krn:1", name: "orders", ...values }, private: undefined, diagnostics: [] };
    expect((await provider.plan(kind, undefined, kept)).diagnostics).toEqual(
      lost === undefined
        ? []
        : [
            `warning: Deleting the ${term(kind)} "orders" destroys its data: The ${term(kind)} "orders" (krn:1): ${lost}`,
          ],
    );
  },
);

test("every warning and every refusal of a destroy names kind, name and id", async () => {
  const provider = openProvider(openCloud());
  await provider.configure();
  const warned = new Set<string>();
  for (const { name: kind, fields, idField = "id", holdsData } of resources) {
    const named = Object.hasOwn(fields, "name");
    const object = `he ${term(kind)}${named ? ' "orders"' : ""} (krn:1)`;
    const destroy = async (more: Values) => {
      const values = { id: "krn:1", [idField]: "krn:1", ...(named ? { name: "orders" } : {}), ...more };
      return (await provider.plan(kind, undefined, { values, private: undefined, diagnostics: [] }))
        .diagnostics;
    };
    for (const text of await destroy({})) {
      expect(text).toContain(`: T${object}: `);
      const titled = `he ${term(kind)} ${named ? '"orders"' : idField === "id" ? "(krn:1)" : '"krn:1"'}`;
      expect(text.split(": ")[1]).toContain(titled);
      warned.add((text.split(": ")[1] ?? "").replace(titled, "he …"));
    }
    if (holdsData !== undefined)
      expect(await destroy({ deletionProtection: true })).toEqual([
        expect.stringContaining(`deletion_protection: is on for t${object}. `),
      ]);
  }
  expect([...warned].toSorted()).toEqual([
    "Deleting the … destroys its data",
    "Deleting the … requires a one-time password",
    "The … will not be deleted",
  ]);
});

test("objects of equal name have different titles: Terraform merges warnings of equal title", async () => {
  const provider = openProvider(openCloud());
  await provider.configure();
  const titles: string[] = [];
  for (const [kind, values] of [
    ["volume", { id: "krn:1", name: "orders" }],
    ["volume", { id: "krn:2", name: "orders" }],
    ["volume", { id: "krn:1", name: "orders" }],
  ] as const) {
    const { diagnostics } = await provider.plan(kind, undefined, {
      values,
      private: undefined,
      diagnostics: [],
    });
    titles.push(...diagnostics.map((text) => text.split(": ")[1] ?? ""));
  }
  expect(titles).toEqual([
    'Deleting the volume "orders" destroys its data',
    'Deleting the volume "orders" (krn:2) destroys its data',
    'Deleting the volume "orders" destroys its data',
  ]);
});

test("a name and an id of the API reach the plan of a destroy without terminal escape sequences", async () => {
  const provider = openProvider(openCloud());
  await provider.configure();
  for (const deletionProtection of [false, true]) {
    const values = { id: "krn:\u009b31m1", name: "data\u202e\u009b31m", deletionProtection };
    const { diagnostics } = await provider.plan("volume", undefined, {
      values,
      private: undefined,
      diagnostics: [],
    });
    expect(diagnostics).toEqual([expect.stringContaining('he volume "data 31m" (krn: 31m1)')]);
  }
});

const lost = "The data on the volume is destroyed; take a backup or a copy first.";
const stored = { vpcId: "vpc-1", name: "data", sizeGb: 10, volumeType: "ssd", availabilityZone: "nova" };
const limited = { ...stored, qos: { iops: { readIopsSec: 5 } } };

test("a replacement warns of the lost data for each field that forces it", () => {
  for (const [before, after] of [
    [stored, limited],
    [limited, { ...limited, qos: { iops: { readIopsSec: 6 } } }],
  ] as const) {
    const { changes } = plan(resource("volume"), state(before), after);
    expect(changes.map(({ effect, reason }) => [effect, reason])).toEqual([["replace", lost]]);
  }
});

test("Pulumi shows the warning of a replacement in the preview, but asks no plugin about a delete", () =>
  withDriver(async (driver) => {
    await driver.diff("Volume", stored, limited);
    expect(driver.logged.map(({ message }) => message)).toEqual([
      `Changing qos replaces the object. ${lost}`,
    ]);
  }));
