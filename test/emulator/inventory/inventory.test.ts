import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { makeScenario } from "../../../emulator/cli/scenario.ts";
import {
  formKinds,
  InvalidInventoryError,
  parseInventory,
  readInventory,
  transientKinds,
} from "../../../emulator/inventory/inventory.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { resource } from "../../support/cloud.ts";
import { createEveryKind, openEveryKind } from "../../support/every-kind.ts";
import { cloud, region } from "../client.ts";

const folder = mkdtempSync(join(tmpdir(), "kcloud-inventory-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes an object as JSON and reads it again, as a file does. */
const written = (value: object) => parseInventory(JSON.parse(JSON.stringify(value)));

test("a provider reads the same objects from an emulator and from another one that began with its snapshot", async () => {
  const first = openEveryKind();
  const made = await createEveryKind(first);
  const second = openEveryKind({ seed: "another" });
  await second.run(second.session.ports.clock.sleep(first.elapsed() - second.elapsed()));
  second.emulator.load(written(first.emulator.snapshot()));
  for (const { kind, state } of made) {
    const read = (from: typeof first) =>
      from.run(engine.read(from.reopen(), resource(kind), state, from.call));
    expect([kind, await read(second)]).toEqual([kind, await read(first)]);
  }
});

test("every stored kind has a form, except sessions, keys of users and records of requests", async () => {
  const world = openEveryKind();
  await createEveryKind(world);
  const kinds = new Set<string>(world.emulator.inventory.list().map(({ kind }) => kind));
  const forms = new Set<string>(formKinds);
  expect([...kinds].filter((kind) => !forms.has(kind)).toSorted()).toEqual(
    transientKinds.filter((kind) => kinds.has(kind)).toSorted(),
  );
});

test("the snapshot of an emulator that began with an inventory is the same inventory", async () => {
  const emulator = cloud();
  await makeScenario("existing-account", { emulator, region, advance: emulator.clock.advance });
  const { time: _, objects } = emulator.snapshot();
  const other = cloud({ seed: "another" });
  await other.clock.advance(emulator.clock.now() - other.clock.now());
  other.load(written(emulator.snapshot()));
  expect(other.snapshot().objects).toEqual(objects);
});

test("an object created after the start has an id that no object of the inventory has", async () => {
  const emulator = cloud();
  const vpc = () => emulator.call("POST /v1/highlvlvpc/create_vpc_async", { body: vpcBody });
  await vpc();
  await emulator.clock.advance(2_000);
  const before = emulator.snapshot().objects.map(({ krn }) => krn);
  emulator.load(written(emulator.snapshot()));
  await vpc();
  await emulator.clock.advance(2_000);
  const after = emulator.snapshot().objects.map(({ krn }) => krn);
  expect(after).toHaveLength(2 * before.length);
  expect(new Set(after).size).toBe(after.length);
});

const vpcBody = { vpc: { name: "net" }, network: { name: "net" }, subnet: {} };

const net =
  "krn:vpc:In-Pune-9:12:00000000-0000-4000-8000-000000000001:vpc:00000000-0000-4000-8000-00000000000a";
const time = "2025-12-31T23:00:00Z";

test("an inventory written by hand needs few fields; account and regions are those of the file", async () => {
  const emulator = cloud();
  emulator.load(
    written({ version: 1, time, account: "12", objects: [{ kind: "vpc", krn: net, name: "net" }] }),
  );
  const { status, body } = await emulator.call(`GET /v1/highlvlvpc/describe_vpc?vpc_id=${net}`, {
    headers: { "x-region": "In-Pune-9" },
  });
  expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining(net)]);
  expect(emulator.settings().account).toBe("12");
  expect(emulator.inventory.list()).toEqual([
    expect.objectContaining({ krn: net, region: "In-Pune-9", createdAt: Date.parse(time) }),
  ]);
});

const vpcRow = { kind: "vpc", krn: net, name: "net" };
const volumeRow = {
  ...{
    kind: "volume",
    krn: net.replaceAll("vpc", "kbs"),
    name: "data",
    size: 10,
    volumeType: "ssd",
    vpc: net,
  },
};

test.each<[string, object, string]>([
  ["another version", { version: 2, time, objects: [] }, "version: Invalid input: expected 1"],
  ["no time", { version: 1, objects: [] }, "time: Invalid input"],
  [
    "an unknown kind",
    { version: 1, time, objects: [{ kind: "router", krn: net, name: "r" }] },
    "objects.0.kind",
  ],
  [
    "an unknown field",
    { version: 1, time, objects: [{ ...vpcRow, owner: "me" }] },
    'objects.0 (vpc "net"): Unrecognized key: "owner"',
  ],
  [
    "a wrong KRN",
    { version: 1, time, objects: [{ ...vpcRow, krn: "net" }] },
    'objects.0.krn (vpc "net"): must be a KRN',
  ],
  [
    "a time without a zone",
    { version: 1, time, objects: [{ ...vpcRow, createdAt: "yesterday" }] },
    'objects.0.createdAt (vpc "net"): must be a time',
  ],
  ["a repeated KRN", { version: 1, time, objects: [vpcRow, vpcRow] }, `objects.1.krn: ${net} is repeated`],
  [
    "a reference to nothing",
    { version: 1, time, objects: [volumeRow] },
    `objects.0.vpc: no vpc ${net} in the inventory`,
  ],
  [
    "a reference to another kind",
    { version: 1, time, objects: [vpcRow, { ...volumeRow, vpc: volumeRow.krn }] },
    `objects.1.vpc: no vpc ${volumeRow.krn} in the inventory`,
  ],
  [
    "many problems",
    { version: 1, time, objects: Array.from({ length: 14 }, (_, i) => ({ ...vpcRow, krn: `${i}` })) },
    "and 4 more",
  ],
])("rejected, with the path: %s", (_, inventory, text) => {
  expect(() => written(inventory)).toThrow(InvalidInventoryError);
  expect(() => written(inventory)).toThrow(text);
});

test("a file that is missing, truncated or of another kind is named", () => {
  const file = join(folder, "inventory.json");
  expect(() => readInventory(file)).toThrow(`the inventory ${file} cannot be used: ENOENT`);
  writeFileSync(file, '{"version": 1, "obj');
  expect(() => readInventory(file)).toThrow(
    `the inventory ${file} cannot be used: it is not JSON, or is truncated`,
  );
  writeFileSync(file, "[]");
  expect(() => readInventory(file)).toThrow(`the inventory ${file} cannot be used: `);
});
