import { hash } from "node:crypto";
import { Refusal } from "../http/wire.ts";
import type { Cloud } from "../model/cloud.ts";
import { type Content, contentOf } from "../state/content.ts";
import { uuidOf } from "../state/id.ts";
import type { Resource } from "../state/store.ts";
import { entityGroups, textSummary } from "./text-model.ts";

/** Actions of document jobs, as the API returns them (docs/contract.md#14). */
export type DocumentAction = "extract_text" | "extract_information" | "doc_summarization" | "PII_masking";

export type DocumentOptions = {
  readonly language: string;
  readonly file_type: string;
  readonly entities?: readonly string[] | undefined;
  readonly keys_to_extract?: readonly string[] | undefined;
  readonly word_count_for_summarization?: number | undefined;
  readonly keys_to_mask?: readonly string[] | undefined;
};

/** Job on a document. No route deletes it (docs/contract.md#14). */
export type DocumentJob = Resource & {
  readonly action: DocumentAction;
  /** MD5 of the submitted document. */
  readonly document: string;
  /** Size in bytes and MD5 of the result; the content store has it under the UUID of the job. */
  readonly result: { readonly size: number; readonly md5: string };
};

export const documentModel = (cloud: Cloud) => cloud.store.model<DocumentJob>("document_job");

/** Returns the job of a file id; else 404. */
export function requireJob(cloud: Cloud, id: string): DocumentJob {
  const job = documentModel(cloud)
    .all()
    .find(({ krn }) => uuidOf(krn) === id);
  if (job === undefined) throw new Refusal(404, `file ${id} not found`);
  return job;
}

/** Returns the values of the lines `key: value` in a text, by key. */
const pairsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^[ \t]*([\p{L}\p{N} _-]+?)[ \t]*:[ \t]*(.+)$/gmu)].map((line) => line.slice(1, 3)),
  );

const parameterOf: Readonly<Record<string, "pii" | "ner">> = { PII: "pii", NER: "ner" };

function information(text: string, { entities = [], keys_to_extract: keys }: DocumentOptions): object {
  const pairs = pairsOf(text);
  const selected = Object.entries(pairs).filter(([key]) => keys === undefined || keys.includes(key));
  return Object.fromEntries(
    entities.map((entity) => {
      const parameter = parameterOf[entity];
      return [
        entity,
        parameter === undefined ? Object.fromEntries(selected) : entityGroups(text, [parameter])[0]?.data,
      ];
    }),
  );
}

const masked = (text: string, keys: readonly string[]): string =>
  text.replace(/^([ \t]*([\p{L}\p{N} _-]+?)[ \t]*:[ \t]*)(.+)$/gmu, (line, start: string, key: string) =>
    keys.includes(key) ? `${start}***` : line,
  );

/** Returns the result of a job for a text document. */
function resultText(action: DocumentAction, text: string, options: DocumentOptions): string {
  switch (action) {
    case "extract_text":
      return text;
    case "extract_information":
      return JSON.stringify(information(text, options), undefined, 2);
    case "doc_summarization":
      return textSummary(text, options.word_count_for_summarization ?? 1);
    case "PII_masking":
      return masked(text, options.keys_to_mask ?? []);
  }
}

/**
 * Returns the result of a job. Extraction returns a text document of any size unchanged. Other actions read the document in
 * memory; a text with size and digest replaces a document that is larger or is not text.
 */
export function resultOf(action: DocumentAction, document: Content, options: DocumentOptions): Content {
  if (document.bytes === undefined && action === "extract_text") return document;
  const unreadable = `A document of ${document.size} bytes, MD5 ${document.md5}.`;
  let text = unreadable;
  if (document.bytes !== undefined)
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(document.bytes);
    } catch {
      // The bytes are not UTF-8, so `unreadable` replaces the document.
    }
  document.discard();
  return contentOf(Buffer.from(resultText(action, text, options)));
}

/** Returns the signature of a result's address that expires at a time. */
export const resultSignature = ({ store }: Cloud, id: string, expires: string): string =>
  hash("sha256", [store.seed, "document", id, expires].join("\0"));
