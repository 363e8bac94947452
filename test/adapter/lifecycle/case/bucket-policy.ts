import type { LifecycleCase } from "../case.ts";

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
