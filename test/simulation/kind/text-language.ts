import type { SimulatedKind } from "../kind.ts";
import { isRequest } from "../metered.ts";

export const kind: SimulatedKind = {
  emulatorKind: "text_request",
  needs: [],
  make: (_draw, nth) => ({ query: `ours-${nth}` }),
  vary: (_draw, inputs, nth) => ({ ...inputs, query: `ours-${nth}` }),
  successor: (inputs, nth) => ({ ...inputs, query: `ours-${nth}` }),
  is: (row, { query: text }) => isRequest(row, "detect_language", text),
  permanent: true,
  unlisted: true,
};
