import { uuidOf } from "../../emulator/state/id.ts";
import type { LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { Ref, Row, SimulatedKind } from "../simulation/kind.ts";

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

export const simulatedKind: SimulatedKind = {
  needs: ["bucket"],
  idOf: ({ krn }) => uuidOf(krn),
  make: (draw, nth, { bucket }) => ({
    bucketId: bucket as Ref,
    name: `ours-${nth}`,
    expirationDays: draw.int(1, 90),
    ...(draw.chance(0.3) ? { noncurrentDays: 7 } : {}),
  }),
  vary: (draw, inputs, nth) =>
    draw.pick([
      { ...inputs, expirationDays: draw.int(1, 90), enabled: false },
      { ...inputs, name: `ours-${nth}`, deleteIncompleteMpu: 1 },
    ]),
  is: (row, { name, bucketId }) => row.name === name && row.parents[0] === bucketId,
  drift(draw, row) {
    const { fields } = row as Row & { readonly fields: Readonly<Record<string, unknown>> };
    const { noncurrent_days: _, ...without } = fields;
    return draw.pick([
      { enabled: false },
      { fields: { ...fields, delete_incomplete_mpu: 3 } },
      { fields: without },
    ]);
  },
  writes: {
    name: "name",
    enabled: "enabled",
    "fields.expiration_days": "expirationDays",
    "fields.noncurrent_days": "noncurrentDays",
    "fields.delete_incomplete_mpu": "deleteIncompleteMpu",
    "fields.expired_obj_delete_marker": "expiredObjDeleteMarker",
  },
};
