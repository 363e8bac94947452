import type { SimulatedKind } from "../kind.ts";

const keys = ["AIDv649", "AIDv640"].map(
  (part) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${part}RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+`,
);

export const kind: SimulatedKind = {
  needs: [],
  make: (draw, nth) => ({ name: `ours-${nth}`, publicKey: draw.pick(keys) }),
  vary: (draw, inputs) => ({ ...inputs, publicKey: draw.pick(keys) }),
  drift: (draw) => ({ publicKey: draw.pick(keys) }),
};
