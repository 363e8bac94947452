import { expect, test } from "@jest/globals";
import { cloud, refusal } from "../client.ts";

const route = (action: string) => `POST /api/v1/languagelabs/${action}`;

async function answer(action: string, body: object): Promise<unknown> {
  const reply = await cloud().call(route(action), { body });
  expect(reply.status).toBe(200);
  return reply.body;
}

test("the language of a text is detected by its script", async () => {
  expect(await answer("language-detection", { query: "नमस्ते दुनिया and hello" })).toEqual({
    status: "success",
    data: [
      { label: "hin", value: expect.stringMatching(/^0\.\d\d$/) },
      { label: "eng", value: expect.stringMatching(/^0\.\d\d$/) },
    ],
  });
});

test("entities come in a group for each parameter", async () => {
  const text = "Yesterday Ada Lovelace wrote to ada@example.org or +91 98765 43210.";
  expect(
    await answer("entity-extraction", { text, lang_from: "hin", param_list: ["ner", "pii", "profanity"] }),
  ).toEqual({
    status: "success",
    data: [
      { title: "ner", color: "#54a24b", data: [{ label: "NAME", value: "Ada Lovelace" }] },
      {
        title: "pii",
        color: "#f58518",
        data: [
          { label: "EMAIL", value: "ada@example.org" },
          { label: "PHONE", value: "+91 98765 43210" },
        ],
      },
      { title: "profanity", color: "#e45756", data: [] },
    ],
    Total_entities: 3,
  });
});

test("a summary is the first sentences that fit, or the first words", async () => {
  const text = "One two three. Four five. Six seven eight nine.";
  const summary = async (summary_size: number) =>
    answer("summarization", { text, input_language: "eng", summary_size });
  expect(await summary(5)).toMatchObject({ data: { summaryText: "One two three. Four five." } });
  expect(await summary(2)).toMatchObject({ data: { summaryText: "One two" } });
});

test("a translation is the text with the mark of its target", async () => {
  const body = { text: "hello", src_language: "eng_Latn", tgt_language: "hin_Deva", model: "any" };
  expect(await answer("translation", body)).toEqual({
    status: "success",
    data: { translated_text: "[hin_Deva] hello" },
  });
});

test.each([
  ["It is good, I love it", { label: "positive", value: ["good", "love"] }],
  ["a sad day", { label: "negative", value: ["sad"] }],
  ["a day", { label: "neutral", value: [] }],
])("the sentiment of %j is returned with its words", async (text, sentiment) => {
  expect(await answer("sentiment-analysis", { text, lang_from: "eng" })).toEqual({
    status: "success",
    Sentiment: [sentiment],
  });
});

test("a value outside a closed set, a summary of no words and a missing key are rejected", async () => {
  const emulator = cloud();
  const text = "hello";
  const status = async (action: string, body: object, headers = {}) =>
    (await refusal(emulator, route(action), { body, headers }))[0];
  expect(await status("entity-extraction", { text, lang_from: "eng", param_list: ["ner"] })).toBe(400);
  expect(await status("summarization", { text, input_language: "eng", summary_size: 0 })).toBe(400);
  expect(await status("sentiment-analysis", { text, lang_from: "xxx" })).toBe(400);
  expect(await status("language-detection", { query: text }, { authorization: "" })).toBe(401);
  expect(await status("language-detection", { query: "down-error-503" })).toBe(503);
});
