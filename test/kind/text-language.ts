import { type LifecycleCase, ofRequest } from "../adapter/lifecycle/case.ts";
import type { SimulatedKind } from "../simulation/kind.ts";
import { textRequest } from "../simulation/metered.ts";

const inputs = { query: "good day" };
const replace = { ...inputs, query: "good evening" };

export const lifecycleCase: LifecycleCase = {
  ...ofRequest,
  inputs,
  replace,
  replaceSameName: { ...replace, query: "good night" },
};

export const simulatedKind: SimulatedKind = {
  ...textRequest("detect_language", "query"),
  make: (_draw, nth) => ({ query: `ours-${nth}` }),
};
