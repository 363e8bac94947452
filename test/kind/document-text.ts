import { type LifecycleCase, ofJob } from "../adapter/lifecycle/case.ts";
import type { SimulatedKind } from "../simulation/kind.ts";
import { documentJob, letter } from "../simulation/metered.ts";

const inputs = { language: "english", fileType: "Digital", content: "Name: Ana" };
const replace = { ...inputs, content: "Name: Ben" };

export const lifecycleCase: LifecycleCase = {
  ...ofJob,
  inputs,
  replace,
  replaceSameName: { ...replace, fileType: "Scanned" },
};

export const simulatedKind: SimulatedKind = {
  ...documentJob("extract_text"),
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
};
