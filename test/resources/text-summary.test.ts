import { expect, test } from "@jest/globals";
import { engine } from "../../provider/engine/engine.ts";
import { resource } from "../support/cloud.ts";
import { sentences, testTextService } from "./text-service.ts";

testTextService({
  kind: "text-summary",
  operation: "summarize",
  written: { text: sentences, inputLanguage: "eng", summarySize: 7 },
  body: { text: sentences, input_language: "eng", summary_size: 7 },
  result: { summary: "The engine is great. It never stops." },
});

test("a summary of no words is an error before anything is sent", () => {
  const { problems } = engine.check(resource("text-summary"), {
    text: "so",
    inputLanguage: "eng",
    summarySize: 0,
  });
  expect(problems).toEqual([{ path: ["summarySize"], problem: "must be at least 1" }]);
});
