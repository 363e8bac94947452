import type { LifecycleCase } from "../case.ts";

const inputs = { query: "good day" };
const replace = { ...inputs, query: "good evening" };

export const lifecycleCase: LifecycleCase = {
  stateOnly: true,
  inputs,
  update: null,
  replace,
  replaceSameName: { ...replace, query: "good night" },
  drift: null,
  deleted: "never",
  importId: null,
};
