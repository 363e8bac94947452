import type { SimulatedKind } from "../kind.ts";
import { isRequest } from "../metered.ts";

export const kind: SimulatedKind = {
  emulatorKind: "text_request",
  needs: [],
  make: (draw, nth) => ({
    text: `ours-${nth} is a text. It has two sentences.`,
    inputLanguage: draw.pick(["eng", "tam"]),
    summarySize: draw.int(1, 20),
  }),
  vary: (_draw, inputs, nth) => ({ ...inputs, text: `ours-${nth}` }),
  successor: (inputs, nth) => ({ ...inputs, text: `ours-${nth}` }),
  is: (row, { text }) => isRequest(row, "summarize", text),
  permanent: true,
  unlisted: true,
};
