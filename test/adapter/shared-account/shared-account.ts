import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createEmulator, type Emulator } from "../../../emulator/emulator.ts";
import { make } from "../../support/large-account.ts";
import { leftover } from "../../support/leftover.ts";
import { received } from "../../support/received.ts";
import type { Adapter, Item, Stack, Workspace } from "../adapter.ts";
import { environment } from "../lifecycle/lifecycle.ts";

/** Real engines with an account that others use at the same time, and with lost responses. */

interface Setting {
  readonly emulator: Emulator;
  readonly url: string;
  /** Opens one more working folder on the same account. */
  open(more?: Readonly<Record<string, string>>): Promise<Workspace>;
  /** Serves another emulator at the address. */
  serveOther(other: Emulator): Promise<void>;
}

async function withAccount(
  adapter: Adapter,
  settleSeconds: number,
  work: (setting: Setting) => Promise<void>,
): Promise<void> {
  const emulator = createEmulator({ taskMs: 50 });
  let server = await emulator.listen();
  const port = Number(new URL(server.url).port);
  const folder = await mkdtemp(join(tmpdir(), "kcloud-shared-"));
  const settings = { ...environment(server.url), SERVICE_SETTLE_SECONDS: String(settleSeconds) };
  try {
    await work({
      emulator,
      url: server.url,
      open: async (more = {}) => adapter.open(await mkdtemp(join(folder, "work-")), { ...settings, ...more }),
      async serveOther(other) {
        await server.close();
        server = await other.listen({ port });
      },
    });
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const of = (ref: string) => ({ ref, property: "id" });
const network: Item = { name: "net", resource: "vpc", inputs: { name: "net" } };
const volumeOf = (vpcId: Item["inputs"][string], more: Item["inputs"] = {}): Item => ({
  name: "data",
  resource: "volume",
  inputs: { vpcId, name: "data", sizeGb: 10, volumeType: "ssd", ...more },
});

/** Returns a template and batches of it; `counts` has the number of instances by name. */
const batches = (counts: Readonly<Record<string, number>>): Stack => [
  { name: "meadow", resource: "subnet", inputs: { vpcId: of("net"), name: "a", cidr: "10.0.1.0/24" } },
  { name: "fence", resource: "security-group", inputs: { vpcId: of("net"), name: "fence" } },
  {
    name: "mould",
    resource: "instance-template",
    inputs: {
      ...{ name: "mould", vpcId: of("net"), subnetId: of("meadow"), securityGroups: [of("fence")] },
      ...{ instanceType: "c1.small", sshkeyName: "demo-key" },
      bootVolume: {
        imageKrn: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
        ...{ sizeGb: 10, volumeType: "ssd" },
      },
    },
  },
  ...Object.entries(counts).map(([name, machineCount]) => ({
    name: `batch-${name}`,
    resource: "instance-batch",
    inputs: { vpcId: of("net"), name, templateId: of("mould"), machineCount },
  })),
];
const bucket = (name: string): Item => ({ name, resource: "bucket", inputs: { name: `${name}-store` } });
const file = (name: string, bucketId: string, key: string): Item => ({
  name,
  resource: "object",
  inputs: { bucketId: of(bucketId), key, content: name },
});

const existing = (emulator: Emulator, ofKind: string) =>
  emulator.inventory.list().filter(({ kind, deletingAt }) => kind === ofKind && deletingAt === undefined);
const krns = (emulator: Emulator, ofKind: string) => existing(emulator, ofKind).map(({ krn }) => krn);

async function applied(workspace: Workspace, stack: Stack): Promise<void> {
  await workspace.write(stack);
  const { ok, output } = await workspace.apply();
  if (!ok) throw new Error(output);
}

/** Returns a text without the borders and line breaks of an engine. */
const flat = (output: string) => output.replace(/[│╷╵]/g, "").replace(/\s+/g, " ");

export function testSharedAccount(adapter: Adapter): void {
  describe(`${adapter.name} in a shared account`, () => {
    test("two concurrent applies of one name never manage one object: a name that must be unique is rejected with its import command", () =>
      withAccount(adapter, 1, async ({ emulator, url, open }) => {
        const { net } = await make([network], url);
        const vpcId = net?.id ?? "";
        const runs = await Promise.all(
          [10, 20].map(async (sizeGb) => {
            const workspace = await open();
            const bucket: Item = { name: "store", resource: "bucket", inputs: { name: "one-name" } };
            await workspace.write([volumeOf(vpcId, { sizeGb }), bucket]);
            return workspace;
          }),
        );
        // Both requests are sent before the first response, unless one run starts much later and finds the volume of the other.
        emulator.faults.add({ target: "create_bucket", kind: "delay", delayMs: 1_500, when: "after" });
        emulator.faults.add({ target: "create_volume", kind: "delay", delayMs: 1_500, when: "after" });
        const results = await Promise.all(runs.map((workspace) => workspace.apply()));
        const refused = results.filter(({ ok }) => !ok).map(({ output }) => flat(output));
        expect(refused.join()).toMatch(/import .*krn:kos:/i);
        for (const output of refused) expect(output).toMatch(/import .*krn:(kos|kbs):/i);
        const ids = await Promise.all(runs.map((workspace) => workspace.ids()));
        expect(ids.flatMap(({ data = [] }) => data).toSorted()).toEqual(krns(emulator, "volume").toSorted());
        expect(ids.flatMap(({ store = [] }) => store)).toEqual(krns(emulator, "bucket"));
        // A run whose create was rejected destroys only its own objects.
        const at = results.findIndex(({ ok }) => !ok);
        expect((await (runs[at] as Workspace).destroy()).ok).toBe(true);
        const { data, store } = ids[1 - at] ?? {};
        const left = [existing(emulator, "volume").length, existing(emulator, "bucket").length];
        expect(left).toEqual([data, store].map((id) => (id === undefined ? 0 : 1)));
      }));

    test("another user's new volume of that name is neither recorded nor deleted after a create with a lost response", () =>
      withAccount(adapter, 5, async ({ emulator, url, open }) => {
        const workspace = await open();
        await applied(workspace, [network]);
        const { net = "" } = await workspace.ids();
        emulator.faults.add({ target: "create_volume", kind: "reset", times: 1 });
        await workspace.write([network, volumeOf(of("net"))]);
        const failing = workspace.apply();
        await received(emulator, "create_volume");
        const { data } = await make([volumeOf(net, { sizeGb: 500 })], url);
        const { ok, output } = await failing;
        expect([ok, flat(output)]).toEqual([false, expect.stringContaining("may exist")]);
        expect(flat(output)).toContain("so it may have been created by someone else");
        expect(await workspace.ids()).toEqual({ net });
        await applied(workspace, [network, volumeOf(of("net"), { name: "data-2" })]);
        const own = (await workspace.ids()).data;
        expect(krns(emulator, "volume").toSorted()).toEqual([own, data?.id].toSorted());
        await applied(workspace, [network]);
        expect(krns(emulator, "volume")).toEqual([data?.id]);
      }));

    test("no plan changes an unchanged object: an empty group, responses without a field, a 404 of a gateway", () =>
      withAccount(adapter, 20, async ({ emulator, open }) => {
        const rest: Stack = [
          network,
          { name: "store", resource: "bucket", inputs: { name: "store" } },
          {
            name: "rules",
            resource: "bucket-policy",
            inputs: { bucketId: of("store"), readOnlyIps: ["10.0.0.0/8"] },
          },
          { name: "file", resource: "object", inputs: { bucketId: of("store"), key: "a", content: "one" } },
        ];
        const workspace = await open();
        await applied(workspace, [...rest, volumeOf(of("net"), { qos: {} })]);
        const ids = await workspace.ids();
        expect(await workspace.plan()).toEqual({});
        const sent = emulator.log.counts().update_volume;
        for (const qos of [undefined, { iops: { readIopsSec: 0 } }]) {
          await applied(workspace, [...rest, volumeOf(of("net"), qos && { qos })]);
          expect(await workspace.plan()).toEqual({});
        }
        expect([await workspace.ids(), emulator.log.counts().update_volume]).toEqual([ids, sent]);
        for (const [target, field] of [
          ["list_volumes", "availability_zone"],
          ["get_volume", "multiattach"],
          ["get_vpc", "cidr"],
        ] as const)
          emulator.faults.add({ target, kind: "missing-field", field });
        expect(await workspace.plan()).toEqual({});
        emulator.faults.clear();
        for (const target of ["get_bucket_policy", "get_object_metadata"])
          emulator.faults.add({ target, kind: "404", times: 3 });
        expect(await workspace.plan()).toEqual({});
        emulator.faults.clear();
        for (const target of ["delete_bucket_policy", "delete_object"])
          emulator.faults.add({ target, kind: "404", times: 1 });
        const { ok, output } = await workspace.destroy();
        if (!ok) throw new Error(output);
        expect(leftover(emulator)).toEqual([]);
      }));

    test("names that are prefixes of others, keys with commas, late listings and another account remove no other object", () =>
      withAccount(adapter, 3_600, async ({ emulator, url, open, serveOther }) => {
        const workspace = await open();
        const before = [network, bucket("own"), bucket("other"), file("twin", "other", "report.csv")];
        await applied(workspace, [...before, ...batches({ web: 11 })]);
        const { other = "" } = await workspace.ids();
        const stack = [
          ...[...before, ...batches({ web: 11, "web-1": 1 })],
          file("comma", "own", `${other},report.csv`),
        ];
        await applied(workspace, stack);
        emulator.configure({ listingLagMs: 3_600_000 });
        expect(await workspace.plan()).toEqual({});
        emulator.configure({ listingLagMs: 0 });
        const theirs = createEmulator({ taskMs: 50, account: "222222222222" });
        await serveOther(theirs);
        await make([network], url);
        await expect(workspace.plan()).rejects.toThrow(/222222222222/);
        await serveOther(emulator);
        expect(await workspace.plan()).toEqual({});
        await applied(workspace, [...before, ...batches({ web: 11 })]);
        expect(existing(emulator, "instance")).toHaveLength(11);
        expect(existing(emulator, "object").map(({ name }) => name)).toEqual(["report.csv"]);
        const { ok, output } = await workspace.destroy();
        if (!ok) throw new Error(output);
        expect(leftover(emulator)).toEqual([]);
      }));

    test("with adopt_existing, a second resource for the object of another one is an error, and no run deletes the object", () =>
      withAccount(adapter, 1, async ({ emulator, open }) => {
        const workspace = await open({ SERVICE_ADOPT_EXISTING: "true" });
        const one = [network, volumeOf(of("net"))];
        await applied(workspace, one);
        const { data } = await workspace.ids();
        await workspace.write([...one, { ...volumeOf(of("net")), name: "again" }]);
        const { ok, output } = await workspace.apply();
        expect([ok, flat(output)]).toEqual([
          false,
          expect.stringContaining("another resource of this configuration manages"),
        ]);
        await applied(workspace, one);
        expect([await workspace.ids(), krns(emulator, "volume")]).toEqual([
          expect.objectContaining({ data }),
          [data],
        ]);
        expect(emulator.log.counts().delete_volume ?? 0).toBe(0);
        expect((await workspace.destroy()).ok).toBe(true);
        expect(leftover(emulator)).toEqual([]);
      }));
  });
}
