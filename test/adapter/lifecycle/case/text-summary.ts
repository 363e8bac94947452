import type { LifecycleCase } from "../case.ts";

const inputs = { text: "It rains. It pours.", inputLanguage: "eng", summarySize: 2 };
const replace = { ...inputs, text: "It snows. It pours." };

export const lifecycleCase: LifecycleCase = {
  stateOnly: true,
  inputs,
  update: null,
  replace,
  replaceSameName: { ...replace, summarySize: 4 },
  drift: null,
  deleted: "never",
  importId: null,
};
