import { uuidOf } from "../../../../emulator/state/id.ts";
import type { LifecycleCase } from "../case.ts";

const of = (ref: string) => ({ ref, property: "id" });
const inputs = { bucketId: of("attic-one"), name: "life", expirationDays: 30 };
const replace = { ...inputs, bucketId: of("attic-two") };

export const lifecycleCase: LifecycleCase = {
  dependencies: ["attic-one", "attic-two"].map((name) => ({ name, resource: "bucket", inputs: { name } })),
  idOf: ({ krn }) => uuidOf(krn),
  inputs,
  update: { ...inputs, expirationDays: 60, noncurrentDays: 7 },
  replace,
  replaceSameName: inputs,
  last: replace,
  drift: { change: { enabled: false }, planned: "update" },
  importId: (id, _vpc, { bucketId }) => `${bucketId},${id}`,
};
