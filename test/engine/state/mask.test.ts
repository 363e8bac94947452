import { expect, test } from "@jest/globals";
import type { ResourceState } from "../../../provider/core/state.ts";
import { engine } from "../../../provider/engine/engine.ts";
import type { Transport } from "../../../provider/platform/ports.ts";
import { type Cloud, failure, live, openCloud, resource } from "../../support/cloud.ts";
import { openLifecycle } from "../../support/lifecycle-world.ts";

/** Tests responses that spell an id otherwise than the state. */

/** Replaces texts in the bodies of all responses. */
const replacing =
  (replace: (body: string) => string) =>
  (transport: Transport): Transport => ({
    async send(request, signal) {
      const reply = await transport.send(request, signal);
      return reply.kind === "answer" ? { ...reply, body: replace(reply.body) } : reply;
    },
  });

/** Creates a VPC and a volume in it, which do not count as new; `spell` then changes every response. */
async function world(spell: (body: string) => string) {
  let isChanged = false;
  const wrap = replacing((body) => (isChanged ? spell(body) : body));
  const cloud: Cloud = openCloud({}, {}, { wrap });
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  const volume = await cloud.run(
    cloud.create("volume", { vpcId: String(vpc.id), name: "data", sizeGb: 20, volumeType: "ssd" }),
  );
  isChanged = true;
  const read = (kind: string, state: ResourceState) =>
    engine.read(cloud.reopen(), resource(kind), { ...state, createdAt: undefined }, cloud.call);
  return { cloud, vpc, volume, read };
}

test("a listing that spells the region of ids otherwise changes no object and no state", async () => {
  const lower = (body: string) => body.replaceAll(":In-Bangalore-1:", ":in-bangalore-1:");
  const { cloud, vpc, volume, read } = await world(lower);
  // Only the listing shows the volume.
  cloud.emulator.faults.add({ target: "get_volume", kind: "404", times: 99 });
  for (const [kind, state] of [
    ["vpc", vpc],
    ["volume", volume],
  ] as const) {
    const seen = await cloud.run(read(kind, state));
    expect(seen).toEqual({ ...state, createdAt: undefined });
  }
  expect(cloud.warnings).toEqual([]);
});

test("an update without a change keeps the recorded spelling of ids", async () => {
  const lower = (body: string) => body.replaceAll(":In-Bangalore-1:", ":in-bangalore-1:");
  const { cloud, vpc } = await world(lower);
  const { inputs } = engine.check(resource("vpc"), { name: "net" });
  const unfinished = { ...vpc, values: { ...vpc.values, status: "creating" } };
  for (const prior of [vpc, unfinished]) {
    const update = engine.update(cloud.reopen(), resource("vpc"), prior, inputs, cloud.call);
    expect((await cloud.run(update)).values).toEqual(vpc.values);
  }
});

test("a late listing that spells the id of a deleted object otherwise does not stop the create of the next one", async () => {
  let before = "";
  let isLate = false;
  const wrap = ({ send }: Transport): Transport => ({
    async send(request, signal) {
      const reply = await send(request, signal);
      const isListing = request.method === "GET" && new URL(request.url).pathname === "/kbs/v1/volumes";
      if (!isListing || reply.kind !== "answer") return reply;
      if (!isLate) before = reply.body;
      const body = isLate ? before.replaceAll(":In-Bangalore-1:", ":in-bangalore-1:") : reply.body;
      isLate = false;
      return { ...reply, body };
    },
  });
  const cloud = openCloud({}, {}, { wrap });
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  const data = { vpcId: String(vpc.id), name: "data", sizeGb: 20, volumeType: "ssd" };
  const volume = await cloud.run(cloud.create("volume", data));
  await cloud.run(engine.read(cloud.session, resource("volume"), volume, cloud.call));
  const listed = before;
  await cloud.run(engine.delete(cloud.session, resource("volume"), volume, cloud.call));
  [before, isLate] = [listed, true];
  const next = await cloud.run(cloud.create("volume", data));
  expect([next.id, isLate]).toEqual([live(cloud, "volume")[0]?.krn, false]);
});

test("the instances of a batch are recorded ones in any spelling, while rows omit their job", async () => {
  let isChanged = false;
  const spell = (body: string) =>
    isChanged
      ? body.replaceAll(":In-Bangalore-1:", ":in-bangalore-1:").replaceAll('"batch_id"', '"job"')
      : body;
  const { cloud, state } = await openLifecycle("instance-batch", {}, {}, { wrap: replacing(spell) });
  isChanged = true;
  const call = { ...state, createdAt: undefined };
  const seen = await cloud.run(engine.read(cloud.reopen({}), resource("instance-batch"), call, cloud.call));
  expect(seen?.values.instances).toEqual(state.values.instances);
  expect(cloud.warnings).toEqual([]);
});

/** Creates an instance; all later responses show it under another UUID, with `createdAt` as its creation time. */
async function underOtherUuid(createdAt?: string) {
  let isChanged = false;
  let uuid = "";
  const spell = (body: string): string => {
    if (!isChanged) return body;
    const other = body.replaceAll(uuid, otherUuid);
    return createdAt === undefined
      ? other
      : other.replaceAll(/"created(_at)?":"[^"]*"/g, `"created$1":"${String(createdAt)}"`);
  };
  const { cloud, state } = await openLifecycle("instance", {}, {}, { wrap: replacing(spell) });
  uuid = String(state.id).split(":").at(-1) ?? "";
  isChanged = true;
  cloud.emulator.faults.add({ target: "get_instance", kind: "404", times: 99 });
  const recorded = { ...state, createdAt: undefined };
  const read = engine.read(cloud.reopen(), resource("instance"), recorded, cloud.call);
  return { cloud, state, read, other: String(state.id).replace(uuid, otherUuid) };
}

const otherUuid = "0f2bdb56-b20e-409a-9220-6cce27708ab3";

test("a row under another id with the recorded name and creation time is a doubt, and the error names both ids", async () => {
  const { cloud, state, read, other } = await underOtherUuid();
  const failed = await cloud.run(failure(read));
  expect([failed.existence, failed.step]).toEqual([
    { is: "unknown" },
    `a listing shows ${other}, which may be the object with the recorded ID ${state.id}`,
  ]);
});

test("a later object of the name is another one: the object leaves the state, and the warning names the other one", async () => {
  const { cloud, state, read, other } = await underOtherUuid("2030-01-01T00:00:00Z");
  expect(await cloud.run(read)).toBeUndefined();
  expect(cloud.warnings).toEqual([
    {
      summary: `The instance "${String(state.values.name)}" was deleted outside of Terraform or OpenTofu`,
      detail: `The instance "${String(state.values.name)}" (${state.id}) no longer exists: 3 reads did not find it. A listing shows another object with its name: ${other}. The next terraform apply (or tofu apply) creates it again.`,
    },
  ]);
});

test("a row under another id with the recorded UUID is a doubt: the state stays, and the error names both ids", async () => {
  const short = (body: string) =>
    body.replaceAll(/krn:kbs:In-Bangalore-1:\d+:[^:"]+:volume:/g, "krn:kbs:blr1:volume:");
  const { cloud, volume, read } = await world(short);
  cloud.emulator.faults.add({ target: "get_volume", kind: "404", times: 99 });
  const failed = await cloud.run(failure(read("volume", volume)));
  const listed = short(`"${volume.id}"`).replaceAll('"', "");
  expect(listed).not.toBe(volume.id);
  expect([failed.existence, failed.step]).toEqual([
    { is: "unknown" },
    `a listing shows ${listed}, which may be the object with the recorded ID ${volume.id}`,
  ]);
});
