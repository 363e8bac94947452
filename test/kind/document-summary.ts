import { type LifecycleCase, ofJob } from "../adapter/lifecycle/case.ts";
import type { SimulatedKind } from "../simulation/kind.ts";
import { documentJob, letter } from "../simulation/metered.ts";

const inputs = {
  language: "english",
  fileType: "Digital",
  content: "Name: Ana",
  wordCountForSummarization: 5,
};
const replace = { ...inputs, content: "Name: Ben" };

export const lifecycleCase: LifecycleCase = {
  ...ofJob,
  inputs,
  replace,
  replaceSameName: { ...replace, wordCountForSummarization: 6 },
};

export const simulatedKind: SimulatedKind = {
  ...documentJob("doc_summarization"),
  make: (draw, nth) => ({
    language: "english",
    fileType: "Digital",
    ...letter(draw, nth),
    wordCountForSummarization: draw.int(1, 50),
  }),
  vary: (draw, { content: _, contentBase64: __, ...inputs }, nth) =>
    draw.pick([
      { ...inputs, ...letter(draw, nth) },
      { ...inputs, ...letter(draw, nth), fileType: "Scanned" },
      { ...inputs, ...letter(draw, nth), wordCountForSummarization: 60 },
    ]),
};
