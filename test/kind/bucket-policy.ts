import type { LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { Draw } from "../simulation/draw.ts";
import type { Ref, SimulatedKind } from "../simulation/kind.ts";

const of = (ref: string) => ({ ref, property: "id" });
const inputs = { bucketId: of("gate-one"), readWriteIps: ["10.0.0.0/24"] };

export const lifecycleCase: LifecycleCase = {
  dependencies: ["gate-one", "gate-two", "gate-three"].map((name) => ({
    name,
    resource: "bucket",
    inputs: { name },
  })),
  idOf: ({ parents: [bucket = null] }) => bucket,
  inputs,
  update: { ...inputs, readOnlyIps: ["192.0.2.10", "2001:db8::/32"] },
  replace: { ...inputs, bucketId: of("gate-two") },
  replaceSameName: { ...inputs, bucketId: of("gate-three") },
  // A change through the inventory needs the object's own KRN, which the engine does not have.
  drift: null,
  importId: (id) => id,
};

const hosts = (draw: Draw) =>
  ["192.0.2.1", "198.51.100.0/24", "2001:db8::/32"].filter(() => draw.chance(0.5));

export const simulatedKind: SimulatedKind = {
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
