import type { SimulatedKind } from "../kind.ts";
import { isJob, letter } from "../metered.ts";

export const kind: SimulatedKind = {
  emulatorKind: "document_job",
  needs: [],
  make: (draw, nth) => ({
    language: "english",
    fileType: "Digital",
    ...letter(draw, nth),
    entities: ["PII", "key_value"],
  }),
  vary: (draw, { content: _, contentBase64: __, ...inputs }, nth) =>
    draw.pick([
      { ...inputs, ...letter(draw, nth) },
      { ...inputs, ...letter(draw, nth), fileType: "Scanned" },
      { ...inputs, ...letter(draw, nth), entities: ["key_value", "PII"] },
      { ...inputs, ...letter(draw, nth), entities: ["NER"] },
    ]),
  successor: ({ contentBase64: _, ...inputs }, nth) => ({ ...inputs, content: `ours-${nth}` }),
  is: (row, inputs) => isJob(row, "extract_information", inputs),
  permanent: true,
  unlisted: true,
};
