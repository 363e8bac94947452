import { type LifecycleCase, ofRequest } from "../adapter/lifecycle/case.ts";
import type { SimulatedKind } from "../simulation/kind.ts";
import { textRequest } from "../simulation/metered.ts";

const inputs = { text: "Ask ana@example.com.", langFrom: "hin", paramList: ["pii", "ner"] };
const replace = { ...inputs, text: "Ask ben@example.com." };

export const lifecycleCase: LifecycleCase = {
  ...ofRequest,
  inputs,
  replace,
  replaceSameName: { ...replace, paramList: ["pii"] },
};

export const simulatedKind: SimulatedKind = {
  ...textRequest("extract_entities", "text"),
  make: (draw, nth) => ({
    text: `ours-${nth}`,
    langFrom: draw.pick(["hin", "guj"]),
    paramList: draw.pick([["ner"], ["ner", "pii"], ["pii", "ner", "keywords"]]),
  }),
  vary: (draw, inputs, nth) =>
    draw.pick([
      { ...inputs, text: `ours-${nth}` },
      { ...inputs, paramList: ["pii", "ner"] },
    ]),
};
