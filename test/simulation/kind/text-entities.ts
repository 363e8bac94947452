import type { SimulatedKind } from "../kind.ts";
import { isRequest } from "../metered.ts";

export const kind: SimulatedKind = {
  emulatorKind: "text_request",
  needs: [],
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
  successor: (inputs, nth) => ({ ...inputs, text: `ours-${nth}` }),
  is: (row, { text }) => isRequest(row, "extract_entities", text),
  permanent: true,
  unlisted: true,
};
