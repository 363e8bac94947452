import type { LifecycleCase } from "../case.ts";

const inputs = { name: "life", model: "llama", ngpu: 1 };
const replace = { ...inputs, name: "life-2" };

export const lifecycleCase: LifecycleCase = {
  inputs,
  update: { ...inputs, waitFor: ["running"], keepWhenGone: false },
  replace,
  replaceSameName: { ...replace, ngpu: 2 },
  drift: null,
  importId: (id) => id,
  recordedByApply: true,
};
