import { describe, expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../emulator/emulator.ts";
import { explain, pathOf } from "../../provider/core/error.ts";
import { term } from "../../provider/core/name.ts";
import { reveal, type Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, openCloud, requests, resource } from "../support/cloud.ts";

const open = (options: EmulatorOptions = {}) => {
  const cloud = openCloud(options);
  return { cloud, create: (kind: string, written: Values) => cloud.run(cloud.create(kind, written)) };
};

const sentences = "The engine is great. It never stops. Ask ana@example.com about it.";

interface Case {
  readonly kind: string;
  readonly operation: string;
  readonly written: Values;
  readonly body: object;
  readonly result: Values;
}

const cases: readonly Case[] = [
  {
    kind: "text-language",
    operation: "detect_language",
    written: { query: "guten Tag" },
    body: { query: "guten Tag" },
    result: { languages: [{ label: "eng", value: "1.00" }] },
  },
  {
    kind: "text-entities",
    operation: "extract_entities",
    written: { text: sentences, langFrom: "hin", paramList: ["pii"] },
    body: { text: sentences, lang_from: "hin", param_list: ["pii"] },
    result: {
      entities: [{ title: "pii", color: "#f58518", data: [{ label: "EMAIL", value: "ana@example.com" }] }],
      totalEntities: 1,
    },
  },
  {
    kind: "text-summary",
    operation: "summarize",
    written: { text: sentences, inputLanguage: "eng", summarySize: 7 },
    body: { text: sentences, input_language: "eng", summary_size: 7 },
    result: { summary: "The engine is great. It never stops." },
  },
  {
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
  },
  {
    kind: "text-sentiment",
    operation: "analyze_sentiment",
    written: { text: sentences, langFrom: "eng" },
    body: { text: sentences, lang_from: "eng" },
    result: { sentiments: [{ label: "positive", values: ["great"] }] },
  },
];

describe.each(cases)("$kind", ({ kind, operation, written, body, result }) => {
  test("sends one request, and the state holds the result", async () => {
    const { cloud, create } = open();
    const state = await create(kind, written);
    expect(requests(cloud, operation).map((request) => request.body)).toEqual([body]);
    expect(reveal(state.values)).toMatchObject(result);
    expect(state.id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    const definition = resource(kind);
    const read = await cloud.run(engine.read(cloud.reopen(), definition, state, cloud.call));
    const { inputs } = engine.check(definition, written);
    expect(engine.plan(definition, read, inputs, cloud.session).action).toBe("none");
    await cloud.run(engine.delete(cloud.reopen(), definition, state, cloud.call));
    expect(cloud.emulator.log.entries({})).toHaveLength(1);
    expect(cloud.warnings).toEqual([]);
  });

  test("a change of an input replaces, and the plan says that it is billed", async () => {
    const { cloud, create } = open();
    const state = await create(kind, written);
    const [name = ""] = Object.keys(written);
    const { inputs } = engine.check(resource(kind), { ...written, [name]: "another text" });
    const { action, warnings } = engine.plan(resource(kind), state, inputs, cloud.session);
    expect(action).toBe("replace");
    expect(warnings).toMatchObject([
      { summary: `Creating the ${term(kind)} is billed`, detail: "The request is billed." },
    ]);
  });

  test.each(["reset", "500", "502", "html-503", "html-429", "html-200", "cut-json", "wrong-types"])(
    "after %s the request is not sent again",
    async (fault) => {
      const { cloud, create } = open();
      cloud.emulator.faults.add({ target: operation, kind: fault });
      const error = await failure(create(kind, written));
      expect(explain(error).detail).toContain(
        "The request may have been billed. Nothing was recorded in the state.",
      );
      expect(error.state).toBeUndefined();
      expect(requests(cloud, operation)).toHaveLength(1);
    },
  );

  test.each(["503", "429", "401"])("after a %s of the API the request is sent again", async (fault) => {
    const { cloud, create } = open();
    cloud.emulator.faults.add({ target: operation, kind: fault, times: 1 });
    if (fault === "401") {
      // An API key cannot be renewed.
      const error = await failure(create(kind, written));
      expect(explain(error).detail).toContain("Nothing was created.");
    } else {
      await create(kind, written);
      expect(requests(cloud, operation)).toHaveLength(2);
    }
  });

  test("cannot be imported", async () => {
    const { cloud } = open();
    const work = engine.import(cloud.session, resource(kind), "some-id", cloud.call);
    expect(explain(await failure(cloud.run(work))).detail).toContain("exists in the state only");
    expect(cloud.emulator.log.entries({})).toEqual([]);
  });
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

test("a summary of no words is an error before anything is sent", () => {
  const { problems } = engine.check(resource("text-summary"), {
    text: "so",
    inputLanguage: "eng",
    summarySize: 0,
  });
  expect(problems).toEqual([{ path: ["summarySize"], problem: "must be at least 1" }]);
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

test("a rejection that names a field of the request is attached to its attribute", async () => {
  const { cloud, create } = open();
  const body = {
    status: "failed",
    message: "validation failed",
    detail: { info: "summary_size is too large" },
  };
  cloud.emulator.faults.add({ target: "summarize", kind: "422", body });
  const error = await failure(
    create("text-summary", { text: "so", inputLanguage: "eng", summarySize: 9_999 }),
  );
  expect(pathOf(error)).toEqual(["summarySize"]);
  expect(explain(error).detail).toContain("validation failed: summary_size is too large");
  expect(explain(error).detail).toContain("Nothing was created.");
});

test("a hundred texts are one request each, concurrently", async () => {
  const { cloud } = open();
  const texts = Array.from({ length: 100 }, (_, at) => `text ${at}`);
  await cloud.run(
    Promise.all(texts.map((text) => cloud.create("text-sentiment", { text, langFrom: "eng" }))),
  );
  const bodies = requests(cloud, "analyze_sentiment").map(({ body }) => (body as { text: string }).text);
  expect(bodies.toSorted()).toEqual(texts.toSorted());
});
