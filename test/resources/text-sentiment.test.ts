import { expect, test } from "@jest/globals";
import { engine } from "../../provider/engine/engine.ts";
import { openCloud, requests, resource } from "../support/cloud.ts";
import { sentences, testTextService } from "./text-service.ts";

testTextService({
  kind: "text-sentiment",
  operation: "analyze_sentiment",
  written: { text: sentences, langFrom: "eng" },
  body: { text: sentences, lang_from: "eng" },
  result: { sentiments: [{ label: "positive", values: ["great"] }] },
});

test("a value outside a closed set is an error that names the nearest one", () => {
  const { problems } = engine.check(resource("text-sentiment"), { text: "so", langFrom: "engl" });
  expect(problems).toEqual([
    {
      path: ["langFrom"],
      problem: expect.stringMatching(/^must be "eng" or "hin" .*; did you mean "eng"\?$/),
    },
  ]);
});

test("a hundred texts are one request each, concurrently", async () => {
  const cloud = openCloud();
  const texts = Array.from({ length: 100 }, (_, at) => `text ${at}`);
  await cloud.run(
    Promise.all(texts.map((text) => cloud.create("text-sentiment", { text, langFrom: "eng" }))),
  );
  const bodies = requests(cloud, "analyze_sentiment").map(({ body }) => (body as { text: string }).text);
  expect(bodies.toSorted()).toEqual(texts.toSorted());
});
