import type { Draw } from "../draw.ts";
import type { Ref, SimulatedKind } from "../kind.ts";

const hosts = (draw: Draw) =>
  ["192.0.2.1", "198.51.100.0/24", "2001:db8::/32"].filter(() => draw.chance(0.5));

export const kind: SimulatedKind = {
  needs: ["bucket"],
  make: (draw, _nth, { bucket }) => ({
    bucketId: bucket as Ref,
    readWriteIps: hosts(draw),
    readOnlyIps: hosts(draw),
  }),
  // A bucket has one policy, and the previous one may not be deleted yet.
  accepts: (_, { others, left }) => others === 0 && !left,
  successor: null,
  vary: (draw, inputs) => ({ ...inputs, readOnlyIps: hosts(draw) }),
  idOf: ({ parents: [bucket = ""] }) => bucket,
  is: ({ parents: [bucket] }, { bucketId }) => bucket === bucketId,
  drift: (draw) => draw.pick([{ readOnlyIps: hosts(draw) }, { readWriteIps: hosts(draw) }]),
  writes: { readOnlyIps: "readOnlyIps", readWriteIps: "readWriteIps" },
};
