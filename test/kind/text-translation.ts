import { type LifecycleCase, ofRequest } from "../adapter/lifecycle/case.ts";
import type { SimulatedKind } from "../simulation/kind.ts";
import { textRequest } from "../simulation/metered.ts";

const inputs = { text: "good day", srcLanguage: "eng_Latn", tgtLanguage: "hin_Deva" };
const replace = { ...inputs, text: "good night" };

export const lifecycleCase: LifecycleCase = {
  ...ofRequest,
  inputs,
  replace,
  replaceSameName: { ...replace, tgtLanguage: "tam_Taml" },
};

export const simulatedKind: SimulatedKind = {
  ...textRequest("translate", "text"),
  make: (draw, nth) => ({
    text: `ours-${nth}`,
    srcLanguage: "eng_Latn",
    tgtLanguage: draw.pick(["hin_Deva", "tam_Taml"]),
  }),
};
