import type { LifecycleCase } from "../case.ts";

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDv649RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+";
const other = publicKey.replace("AIDv649", "AIDv640");

export const lifecycleCase: LifecycleCase = {
  inputs: { name: "life", publicKey: `${publicKey} ops@cloud.example` },
  update: null,
  replace: { name: "life-2", publicKey },
  replaceSameName: { name: "life-2", publicKey: other },
  drift: { change: { publicKey }, planned: "replace" },
  importId: (id, _, { name }) => `${String(name)},${id}`,
};
