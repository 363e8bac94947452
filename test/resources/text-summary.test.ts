import { expect, test } from "@jest/globals";
import { explain, pathOf } from "../../provider/core/error.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, openCloud, resource } from "../support/cloud.ts";
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

test("a rejection that names a field of the request is attached to its attribute", async () => {
  const cloud = openCloud();
  const body = {
    status: "failed",
    message: "validation failed",
    detail: { info: "summary_size is too large" },
  };
  cloud.emulator.faults.add({ target: "summarize", kind: "422", body });
  const error = await cloud.run(
    failure(cloud.create("text-summary", { text: "so", inputLanguage: "eng", summarySize: 9_999 })),
  );
  expect(pathOf(error)).toEqual(["summarySize"]);
  expect(explain(error).detail).toContain("validation failed: summary_size is too large");
  expect(explain(error).detail).toContain("Nothing was created.");
});
