import { expect, test } from "@jest/globals";
import type { ResourceState } from "../../../provider/core/state.ts";
import type { Values } from "../../../provider/core/value.ts";
import { check } from "../../../provider/definition/check.ts";
import { engine, graceMs } from "../../../provider/engine/engine.ts";
import { encodePrivate, fromState, toState } from "../../../provider/terraform/codec/state.ts";
import { type Between, type Cloud, failure, kept, live, openCloud, resource } from "../../support/cloud.ts";

/** Tests creates that a stop interrupted and that were never executed, while somebody else creates an equal object. */

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0v8v7l3H5Gm0r5nq0m7xq4b1cQm0mJm0Yk1v0m2k3p";

/** Kinds whose rows have a creation time, and kinds whose rows have none. */
const kinds = {
  volume: { name: "data", sizeGb: 20, volumeType: "HNSS" },
  "security-group": { name: "web", description: "Web" },
  bucket: { name: "backups" },
  "ssh-key": { name: "deploy", publicKey: key },
  subnet: { name: "b", cidr: "10.0.1.0/24" },
  vpc: { name: "shop" },
} as const;

type Kind = keyof typeof kinds;
const names = Object.keys(kinds) as Kind[];
const isDated = (kind: Kind) => ["volume", "security-group", "bucket"].includes(kind);

/** Stops a create whose request the API never executes. */
async function withInterrupted(kind: Kind, between: Between = {}) {
  const cloud = openCloud({}, {}, between);
  const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
  const inside = ["volume", "security-group", "subnet"].includes(kind) ? { vpcId } : {};
  const { inputs } = check(resource(kind), { ...kinds[kind], ...inside });
  const operation = kind === "vpc" ? "create_vpc" : `create_${kind.replaceAll("-", "_")}`;
  cloud.emulator.faults.add({ target: operation, kind: "hang", times: 1 });
  const stop = new AbortController();
  const call = { ...cloud.call, stop: stop.signal, graceMs: graceMs.terraform };
  const work = failure(engine.create(cloud.session, resource(kind), inputs, call));
  await pass(cloud, 3_000);
  stop.abort();
  return { cloud, inputs, failed: await cloud.run(work) };
}

const pass = (cloud: Cloud, ms: number) => cloud.run(cloud.session.ports.clock.sleep(ms));

/** Returns the state as Terraform reads it from its file. */
const stored = (state: ResourceState): ResourceState =>
  toState(fromState(state, undefined), encodePrivate(state));

/** Creates an equal object, as a colleague does with the console. */
const createEqual = (cloud: Cloud, kind: Kind, inputs: Values) =>
  cloud.run(engine.create(cloud.reopen(), resource(kind), inputs, cloud.call));

/** Operations that search for the object of the create, each in a process whose clock is an hour off. */
const searches: Readonly<
  Record<string, (cloud: Cloud, kind: Kind, state: ResourceState, inputs: Values) => Promise<unknown>>
> = {
  "a refresh": (cloud, kind, state) =>
    cloud.run(engine.read(cloud.reopen({}, 3_600_000), resource(kind), state, cloud.call)),
  "an update": (cloud, kind, state, inputs) =>
    cloud
      .run(failure(engine.update(cloud.reopen({}, -3_600_000), resource(kind), state, inputs, cloud.call)))
      .then(({ existence }) => (existence.is === "may exist" ? undefined : existence)),
  "a destroy": (cloud, kind, state) =>
    cloud.run(engine.delete(cloud.reopen({}, 3_600_000), resource(kind), state, cloud.call)),
};

const existing = (cloud: Cloud, kind: Kind) => live(cloud, kind.replaceAll("-", "_")).map(({ krn }) => krn);

const laterMs = [130_000, 3_600_000];

test.each(
  Object.keys(searches).flatMap((search) =>
    names.flatMap((kind) => laterMs.map((ms) => [search, kind, ms] as const)),
  ),
)("%s does not take a %s that a colleague creates %d ms after the stop", async (search, kind, ms) => {
  const { cloud, inputs, failed } = await withInterrupted(kind);
  await pass(cloud, ms);
  await createEqual(cloud, kind, inputs);
  const before = existing(cloud, kind);
  const end = await searches[search]?.(cloud, kind, stored(kept(failed)), inputs);
  expect(end).toBeUndefined();
  expect(existing(cloud, kind)).toEqual(before);
  const [warning] = cloud.warnings;
  expect(cloud.warnings).toHaveLength(1);
  expect(warning?.summary).toMatch(/^The .*may exist$/);
  expect(warning?.detail).toContain(
    isDated(kind)
      ? "the only matching new object was created later, so it may have been created by someone else."
      : "the only matching new object has no creation time, so it may have been created by someone else.",
  );
});

test.each(names)("a state of version 0.1.0 leads to no %s, as it has no time of the stop", async (kind) => {
  const { cloud, inputs, failed } = await withInterrupted(kind);
  const state = stored(kept(failed));
  const { stoppedAt: _, isDated: __, ...interrupted } = state.interrupted ?? { seenIds: [] };
  await createEqual(cloud, kind, inputs);
  const before = existing(cloud, kind);
  await searches["a destroy"]?.(cloud, kind, { ...state, interrupted }, inputs);
  expect(existing(cloud, kind)).toEqual(before);
  expect(cloud.warnings.map(({ detail }) => detail)).toEqual([
    expect.stringContaining("the only matching new object cannot be compared with the time of the create"),
  ]);
});

test.each(names)(
  "without the time of the API, a stop leaves no %s that a later run could take",
  async (kind) => {
    const withoutDate: Between = {
      wrap: ({ send }) => ({
        async send(request, signal) {
          const reply = await send(request, signal);
          if (reply.kind !== "answer") return reply;
          const { date: _, ...headers } = reply.headers;
          return { ...reply, headers };
        },
      }),
    };
    const { failed } = await withInterrupted(kind, withoutDate);
    expect([failed.existence.is, failed.state]).toEqual(["may exist", undefined]);
  },
);

test("a volume that a listing shows without its creation time is not taken if other volumes have one", async () => {
  const cloud = openCloud();
  const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
  const { inputs } = check(resource("volume"), { vpcId, ...kinds.volume });
  const values = { ...inputs, region: "In-Bangalore-1" };
  const at = cloud.session.serverClock.time();
  const interrupted = { sentAt: at, stoppedAt: at + 1_000, seenIds: [], isDated: true } as const;
  const state = { id: undefined, task: undefined, interrupted, values, unread: [], createdAt: at };
  await createEqual(cloud, "volume", inputs);
  cloud.emulator.faults.add({ target: "list_volumes", kind: "missing-field", field: "created_at" });
  const read = engine.read(cloud.reopen(), resource("volume"), stored(state), cloud.call);
  expect(await cloud.run(read)).toBeUndefined();
  expect(cloud.warnings[0]?.detail).toContain("the only matching new object has no creation time");
});

test.each(names)(
  "the %s of the request itself, which arrived late, is found until settle_seconds after the stop",
  async (kind) => {
    const { cloud, inputs, failed } = await withInterrupted(kind);
    await pass(cloud, 60_000);
    const { id } = await createEqual(cloud, kind, inputs);
    const found = await cloud.run(
      engine.read(cloud.reopen({}, 3_600_000), resource(kind), stored(kept(failed)), cloud.call),
    );
    expect(found?.id).toBe(id);
    expect(cloud.warnings.map(({ summary }) => summary)).toEqual([
      expect.stringMatching(/was found by search$/),
    ]);
    expect(cloud.warnings[0]?.detail).toContain(`A search found ${id}, which is equal`);
  },
);

test("an apply after an interrupted create destroys no equal volume that a colleague created an hour later", async () => {
  const { cloud, inputs, failed } = await withInterrupted("volume");
  await pass(cloud, 3_600_000);
  await createEqual(cloud, "volume", inputs);
  await searches["a destroy"]?.(cloud, "volume", stored(kept(failed)), inputs);
  expect(existing(cloud, "volume")).toHaveLength(1);
});

test("an apply after an interrupted create destroys no equal key that a colleague created an hour later", async () => {
  const { cloud, inputs, failed } = await withInterrupted("ssh-key");
  await pass(cloud, 3_600_000);
  await createEqual(cloud, "ssh-key", inputs);
  await searches["a destroy"]?.(cloud, "ssh-key", stored(kept(failed)), inputs);
  expect(existing(cloud, "ssh-key")).toHaveLength(1);
});

test("a destroy without a refresh, which gets nothing of the interrupted create, deletes no object with its values", async () => {
  const keys = { accessKey: "emulator-access-key", secretKey: "emulator-secret-key" };
  const cloud = openCloud({}, { accountId: "000000000000", ...keys });
  const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
  const bucketId = String((await cloud.run(cloud.create("bucket", { name: "files" }))).id);
  const written: Readonly<Record<string, Values>> = {
    object: { bucketId, key: "a.txt", content: "of a colleague" },
    "bucket-policy": { bucketId, readOnlyIps: ["192.0.2.1/32"] },
    volume: { ...kinds.volume, vpcId },
  };
  for (const [kind, inputs] of Object.entries(written)) {
    const made = await cloud.run(cloud.create(kind, inputs));
    // Terraform passes no private data of a tainted object to a plan that does not refresh it.
    const tainted = toState({ ...fromState(made, undefined), id: null }, undefined);
    await cloud.run(engine.delete(cloud.reopen(), resource(kind), tainted, cloud.call));
    expect(live(cloud, kind.replaceAll("-", "_"))).toHaveLength(1);
    expect(cloud.warnings.at(-1)?.summary).toMatch(/may exist$/);
  }
});
