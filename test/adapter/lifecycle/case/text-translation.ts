import type { LifecycleCase } from "../case.ts";

const inputs = { text: "good day", srcLanguage: "eng_Latn", tgtLanguage: "hin_Deva" };
const replace = { ...inputs, text: "good night" };

export const lifecycleCase: LifecycleCase = {
  stateOnly: true,
  inputs,
  update: null,
  replace,
  replaceSameName: { ...replace, tgtLanguage: "tam_Taml" },
  drift: null,
  deleted: "never",
  importId: null,
};
