import type { SimulatedKind } from "../kind.ts";
import { isRequest } from "../metered.ts";

export const kind: SimulatedKind = {
  emulatorKind: "text_request",
  needs: [],
  make: (draw, nth) => ({
    text: `ours-${nth}`,
    srcLanguage: "eng_Latn",
    tgtLanguage: draw.pick(["hin_Deva", "tam_Taml"]),
  }),
  vary: (_draw, inputs, nth) => ({ ...inputs, text: `ours-${nth}` }),
  successor: (inputs, nth) => ({ ...inputs, text: `ours-${nth}` }),
  is: (row, { text }) => isRequest(row, "translate", text),
  permanent: true,
  unlisted: true,
};
