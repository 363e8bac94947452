import { type LifecycleCase, ofRequest } from "../adapter/lifecycle/case.ts";
import type { SimulatedKind } from "../simulation/kind.ts";
import { textRequest } from "../simulation/metered.ts";

const inputs = { text: "a good day", langFrom: "eng" };
const replace = { ...inputs, text: "a bad day" };

export const lifecycleCase: LifecycleCase = {
  ...ofRequest,
  inputs,
  replace,
  replaceSameName: { ...replace, langFrom: "hin" },
};

export const simulatedKind: SimulatedKind = {
  ...textRequest("analyze_sentiment", "text"),
  make: (draw, nth) => ({ text: `ours-${nth}`, langFrom: draw.pick(["eng", "kan"]) }),
};
