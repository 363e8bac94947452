import type { LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { SimulatedKind } from "../simulation/kind.ts";

const [publicKey = "", other = ""] = ["AIDv649", "AIDv640"].map(
  (part) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${part}RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+`,
);
const keys = [publicKey, other];

export const lifecycleCase: LifecycleCase = {
  inputs: { name: "life", publicKey: `${publicKey} ops@cloud.example` },
  update: null,
  replace: { name: "life-2", publicKey },
  replaceSameName: { name: "life-2", publicKey: other },
  drift: { change: { publicKey }, planned: "replace" },
  importId: (id, _, { name }) => `${String(name)},${id}`,
};

export const simulatedKind: SimulatedKind = {
  needs: [],
  make: (draw, nth) => ({ name: `ours-${nth}`, publicKey: draw.pick(keys) }),
  vary: (draw, inputs) => ({ ...inputs, publicKey: draw.pick(keys) }),
  drift: (draw) => ({ publicKey: draw.pick(keys) }),
};
