import { expect, test } from "@jest/globals";
import { everything } from "../../account/filter.ts";
import type { AccountObject } from "../../account/object.ts";
import { ForeignStateError, orphansAmong, readOrphans } from "../../account/orphans.ts";
import type { StateFile } from "../../account/state/recorded.ts";
import type { Values } from "../../provider/core/value.ts";
import { readOnly } from "../../provider/engine/engine.ts";
import { resources } from "../../resources/index.ts";
import { openCloud, resource, settle } from "../support/cloud.ts";
import { createStack, openAccount, shop } from "./account.ts";

const account = await openAccount();
await settle(account.cloud);

/** Returns the state with the objects of these items. */
const stateOf = (names: readonly string[]): StateFile => ({
  engine: "terraform",
  objects: shop
    .filter(({ name }) => names.includes(name))
    .map(({ name, resource: kind }) => ({
      address: `kcloud_${kind}.${name}`,
      resource: resource(kind),
      state: account.states.get(name) ?? { id: undefined, task: undefined, values: {}, unread: [] },
      dependsOn: [],
    })),
  gaps: [],
});

/** Items that the account has and a listing shows. */
const items = shop.map(({ name }) => name);

/** Returns the orphans of the account, of which the states have these items. */
async function orphans(names: readonly string[], now?: number) {
  const session = readOnly(account.cloud.reopen());
  const inventory = await account.read({}, session);
  return orphansAmong(session, inventory, [stateOf(names)], now);
}

const described = ({ orphans: all }: Awaited<ReturnType<typeof orphans>>) =>
  all.map(({ object: { resource: kind, name, id } }) => `${kind.name}${name === id ? "" : ` ${name}`}`);

test("an account whose objects are all in a state has no orphans, also of objects that the API made with others", async () => {
  expect(described(await orphans(items))).toEqual([]);
});

test.each<[string, string[]]>([
  ["orders", ["volume orders"]],
  ["web", ["instance web", "volume web-volume"]],
  [
    "workers",
    [
      "volume worker-volume",
      "volume worker-volume",
      "instance workers-1",
      "instance workers-2",
      "instance-batch workers",
    ],
  ],
  ["shop", ["vpc shop"]],
  ["desk", ["subnet desk"]],
  ["back", ["subnet back"]],
  ["staff", ["security-group staff"]],
  ["rule", ["security-group-rule"]],
  ["shelf", ["volume-attachment"]],
  ["idle", ["port idle"]],
  // No response shows that the port is that of the address.
  ["moved", ["floating-ip 198.18.0.1", "port moved"]],
  ["reserved", ["floating-ip reserved"]],
  ["office", ["bucket-policy"]],
  ["old", ["lifecycle-rule old"]],
  ["golden", ["image golden"]],
  ["key", ["access-key"]],
])("without %s in a state, the orphans are %j", async (missing, expected) => {
  const found = await orphans(items.filter((name) => name !== missing));
  expect(described(found).toSorted()).toEqual(expected.toSorted());
});

test("a port with the name of an address is an orphan, unless it is the one that a moved address left behind", async () => {
  const { cloud, read, states } = await openAccount();
  const portNames = async () => {
    await settle(cloud);
    const session = readOnly(cloud.reopen());
    const recorded = shop.map(({ name, resource: kind }) => ({
      address: `kcloud_${kind}.${name}`,
      resource: resource(kind),
      state: states.get(name) ?? { id: undefined, task: undefined, values: {}, unread: [] },
      dependsOn: [],
    }));
    const state = { engine: "terraform" as const, objects: recorded, gaps: [] };
    return described(orphansAmong(session, await read({}, session), [state], Number.MAX_SAFE_INTEGER));
  };
  expect(await portNames()).toEqual([]);
  const { vpcId, subnetId } = states.get("idle")?.values ?? {};
  const securityGroups = [states.get("staff")?.id ?? ""];
  const copies = ["copy-1", "copy-2"].map((name) => ({ vpcId, subnetId, securityGroups, name }) as Values);
  for (const copy of copies) await cloud.run(cloud.create("port", copy));
  const rename = (name: string, other: string) => {
    const port = cloud.emulator.inventory.list().find((item) => item.kind === "port" && item.name === name);
    cloud.emulator.inventory.change(port?.krn ?? "", { name: other });
  };
  rename("copy-1", "reserved");
  rename("copy-2", "moved");
  // Nothing shows which of the two ports of the name "moved" the address left behind.
  expect(await portNames()).toEqual(["port moved", "port moved", "port reserved"]);
});

test("the groups of a port in a state do not make the port known", async () => {
  const session = readOnly(account.cloud.reopen());
  const inventory = await account.read({}, session);
  const id = account.ids.get("idle") ?? "";
  const groups = {
    address: "kcloud_port_security_groups.idle",
    resource: resource("port-security-groups"),
    state: { id, task: undefined, values: { portId: id, securityGroups: [] }, unread: [] },
    dependsOn: [],
  };
  const state = stateOf(items.filter((name) => name !== "idle"));
  const found = orphansAmong(session, inventory, [{ ...state, objects: [...state.objects, groups] }]);
  expect(described(found)).toEqual(["port idle"]);
});

test("an orphan has its age, the objects that refer to it, and its import id", async () => {
  const { orphans: all } = await orphans(items.filter((name) => name !== "shop"));
  expect(all).toMatchObject([
    {
      importId: account.ids.get("shop"),
      referrers: expect.arrayContaining([expect.objectContaining({ name: "orders" })]),
    },
  ]);
  const [volume] = (await orphans(items.filter((name) => name !== "orders"))).orphans;
  expect(volume).toMatchObject({
    object: { createdAt: expect.any(Number) },
    referrers: [{ resource: { name: "volume-attachment" } }],
    importId: `${account.ids.get("shop")},${account.ids.get("orders")}`,
  });
});

test("an object that is younger than settle_seconds is no orphan yet", async () => {
  const created =
    (await orphans(items.filter((name) => name !== "orders"))).orphans[0]?.object.createdAt ?? 0;
  const found = await orphans(
    items.filter((name) => name !== "orders"),
    created + 1_000,
  );
  expect(described(found)).toEqual([]);
  expect(found.young.map(({ name }) => name)).toEqual(["orders"]);
});

test("a time of creation in the far future does not make an object young", async () => {
  const all = items.filter((name) => name !== "orders");
  const created = (await orphans(all)).orphans[0]?.object.createdAt ?? 0;
  const names = async (now: number) => described(await orphans(all, now));
  expect(await names(created - 3_000)).toEqual([]);
  expect(await names(created - 3_600_000)).toEqual(["volume orders"]);
});

test("one group named default may be made by the API, and is counted; of two in a VPC, each is an orphan", async () => {
  const vpcId = { ref: "shop", property: "id" };
  const group = (name: string) => ({ name, resource: "security-group", inputs: { vpcId, name } });
  const { cloud, read } = await openAccount([...shop.slice(0, 1), group("default"), group("other")]);
  await settle(cloud);
  const found = async () => {
    const session = readOnly(cloud.reopen());
    const result = orphansAmong(session, await read({}, session), [], Number.MAX_SAFE_INTEGER);
    const isGroup = ({ resource: { name } }: AccountObject) => name === "security-group";
    return [result.orphans.filter(({ object }) => isGroup(object)).length, result.defaultGroups.length];
  };
  expect(await found()).toEqual([1, 1]);
  const other = cloud.emulator.inventory.list().find(({ name }) => name === "other");
  cloud.emulator.inventory.change(other?.krn ?? "", { name: "default" });
  expect(await found()).toEqual([2, 0]);
});

test("a state of another account or of another region is refused", async () => {
  const session = readOnly(account.cloud.reopen());
  const inventory = await account.read({}, session);
  const compare = (id: string, region: string) => () =>
    orphansAmong(session, inventory, [
      {
        ...stateOf([]),
        objects: [
          {
            address: "kcloud_vpc.a",
            resource: resource("vpc"),
            state: { id, task: undefined, values: { region }, unread: [] },
            dependsOn: [],
          },
        ],
      },
    ]);
  const own = account.ids.get("shop") ?? "";
  expect(compare(own.replace(/:\d{12}:/, ":123456789012:"), "In-Bangalore-1")).toThrow(ForeignStateError);
  expect(compare(own, "In-Hyderabad-1")).toThrow(/the listing is that of In-Bangalore-1/);
});

test.each([
  ["volume", ["volume worker-volume", "volume worker-volume"]],
  ["instance-batch", ["instance-batch workers"]],
])(
  "of the kind %s, the orphans and their referrers are those of the whole account",
  async (kind, expected) => {
    const session = readOnly(account.cloud.reopen());
    const { orphans: all } = await account.cloud.run(
      readOrphans(
        session,
        { resources, filter: { ...everything, kinds: [kind] }, stop: account.cloud.call.stop },
        [stateOf(items.filter((name) => name !== "workers"))],
      ),
    );
    expect(all.map(({ object }) => `${object.resource.name} ${object.name}`)).toEqual(expected);
    if (kind === "volume") expect(all.map(({ referrers }) => referrers.length)).toEqual([1, 1]);
  },
);

test("a part of an object of another kind is no orphan of the selected kind", async () => {
  const session = readOnly(account.cloud.reopen());
  const { orphans: all, selection } = await account.cloud.run(
    readOrphans(
      session,
      {
        resources,
        filter: { ...everything, kinds: ["volume", "subnet", "port"] },
        stop: account.cloud.call.stop,
      },
      [stateOf(items)],
    ),
  );
  expect(all).toEqual([]);
  expect(new Set(selection.objects.map(({ resource: { name } }) => name))).toEqual(
    new Set(["subnet", "port", "volume"]),
  );
});

test("a batch whose instances are all in a state, as after an export, is no orphan", async () => {
  const session = readOnly(account.cloud.reopen());
  const inventory = await account.read({}, session);
  const state = stateOf(items.filter((name) => name !== "workers"));
  const members = inventory.objects
    .filter(({ name }) => /^work(ers-\d|er-volume)$/.test(name))
    .map(({ resource: kind, name, id, state: values }) => ({
      address: `kcloud_${kind.name}.${name}`,
      resource: kind,
      state: { ...values, id },
      dependsOn: [],
    }));
  const all = { ...state, objects: [...state.objects, ...members] };
  expect(described(orphansAmong(session, inventory, [all]))).toEqual([]);
});

test("an object is young, too, if all responses are those of an interrupted run; no request is then sent", async () => {
  const { cloud } = await openAccount([shop[0], shop[4]].filter((item) => item !== undefined));
  const results = new Map<string, unknown>();
  const journal = {
    get: (key: string) => results.get(key),
    put: (key: string, result: unknown) => results.set(key, result),
  };
  const youngNames = async () => {
    const options = { resources, filter: everything, journal, stop: cloud.call.stop };
    const { orphans: all, young } = await cloud.run(
      readOrphans(readOnly(cloud.reopen()), options, [stateOf([])]),
    );
    return [all.map(({ object }) => object.name), young.map(({ name }) => name)];
  };
  const first = await youngNames();
  const sent = cloud.emulator.log.entries().length;
  expect([await youngNames(), cloud.emulator.log.entries().length]).toEqual([first, sent]);
  expect(first[1]).toContain("orders");
});

test("1,000 objects in 10 VPCs need at most 150 requests, whatever part of them a state has", async () => {
  const cloud = openCloud({ taskMs: 0 });
  const names = Array.from({ length: 10 }, (_, index) => `vpc-${index}`);
  const stack = names.flatMap((name) => [
    { name, resource: "vpc", inputs: { name, primarySubnet: { name: "first", cidr: "10.0.0.0/16" } } },
    ...Array.from({ length: 98 }, (_, index) => ({
      name: `${name}-${index}`,
      resource: "security-group",
      inputs: { vpcId: { ref: name, property: "id" }, name: `group-${index}` },
    })),
  ]);
  const states = [...(await createStack(cloud, stack))];
  await settle(cloud);
  // The time of the API has whole seconds.
  await cloud.run(cloud.session.ports.clock.sleep(1_000));
  const objects = states.slice(0, 700).map(([name, state]) => ({
    ...{ address: name, resource: resource(name.split("-").length === 2 ? "vpc" : "security-group"), state },
    dependsOn: [],
  }));
  // The log has a maximum length.
  cloud.emulator.log.clear();
  const options = { resources, filter: everything, stop: cloud.call.stop };
  const { orphans: all } = await cloud.run(
    readOrphans(readOnly(cloud.reopen()), options, [{ engine: "terraform", objects, gaps: [] }]),
  );
  // The primary subnet of an orphan is made with its VPC.
  expect(all).toHaveLength(states.length - objects.length);
  const requests = cloud.emulator.log.entries().length;
  expect(requests).toBeGreaterThan(50);
  expect(requests).toBeLessThanOrEqual(150);
});
