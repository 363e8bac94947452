import { recipient } from "../catalogue.ts";
import type { Row, SimulatedKind } from "../kind.ts";

export const kind: SimulatedKind = {
  needs: [],
  make: (draw, nth) => ({
    name: `ours-${nth}`,
    ...(draw.chance(0.3) ? { recipientPublicKey: recipient } : {}),
  }),
  vary: (_, inputs, nth) => ({ ...inputs, rotateWhenChanged: { round: String(nth) } }),
  idOf: ({ name }) => name,
  is: (row, { name }) => (row as Row & { readonly keyName: string }).keyName === name,
  // The listing shows no names.
  unlisted: true,
};
