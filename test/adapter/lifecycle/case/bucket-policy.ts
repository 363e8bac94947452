import type { LifecycleCase } from "../case.ts";

const of = (ref: string) => ({ ref, property: "id" });
const inputs = { bucketId: of("gate-one"), readWriteIps: ["10.0.0.0/24"] };

export const lifecycleCase: LifecycleCase = {
  around: ["gate-one", "gate-two", "gate-three"].map((name) => ({
    name,
    resource: "bucket",
    inputs: { name },
  })),
  idOf: ({ parents: [bucket = null] }) => bucket,
  inputs,
  update: { ...inputs, readOnlyIps: ["192.0.2.10", "2001:db8::/32"] },
  replace: { ...inputs, bucketId: of("gate-two") },
  replaceSameName: { ...inputs, bucketId: of("gate-three") },
  // What is changed by hand goes by its own id, which no engine knows.
  drift: null,
  importId: (id) => id,
};
