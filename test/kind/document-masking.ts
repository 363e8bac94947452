import { type LifecycleCase, ofJob } from "../adapter/lifecycle/case.ts";
import type { SimulatedKind } from "../simulation/kind.ts";
import { documentJob, letter } from "../simulation/metered.ts";

const inputs = { language: "english", fileType: "Digital", content: "Name: Ana", keysToMask: ["Name"] };
const replace = { ...inputs, content: "Name: Ben" };

export const lifecycleCase: LifecycleCase = {
  ...ofJob,
  inputs,
  replace,
  replaceSameName: { ...replace, keysToMask: ["City"] },
};

export const simulatedKind: SimulatedKind = {
  ...documentJob("PII_masking"),
  make: (draw, nth) => ({
    language: "english",
    fileType: "Digital",
    ...letter(draw, nth),
    keysToMask: ["Name"],
  }),
  vary: (draw, { content: _, contentBase64: __, ...inputs }, nth) =>
    draw.pick([
      { ...inputs, ...letter(draw, nth) },
      { ...inputs, ...letter(draw, nth), fileType: "Scanned" },
      { ...inputs, ...letter(draw, nth), keysToMask: ["City", "Name"] },
    ]),
};
