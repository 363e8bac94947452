import { uuidOf } from "../../../emulator/state/id.ts";
import type { Ref, SimulatedKind } from "../kind.ts";

export const kind: SimulatedKind = {
  place: 17,
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
  drift: () => ({ enabled: false }),
};
