import { scenario } from "../tour.ts";

const sentiment = (label: string, ...value: readonly string[]) => ({ Sentiment: [{ label, value }] });

scenario("a text is summarised by sentences or words, and its sentiment has its words", [
  ["detect_language", { query: "hello" }, { data: [{ label: "eng", value: "1.00" }] }],
  ["summarize", { summary_size: 2 }, { data: { summaryText: "One two" } }],
  ["summarize", { summary_size: 3 }, { data: { summaryText: "One two three." } }],
  ["summarize", { summary_size: 0 }, 400],
  ["analyze_sentiment", { text: "a sad Day" }, sentiment("negative", "sad")],
  ["analyze_sentiment", { text: "a day" }, sentiment("neutral")],
  ["analyze_sentiment", { text: "good and bad" }, sentiment("neutral")],
  ["analyze_sentiment", { lang_from: "xxx" }, 400],
  ["extract_entities", { lang_from: "eng" }, 400],
  ["extract_entities", { param_list: [] }, "400 param_list: must not be empty"],
  [
    "extract_entities",
    { text: "Ada is here.", param_list: ["ner", "task_type"] },
    { "data.0.data": [], "data.1.data": [{ label: "TASK", value: "statement" }], Total_entities: 1 },
  ],
  ["translate", { src_language: "eng" }, "400 src_language: must be a language and its script, such as…"],
  ["detect_language", { query: "down-error-503 " }, "503 refused because of the name down-error-503"],
  ["translate", { text: "down-error-503" }, "503 …"],
]);
