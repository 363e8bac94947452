import type { ResourceState } from "../../../provider/core/state.ts";
import { engine } from "../../../provider/engine/engine.ts";
import type { Transport } from "../../../provider/platform/ports.ts";
import { type Cloud, openCloud, resource } from "../../support/cloud.ts";

/** Responses that spell an id otherwise than the state. */

/** Replaces texts in the bodies of all responses. */
export const replacing =
  (replace: (body: string) => string) =>
  (transport: Transport): Transport => ({
    async send(request, signal) {
      const reply = await transport.send(request, signal);
      return reply.kind === "answer" ? { ...reply, body: replace(reply.body) } : reply;
    },
  });

/** Creates a VPC and a volume in it, which do not count as new; `spell` then changes every response. */
export async function world(spell: (body: string) => string) {
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
