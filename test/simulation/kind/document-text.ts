import type { SimulatedKind } from "../kind.ts";
import { isJob, letter } from "../metered.ts";

export const kind: SimulatedKind = {
  emulatorKind: "document_job",
  needs: [],
  make: (draw, nth) => ({
    language: "english",
    fileType: "Digital",
    ...letter(draw, nth),
  }),
  vary: (draw, { content: _, contentBase64: __, ...inputs }, nth) =>
    draw.pick([
      { ...inputs, ...letter(draw, nth) },
      { ...inputs, ...letter(draw, nth), fileType: "Scanned" },
    ]),
  successor: ({ contentBase64: _, ...inputs }, nth) => ({ ...inputs, content: `ours-${nth}` }),
  is: (row, inputs) => isJob(row, "extract_text", inputs),
  permanent: true,
  unlisted: true,
};
