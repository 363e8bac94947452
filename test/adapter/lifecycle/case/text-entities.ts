import type { LifecycleCase } from "../case.ts";

const inputs = { text: "Ask ana@example.com.", langFrom: "hin", paramList: ["pii", "ner"] };
const replace = { ...inputs, text: "Ask ben@example.com." };

export const lifecycleCase: LifecycleCase = {
  stateOnly: true,
  inputs,
  update: null,
  replace,
  replaceSameName: { ...replace, paramList: ["pii"] },
  drift: null,
  deleted: "never",
  importId: null,
};
