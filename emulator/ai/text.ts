import { hash } from "node:crypto";
import * as z from "zod";
import { refuseByName } from "../fault/sentinel.ts";
import { type Cloud, newResource } from "../model/cloud.ts";
import { type Operation, operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { text } from "../model/schema.ts";
import type { Resource } from "../state/store.ts";
import {
  detectedLanguages,
  entityGroups,
  entityParameters,
  indianLanguages,
  languages,
  sentimentOf,
  textSummary,
} from "./text-model.ts";

/**
 * Text operations (docs/contract.md#13): synchronous and stateless. A text that ends in `-error-503` is rejected with that
 * status. Each executed request is recorded, since it is billed.
 */

const requestModel = (cloud: Cloud) => cloud.store.model<Resource>("text_request");

/** Records an executed request by its operation and the digest of its text. */
function bill(cloud: Cloud, operation: string, text: string): void {
  requestModel(cloud).insert({
    ...newResource(cloud, "ai", "text", "global"),
    name: `${operation} ${hash("md5", text)}`,
    parents: [],
  });
}

const locale = text.regex(/^[a-z]{3}_[A-Z][a-z]{3}$/, "must be a language and its script, such as hin_Deva");

function textOperation<B extends object>(
  name: string,
  action: string,
  body: z.ZodType<B>,
  answer: (body: B) => Record<string, unknown>,
): Operation {
  return operation({
    name,
    method: "POST",
    path: `/api/v1/languagelabs/${action}`,
    section: "13",
    source: "seed",
    body,
    handle(cloud, { body }) {
      const { text = "", query = text } = body as { text?: string; query?: string };
      refuseByName(query.trimEnd());
      bill(cloud, name, query);
      return { status: 200, body: { status: "success", ...answer(body) } };
    },
  });
}

const detectLanguage = textOperation(
  "detect_language",
  "language-detection",
  z.strictObject({ query: text }),
  ({ query }) => ({ data: detectedLanguages(query) }),
);

const extractEntities = textOperation(
  "extract_entities",
  "entity-extraction",
  z.strictObject({
    text,
    lang_from: z.enum(indianLanguages),
    param_list: z.array(z.enum(entityParameters)).min(1, "must not be empty"),
  }),
  ({ text, param_list }) => {
    const data = entityGroups(text, param_list);
    return { data, Total_entities: data.reduce((sum, group) => sum + group.data.length, 0) };
  },
);

const summarize = textOperation(
  "summarize",
  "summarization",
  z.strictObject({ text, input_language: z.enum(languages), summary_size: z.int().min(1) }),
  ({ text, summary_size }) => ({ data: { summaryText: textSummary(text, summary_size) } }),
);

/** Returns the text with the target locale in front of it, in place of a translation. */
const translate = textOperation(
  "translate",
  "translation",
  z.strictObject({ text, src_language: locale, tgt_language: locale, model: text }),
  ({ text, tgt_language }) => ({ data: { translated_text: `[${tgt_language}] ${text}` } }),
);

const analyzeSentiment = textOperation(
  "analyze_sentiment",
  "sentiment-analysis",
  z.strictObject({ text, lang_from: z.enum(languages) }),
  ({ text }) => ({ Sentiment: [sentimentOf(text)] }),
);

/** Text operations. */
export const textKind: ResourceKind = {
  name: "text_request",
  operations: [detectLanguage, extractEntities, summarize, translate, analyzeSentiment],
};
