import { type LifecycleCase, ofJob } from "../adapter/lifecycle/case.ts";
import type { SimulatedKind } from "../simulation/kind.ts";
import { documentJob, letter } from "../simulation/metered.ts";

const inputs = {
  language: "english",
  fileType: "Digital",
  content: "Name: Ana",
  entities: ["PII", "key_value"],
};
const replace = { ...inputs, content: "Name: Ben" };

export const lifecycleCase: LifecycleCase = {
  ...ofJob,
  inputs,
  replace,
  replaceSameName: { ...replace, entities: ["key_value"] },
};

export const simulatedKind: SimulatedKind = {
  ...documentJob("extract_information"),
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
};
