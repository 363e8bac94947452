import type { SimulatedKind } from "../kind.ts";
import { isRequest } from "../metered.ts";

export const kind: SimulatedKind = {
  emulatorKind: "text_request",
  needs: [],
  make: (draw, nth) => ({ text: `ours-${nth}`, langFrom: draw.pick(["eng", "kan"]) }),
  vary: (_draw, inputs, nth) => ({ ...inputs, text: `ours-${nth}` }),
  successor: (inputs, nth) => ({ ...inputs, text: `ours-${nth}` }),
  is: (row, { text }) => isRequest(row, "analyze_sentiment", text),
  permanent: true,
  unlisted: true,
};
