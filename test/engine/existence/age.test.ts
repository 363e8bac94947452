import { expect, test } from "@jest/globals";
import type { ResourceState } from "../../../provider/core/state.ts";
import type { Values } from "../../../provider/core/value.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { live, openCloud, resource, settle } from "../../support/cloud.ts";
import { openProvider } from "../../support/engine/provider.ts";

/** Tests refreshes of new objects that only listings show, and show late. */

const range = "10.0.1.0/24";

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0v8v7l3H5Gm0r5nq0m7xq4b1cQm0mJm0Yk1v0m2k3p";

/** Creates a VPC and an object of the kind in it. */
async function withObject(kind: string) {
  const cloud = openCloud({}, { accountId: "000000000000" });
  const { run } = cloud;
  const vpcId = String((await run(cloud.create("vpc", { name: "net" }))).id);
  const within = async (kind: string, written: Values) =>
    String((await run(cloud.create(kind, { vpcId, ...written }))).id);
  const rule = { direction: "ingress", ethertype: "IPv4", protocol: "tcp", remoteIpPrefix: "10.0.0.0/8" };
  const written: Readonly<Record<string, () => Promise<Values>>> = {
    subnet: async () => ({ vpcId, name: "b", cidr: range }),
    "security-group": async () => ({ vpcId, name: "web", description: "Web" }),
    "security-group-rule": async () => ({
      vpcId,
      ...rule,
      securityGroupId: await within("security-group", { name: "web", description: "Web" }),
    }),
    "floating-ip": async () => ({
      vpcId,
      subnetId: await within("subnet", { name: "b", cidr: range }),
      name: "address",
    }),
    "ssh-key": async () => ({ name: "deploy", publicKey: key }),
    "access-key": async () => ({}),
    port: async () => ({ vpcId, subnetId: await within("subnet", { name: "b", cidr: range }), name: "own" }),
  };
  const state = await run(cloud.create(kind, (await written[kind]?.()) ?? {}));
  const read = (from: ResourceState, skewMs?: number) =>
    run(engine.read(cloud.reopen({}, skewMs), resource(kind), from, cloud.call));
  const remove = () => {
    for (const { krn } of live(cloud, kind.replaceAll("-", "_")))
      if (kind === "access-key" || krn.endsWith(state.id ?? "")) cloud.emulator.inventory.remove(krn);
  };
  return { cloud, state, read, remove };
}

const kinds = [
  "subnet",
  "security-group",
  "security-group-rule",
  "floating-ip",
  "ssh-key",
  "access-key",
  "port",
];

test.each(kinds)("a new %s that no listing shows yet stays in the state, with a warning", async (kind) => {
  const { cloud, state, read } = await withObject(kind);
  cloud.emulator.configure({ listingLagMs: 60_000 });
  expect(await read(state)).toEqual(state);
  const detail = `(${state.id}) was created less than 120 s ago, and a listing may not show it yet. It stays in the state.`;
  expect(cloud.warnings).toEqual([
    { summary: expect.stringMatching(/^The .+ is not shown yet$/), detail: expect.stringContaining(detail) },
  ]);
  cloud.warnings.length = 0;
  await settle(cloud);
  expect(await read(state)).toEqual(state);
  expect(cloud.warnings).toEqual([]);
});

/** Offsets of the clock of another runner: a minute, the time zone of a machine, and a clock that was never set. */
const skews = [-60_000, 60_000, -5 * 3_600_000, 5 * 3_600_000, -50 * 365 * 86_400_000];

test.each(kinds.flatMap((kind) => skews.map((skewMs) => [kind, skewMs] as const)))(
  "a new %s that no listing shows yet stays in the state on a runner whose clock differs by %d ms",
  async (kind, skewMs) => {
    const { cloud, state, read, remove } = await withObject(kind);
    cloud.emulator.configure({ listingLagMs: 100_000 });
    await cloud.run(cloud.session.ports.clock.sleep(90_000));
    expect(await read(state, skewMs)).toEqual(state);
    expect(cloud.warnings).toMatchObject([{ summary: expect.stringContaining("is not shown yet") }]);
    remove();
    await settle(cloud);
    if (kind !== "security-group-rule") expect(await read(state, skewMs)).toBeUndefined();
  },
);

test.each([
  ["of version 0.1.0 counts as old", () => undefined, undefined],
  ["of a machine whose clock was an hour ahead counts as new", (at: number) => at + 3_500_000, "kept"],
  ["more than an hour in the future counts as old", (at: number) => at + 3_700_000, undefined],
] as const)("a creation time %s", async (_, record, end) => {
  const { state, read, remove } = await withObject("security-group");
  remove();
  const found = await read({ ...state, createdAt: record(Number(state.createdAt)) });
  expect(found && "kept").toBe(end);
});

test("a runner whose clock is a minute ahead does not forget a new subnet that no listing shows yet", async () => {
  const { cloud, state, read } = await withObject("subnet");
  cloud.emulator.configure({ listingLagMs: 100_000 });
  await cloud.run(cloud.session.ports.clock.sleep(90_000));
  expect(await read(state, 60_000)).toEqual(state);
});

test("Terraform: reads of a key keep its private data unchanged, before and after settle_seconds", async () => {
  const cloud = openCloud();
  const provider = openProvider(cloud);
  await provider.configure();
  const config = { name: "deploy", publicKey: key };
  const made = await cloud.run(provider.apply("ssh-key", config));
  expect(Buffer.from(made.private ?? []).toString()).toMatch(/^{"createdAt":\d{13}}$/);
  expect(await cloud.run(provider.read("ssh-key", made))).toEqual(made);
  cloud.emulator.configure({ listingLagMs: 60_000 });
  const { values, private: stored } = await cloud.run(provider.read("ssh-key", made));
  expect({ values, private: stored }).toEqual({ values: made.values, private: made.private });
  await settle(cloud);
  expect(await cloud.run(provider.read("ssh-key", made))).toEqual(made);
});
