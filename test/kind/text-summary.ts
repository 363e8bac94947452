import { type LifecycleCase, ofRequest } from "../adapter/lifecycle/case.ts";
import type { SimulatedKind } from "../simulation/kind.ts";
import { textRequest } from "../simulation/metered.ts";

const inputs = { text: "It rains. It pours.", inputLanguage: "eng", summarySize: 2 };
const replace = { ...inputs, text: "It snows. It pours." };

export const lifecycleCase: LifecycleCase = {
  ...ofRequest,
  inputs,
  replace,
  replaceSameName: { ...replace, summarySize: 4 },
};

export const simulatedKind: SimulatedKind = {
  ...textRequest("summarize", "text"),
  make: (draw, nth) => ({
    text: `ours-${nth} is a text. It has two sentences.`,
    inputLanguage: draw.pick(["eng", "tam"]),
    summarySize: draw.int(1, 20),
  }),
};
