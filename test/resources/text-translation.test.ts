import { expect, test } from "@jest/globals";
import { engine } from "../../provider/engine/engine.ts";
import { resource } from "../support/cloud.ts";
import { testTextService } from "./text-service.ts";

testTextService({
  kind: "text-translation",
  operation: "translate",
  written: { text: "good day", srcLanguage: "eng_Latn", tgtLanguage: "hin_Deva" },
  body: {
    text: "good day",
    src_language: "eng_Latn",
    tgt_language: "hin_Deva",
    model: "service-translate-v1.0",
  },
  result: { translatedText: "[hin_Deva] good day" },
});

test("an unknown model or language of a translation is a warning", () => {
  const { problems, warnings } = engine.check(resource("text-translation"), {
    text: "so",
    srcLanguage: "deu_Latn",
    tgtLanguage: "hin_Dev",
    model: "another",
  });
  expect(problems).toEqual([]);
  expect(warnings.map(({ path }) => path)).toEqual([["srcLanguage"], ["tgtLanguage"], ["model"]]);
  expect(warnings[1]?.problem).toContain("did you mean hin_Deva?");
});
