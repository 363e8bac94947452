import { expect, test } from "@jest/globals";
import type { ResourceState } from "../../../provider/core/state.ts";
import { engine } from "../../../provider/engine/engine.ts";
import type { Transport } from "../../../provider/platform/ports.ts";
import { type Cloud, failure, openCloud, resource } from "../../support/cloud.ts";

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
  for (const [kind, state] of [
    ["vpc", vpc],
    ["volume", volume],
  ] as const) {
    const seen = await cloud.run(read(kind, state));
    expect(seen).toEqual({ ...state, createdAt: undefined });
  }
  expect(cloud.warnings).toEqual([]);
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
