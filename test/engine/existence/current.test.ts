import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import type { Values } from "../../../provider/core/value.ts";
import { engine } from "../../../provider/engine/engine.ts";
import type { Transport } from "../../../provider/platform/ports.ts";
import { type Cloud, failure, live, openCloud, requests, resource } from "../../support/cloud.ts";
import { nothingToDo, rewriting } from "./full-lifecycle.ts";
import { data, withAll } from "./stored-network.ts";

test("a listing that is aborted with the operation that started it is started again by the other operations", async () => {
  const { cloud, heldOf } = await withAll();
  cloud.emulator.configure({ latencyMs: 1_000 });
  const session = cloud.reopen();
  const stops = [new AbortController(), new AbortController()];
  const stopped = stops.map(({ signal }) =>
    failure(engine.read(session, resource("volume"), heldOf("volume"), { stop: signal })),
  );
  const remaining = engine.read(session, resource("volume"), heldOf("volume"), cloud.call);
  await cloud.run(session.ports.clock.sleep(500));
  for (const stop of stops) stop.abort();
  const [first, second] = await cloud.run(Promise.all(stopped));
  expect([first, second].map((failed) => failed && explain(failed).detail.split("\n")[1])).toEqual([
    "The run was stopped.",
    "The run was stopped.",
  ]);
  expect((await cloud.run(remaining))?.id).toBe(heldOf("volume").id);
});

function refresh(cloud: Cloud, state: ResourceState) {
  return cloud.run(engine.read(cloud.session, resource("volume"), state, cloud.call));
}

test("a read directly after a write never uses a listing that started before it", async () => {
  const { cloud, vpcId, heldOf } = await withAll();
  await refresh(cloud, heldOf("volume"));
  const { inputs } = engine.check(resource("volume"), { ...data(vpcId), description: "new" });
  const state = await cloud.run(
    engine.update(cloud.session, resource("volume"), heldOf("volume"), inputs, cloud.call),
  );
  expect((await refresh(cloud, state))?.values.description).toBe("new");
});

test("one of hundreds of volumes is read by a single request if requests are not limited", async () => {
  for (const [rate, alone] of [
    [0, 1],
    [50, 0],
  ] as const) {
    const cloud = openCloud({ taskMs: 0 }, { maxRequestsPerSecond: rate });
    const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
    const volume = (nth: number) =>
      cloud.create("volume", { vpcId: String(vpc.id), name: `data-${nth}`, sizeGb: 1, volumeType: "HNSS" });
    await cloud.run(Promise.all(Array.from({ length: 40 }, (_, nth) => volume(nth))));
    const reads = () => requests(cloud, "get_volume").length;
    await cloud.run(volume(40));
    const before = reads();
    await cloud.run(volume(41));
    expect(reads() - before).toBe(alone);
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

/** Transport wrapper that masks the customer part of ids in listings (docs/contract.md#1.4). */
const masking = rewriting((body, { method, url }) =>
  method === "GET" && /list|search|volumes\?|volumes$|securityGroup/.test(url)
    ? body.replaceAll(":00000000-0000-4000-8000-000000000000:", ":***:")
    : body,
);

test("objects that listings show with masked ids are recognized by their full ids", async () => {
  const cloud = openCloud({ taskMs: 0 }, {}, masking);
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  const vpcId = String(vpc.id);
  expect(vpcId).not.toContain("***");
  const made: [string, ResourceState][] = [];
  const kinds: readonly (readonly [string, () => Values])[] = [
    ["volume", () => ({ name: "a", sizeGb: 1, volumeType: "ssd" })],
    ["subnet", () => ({ name: "a", cidr: "10.0.0.0/20" })],
    ["floating-ip", () => ({ name: "a", subnetId: made.at(-1)?.[1].id ?? null })],
    ["security-group", () => ({ name: "a" })],
    [
      "security-group-rule",
      () => ({
        securityGroupId: made.at(-1)?.[1].id ?? null,
        direction: "ingress",
        protocol: "tcp",
        remoteIpPrefix: "0.0.0.0/0",
      }),
    ],
  ];
  for (const [noun, more] of kinds) {
    const kind = resource(noun);
    const { inputs } = engine.check(kind, { vpcId, ...more() });
    const began = cloud.elapsed();
    const state = await cloud.run(engine.create(cloud.session, kind, inputs, cloud.call));
    expect(cloud.elapsed() - began).toBeLessThan(10_000);
    expect(state.id).not.toContain("***");
    const seen = await cloud.run(engine.read(cloud.reopen(), kind, state, cloud.call));
    expect(nothingToDo(noun, seen, inputs)).toEqual([]);
    made.push([noun, state]);
  }
  for (const [noun, state] of made.toReversed())
    await cloud.run(engine.delete(cloud.session, resource(noun), state, cloud.call));
  await cloud.run(engine.delete(cloud.session, resource("vpc"), vpc, cloud.call));
  expect(cloud.emulator.inventory.list()).toEqual([]);
});
