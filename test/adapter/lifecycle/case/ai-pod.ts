import type { LifecycleCase } from "../case.ts";

const inputs = {
  name: "life",
  templateId: 1,
  instanceType: "p1.small",
  sshkeyName: "demo-key",
  volumeDiskSizeGb: 50,
  exposeHttpPorts: [8888],
  powerState: "running",
};
const replace = { ...inputs, name: "life-2" };

export const lifecycleCase: LifecycleCase = {
  inputs,
  update: { ...inputs, powerState: "stopped", restartWhenChanged: { by: "hand" } },
  replace,
  replaceSameName: { ...replace, volumeDiskSizeGb: 60 },
  drift: { change: { running: false }, planned: "update" },
  // A read does not prove that a pod was deleted.
  deleted: "never",
  importId: (id) => id,
};
