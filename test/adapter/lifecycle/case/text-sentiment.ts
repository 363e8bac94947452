import type { LifecycleCase } from "../case.ts";

const inputs = { text: "a good day", langFrom: "eng" };
const replace = { ...inputs, text: "a bad day" };

export const lifecycleCase: LifecycleCase = {
  stateOnly: true,
  inputs,
  update: null,
  replace,
  replaceSameName: { ...replace, langFrom: "hin" },
  drift: null,
  deleted: "never",
  importId: null,
};
