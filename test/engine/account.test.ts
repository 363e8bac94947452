import { expect, test } from "@jest/globals";
import { images } from "../../functions/images.ts";
import { explain } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import type { Transport } from "../../provider/platform/ports.ts";
import { encodePrivate, fieldsOf, fromState, toState } from "../../provider/terraform/codec/state.ts";
import { failure, kept, live, openCloud, resource, settle } from "../support/cloud.ts";
import { createEveryKind, oneOfEach, openEveryKind } from "../support/every-kind.ts";

/** Tests refreshes and deletes with the credentials of an account that differs from that of the state. */

const other = { account: "222222222222", customer: "22222222-2222-4222-8222-222222222222" };
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0v8v7l3H5Gm0r5nq0m7xq4b1cQm0mJm0Yk1v0m2k3p";

const kinds: Readonly<Record<string, (vpcId: string) => Values>> = {
  vpc: () => ({ name: "second" }),
  subnet: (vpcId) => ({ vpcId, name: "b", cidr: "10.0.1.0/24" }),
  volume: (vpcId) => ({ vpcId, name: "data", sizeGb: 20, volumeType: "ssd" }),
  "security-group": (vpcId) => ({ vpcId, name: "web", description: "Web" }),
  "ssh-key": () => ({ name: "deploy", publicKey: key }),
};

/** Returns the state of an object in the default account of the emulator that does not count as new. */
async function oldState(kind: string): Promise<ResourceState> {
  const cloud = openCloud();
  const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
  const state = await cloud.run(cloud.create(kind, kinds[kind]?.(vpcId) ?? {}));
  return { ...state, createdAt: undefined };
}

test.each(Object.keys(kinds))(
  "a %s stays in the state when the credentials are of another account, which the error names",
  async (kind) => {
    const state = await oldState(kind);
    const cloud = openCloud(other, { accountId: undefined });
    const subnet = { name: "a", cidr: "10.0.0.0/24" };
    const vpc = await cloud.run(cloud.create("vpc", { name: "theirs", primarySubnet: subnet }));
    const session = cloud.reopen();
    await cloud.run(engine.read(session, resource("vpc"), vpc, cloud.call));
    const failed = await cloud.run(failure(engine.read(session, resource(kind), state, cloud.call)));
    expect(failed.existence.is).toBe("unknown");
    expect(failed.step).toBe(
      "the API does not show it: the credentials belong to account 222222222222, the object belongs to account 000000000000",
    );
    expect(cloud.warnings).toEqual([]);
  },
);

test.each(["vpc", "subnet", "volume", "security-group"])(
  "a %s stays in the state if nothing shows the account of the credentials, and the error asks to set account_id",
  async (kind) => {
    const state = await oldState(kind);
    const cloud = openCloud(other, { accountId: undefined });
    const read = engine.read(cloud.session, resource(kind), state, cloud.call);
    expect(explain(await cloud.run(failure(read))).detail).toBe(
      [
        "The API does not show it, and the account of the credentials is unknown.",
        "The state stays unchanged.",
        "Set account_id to the account number of the credentials, then run again.",
      ].join("\n"),
    );
  },
);

test("with account_id of the state's account, an object of an empty account is gone", async () => {
  const state = await oldState("volume");
  const cloud = openCloud({}, { accountId: "000000000000" });
  expect(await cloud.run(engine.read(cloud.session, resource("volume"), state, cloud.call))).toBeUndefined();
});

test.each(["not a number", ""])(
  "account_id %j, which no id can contain, does not identify the account",
  async (accountId) => {
    const state = await oldState("volume");
    const cloud = openCloud({}, { accountId });
    const failed = await cloud.run(
      failure(engine.read(cloud.session, resource("volume"), state, cloud.call)),
    );
    expect(failed.step).toBe("the API does not show it, and the account of the credentials is unknown");
  },
);

test("a key whose id contains no account gets the account of the other states of the run", async () => {
  const [vpc, sshKey] = [await oldState("vpc"), await oldState("ssh-key")];
  const cloud = openCloud(other, { accountId: other.account });
  await cloud.run(failure(engine.read(cloud.session, resource("vpc"), vpc, cloud.call)));
  const bare = { ...sshKey, values: { ...sshKey.values, krn: null } };
  const failed = await cloud.run(failure(engine.read(cloud.session, resource("ssh-key"), bare, cloud.call)));
  expect(failed.step).toContain(
    "the credentials belong to account 222222222222, other objects in the state belong to account 000000000000",
  );
});

test("a delete answered 404 in another account fails, and one answered 2xx needs no account", async () => {
  const state = await oldState("vpc");
  const cloud = openCloud(other, { accountId: undefined });
  const { session, call } = cloud;
  const failed = await cloud.run(failure(engine.delete(session, resource("vpc"), state, call)));
  expect(failed.existence.is).toBe("unknown");
  const made = await cloud.run(cloud.create("vpc", { name: "net" }));
  await settle(cloud);
  await cloud.run(engine.delete(cloud.reopen(), resource("vpc"), made, call));
});

test("a create in another account than account_id is an error with the state of the new object", async () => {
  const cloud = openCloud(other);
  const failed = await cloud.run(failure(cloud.create("vpc", { name: "second" })));
  const [{ krn = "" } = {}] = live(cloud, "vpc");
  expect(failed.state).toMatchObject({ id: krn, values: { name: "second" } });
  expect(explain(failed).detail.split("\n")).toEqual([
    "The credentials belong to account 222222222222, account_id is 000000000000.",
    `The object exists as ${krn} and is in the state.`,
    "Set account_id to the account number of the credentials, or leave it in the cloud and remove it from the state (terraform state rm kcloud_vpc.NAME, or tofu state rm kcloud_vpc.NAME). The next apply replaces it; `terraform untaint ADDRESS` (or `tofu untaint ADDRESS`) keeps it.",
  ]);
  // An ssh key has no account in its id: its KRN has one.
  const sshKey = await cloud.run(failure(cloud.create("ssh-key", kinds["ssh-key"]?.("") ?? {})));
  expect(sshKey.step).toEqual(failed.step);
});

test("a delete of a new object in another account fails at once", async () => {
  const state = await oldState("vpc");
  const cloud = openCloud(other, { accountId: other.account });
  const young = { ...state, createdAt: cloud.session.ports.clock.wall() };
  const failed = await cloud.run(failure(engine.delete(cloud.session, resource("vpc"), young, cloud.call)));
  expect(failed.step).toContain("the credentials belong to account 222222222222");
  expect(cloud.elapsed()).toBeLessThan(5_000);
});

test("a change answered 404 in another account names the accounts, and nothing was sent", async () => {
  const state = await oldState("volume");
  const cloud = openCloud(other, { accountId: other.account });
  const inputs = { ...state.values, volumeType: "hdd" };
  const failed = await cloud.run(
    failure(engine.update(cloud.session, resource("volume"), state, inputs, cloud.call)),
  );
  expect([failed.step, failed.existence.is]).toEqual([
    "the API does not show it: the credentials belong to account 222222222222, the object belongs to account 000000000000",
    "unknown",
  ]);
});

/** Returns true if a destroy of the kind sends no request, so that the object remains in any account. */
const remainsAfterDestroy = (kind: string): boolean =>
  resource(kind).stateOnly === true || typeof resource(kind).verbs.delete !== "function";

test.each([
  { settings: { accountId: undefined }, ownsVpc: false },
  { settings: { accountId: undefined }, ownsVpc: true },
  { settings: { accountId: other.account }, ownsVpc: false },
])("no object leaves the state with credentials of another account: $settings, $ownsVpc", async (world) => {
  const made = oneOfEach(await createEveryKind(openEveryKind()));
  const kinds = made.filter(({ kind }) => !remainsAfterDestroy(kind));
  expect(kinds.length).toBeGreaterThan(15);
  for (const { kind, state } of kinds)
    for (const verb of ["read", "delete"] as const) {
      const cloud = openEveryKind(other, world.settings);
      if (world.ownsVpc) await cloud.run(cloud.create("vpc", { name: "theirs" }));
      const work = engine[verb](
        cloud.reopen(),
        resource(kind),
        { ...state, createdAt: undefined },
        cloud.call,
      );
      const end = await cloud.run(
        work.then(
          (read) => (read === undefined ? "left the state" : "stayed"),
          (error: unknown) => explain(error).detail,
        ),
      );
      expect({ kind, verb, end }).not.toEqual({ kind, verb, end: "left the state" });
      if (world.settings.accountId !== undefined && end !== "stayed")
        expect(end).toMatch(
          /the credentials belong to account 222222222222, the object belongs to account 000000000000/,
        );
    }
});

test("an object that no request deletes stays in the state if the run shows another account", async () => {
  const made = oneOfEach(await createEveryKind(openEveryKind()));
  const kept = made.filter(({ kind }) => remainsAfterDestroy(kind) && resource(kind).stateOnly !== true);
  expect(kept.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["port", "port-security-groups"]));
  const cloud = openEveryKind(other, { accountId: other.account });
  for (const { kind, state } of kept) {
    const failed = await cloud.run(failure(engine.delete(cloud.session, resource(kind), state, cloud.call)));
    expect(failed.step).toMatch(
      /the credentials belong to account 222222222222, the object belongs to account 0{12}$/,
    );
  }
  expect([cloud.warnings, cloud.emulator.log.entries()]).toEqual([[], []]);
});

/** Returns the state of a volume whose create a stop interrupted. */
async function interruptedVolume(): Promise<ResourceState> {
  const { values } = await oldState("volume");
  const interrupted = { seenIds: [] };
  return { id: undefined, task: undefined, interrupted, values, unread: [] };
}

test.each(["read", "delete"] as const)(
  "the %s of an interrupted create fails with credentials of another account, and adopts no equal object there",
  async (verb) => {
    const state = await interruptedVolume();
    const cloud = openCloud(other, { accountId: undefined });
    const run = () => cloud.run(failure(engine[verb](cloud.reopen(), resource("volume"), state, cloud.call)));
    expect((await run()).step).toBe(
      "the API does not show it, and the account of the credentials is unknown",
    );
    const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
    expect((await run()).step).toBe(
      "the API does not show it: the credentials belong to account 222222222222, the object belongs to account 000000000000",
    );
    const { name, sizeGb, volumeType } = state.values as Values & { name: string };
    await cloud.run(
      cloud.create("volume", { vpcId, name, sizeGb: sizeGb ?? null, volumeType: volumeType ?? null }),
    );
    await run();
    expect(live(cloud, "volume")).toHaveLength(1);
    expect(cloud.warnings).toEqual([]);
  },
);

const named = (state: ResourceState): boolean =>
  /krn:\w+:[\w-]*:\d+:/.test(JSON.stringify([state.id, state.values]));

test("a state whose ids contain no account records the account of its create, and no read changes the record", async () => {
  const cloud = openEveryKind();
  const made = oneOfEach(await createEveryKind(cloud));
  const recorded = made.filter(({ state }) => state.account !== undefined);
  expect(recorded.map(({ kind }) => kind).toSorted()).toEqual(
    made
      .filter(({ kind, state }) => resource(kind).stateOnly !== true && !named(state))
      .map(({ kind }) => kind)
      .toSorted(),
  );
  expect(recorded.length).toBeGreaterThan(1);
  for (const { kind, state } of recorded) {
    expect({ kind, account: state.account }).toEqual({ kind, account: "000000000000" });
    const again = openEveryKind(other, { accountId: other.account });
    const read = await cloud.run(engine.read(cloud.reopen(), resource(kind), state, again.call));
    expect({ kind, read }).toEqual({ kind, read: state });
  }
});

test("a listing of images, which other accounts share, does not show the account of the credentials", async () => {
  const state = await oldState("vpc");
  const shared = "krn:vm:In-Bangalore-1:333333333333:33333333-3333-4333-8333-333333333333:instance:1";
  const wrap = ({ send }: Transport): Transport => ({
    async send(request, signal) {
      const reply = await send(request, signal);
      if (reply.kind !== "answer" || !request.url.includes("/vm/v1/image/")) return reply;
      return { ...reply, body: reply.body.replace(/"images":\s*\[\{/, `$&"instance_krn":"${shared}",`) };
    },
  });
  const cloud = openCloud(other, { accountId: undefined }, { wrap });
  const found = await cloud.run(engine.lookup(cloud.session, images, {}, cloud.call));
  expect(JSON.stringify(found)).toContain(shared);
  const read = engine.read(cloud.session, resource("vpc"), state, cloud.call);
  expect((await cloud.run(failure(read))).step).toContain("the account of the credentials is unknown");
});

test.each(["access-key", "inference-task"])(
  "an imported %s records its account, and one without a record is gone if nothing else shows an account",
  async (kind) => {
    const cloud = openEveryKind();
    const inputs = kind === "access-key" ? { name: "life" } : { name: "life", model: "llama", ngpu: 1 };
    const { id } = await cloud.run(cloud.create(kind, inputs));
    const imported = await cloud.run(engine.import(cloud.reopen(), resource(kind), String(id), cloud.call));
    expect(imported.account).toBe("000000000000");
    const theirs = openEveryKind(other, { accountId: other.account });
    const readIn = (state: ResourceState) =>
      theirs.run(engine.read(theirs.reopen(), resource(kind), state, theirs.call));
    await failure(readIn(imported));
    expect(await readIn({ ...imported, account: undefined })).toBeUndefined();
  },
);

test("an interrupted create records the account if its inputs contain none, and engines store the record", async () => {
  const cloud = openCloud();
  cloud.emulator.faults.add({ target: "create_vpc", kind: "hang" });
  const stop = new AbortController();
  const { inputs } = engine.check(resource("vpc"), { name: "net" });
  const call = { ...cloud.call, stop: stop.signal, graceMs: 1_500 };
  const ended = failure(engine.create(cloud.session, resource("vpc"), inputs, call));
  await cloud.run(cloud.session.ports.clock.sleep(5_000));
  stop.abort();
  const state = kept(await cloud.run(ended));
  expect(state).toMatchObject({ id: undefined, account: "000000000000" });
  const values = fromState(state, undefined);
  expect(toState(values, encodePrivate(state))).toEqual({
    candidates: undefined,
    ...state,
    values: fieldsOf(values),
  });
  const theirs = openCloud(other, { accountId: undefined });
  const read = () => theirs.run(failure(engine.read(theirs.reopen(), resource("vpc"), state, theirs.call)));
  expect((await read()).step).toContain("the account of the credentials is unknown");
  await theirs.run(theirs.create("vpc", { name: "net" }));
  expect((await read()).step).toContain(
    "belong to account 222222222222, the object belongs to account 000000000000",
  );
});

test("an object that another entry of the state deleted in this process is gone, without an account", async () => {
  const cloud = openCloud({ taskMs: 0 }, { accountId: undefined });
  const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
  const made = await cloud.run(cloud.create("volume", kinds.volume?.(vpcId) ?? {}));
  const state = { ...made, createdAt: undefined };
  const volume = resource("volume");
  const session = cloud.reopen();
  await cloud.run(engine.delete(session, volume, state, cloud.call));
  expect(session.owner.account()).toBeUndefined();
  await cloud.run(engine.delete(session, volume, state, cloud.call));
  const failed = await cloud.run(failure(engine.delete(cloud.reopen(), volume, state, cloud.call)));
  expect(failed.step).toBe("the API does not show it, and the account of the credentials is unknown");
});
