import * as z from "zod";
import { failureByName, refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import { type Cloud, newResource } from "../model/cloud.ts";
import { type Operation, operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { text } from "../model/schema.ts";
import { uuidOf } from "../state/id.ts";
import { startWork, workState } from "../state/work.ts";
import {
  type DocumentAction,
  type DocumentJob,
  type DocumentOptions,
  documentModel,
  requireJob,
  resultOf,
  resultSignature,
} from "./document-model.ts";

/**
 * Document jobs (docs/contract.md#14). A language that ends in `-error-503` is rejected with that status; one that ends in
 * `-fails` creates a job that fails.
 */

const base64Content = z.literal("", "must be Base64, and not empty");

const document = {
  file_content: base64Content,
  language: text,
  file_type: text,
};

/** Renders the envelope of a job, with the URL of the result if there is one. */
function envelope(cloud: Cloud, job: DocumentJob, more: Record<string, unknown>) {
  return {
    status: 200,
    body: {
      code: 200,
      data: { file_id: uuidOf(job.krn), ...more, output_type: "URL" },
      http_status: "OK",
      timestamp: Math.floor(cloud.now / 1000),
      status: "success",
    },
  };
}

function submission<B extends DocumentOptions>(
  name: string,
  action: DocumentAction,
  body: z.ZodType<B>,
): Operation {
  return operation({
    name,
    method: "POST",
    path: `/v1/document/${action}`,
    section: "14",
    source: "seed",
    contentField: "file_content",
    body,
    handle(cloud, { body, content }) {
      refuseByName(body.language);
      if (content.size === 0) throw new Refusal(400, "file_content: must be Base64, and not empty");
      const { krn, ...resource } = newResource(cloud, "document", "job", "global");
      const result = resultOf(action, content, body);
      cloud.contents.put(uuidOf(krn), result);
      const job = documentModel(cloud).insert({
        krn,
        ...resource,
        name: action,
        parents: [],
        work: startWork(cloud.now, cloud.settings.taskMs, failureByName(body.language)),
        action,
        document: content.md5,
        result: { size: result.size, md5: result.md5 },
      });
      return envelope(cloud, job, { action, file_status: "in-progress" });
    },
  });
}

const strings = z.array(text).min(1, "must not be empty");

const submissions = [
  submission("extract_document_text", "extract_text", z.strictObject(document)),
  submission(
    "extract_document_information",
    "extract_information",
    z.strictObject({
      ...document,
      entities: strings,
      keys_to_extract: strings.optional(),
    }),
  ),
  submission(
    "summarize_document",
    "doc_summarization",
    z.strictObject({ ...document, word_count_for_summarization: z.int().min(1) }),
  ),
  submission("mask_document", "PII_masking", z.strictObject({ ...document, keys_to_mask: strings })),
];

const resultPath = "/document/results/{file}";

const getDocumentStatus = operation({
  name: "get_document_status",
  method: "GET",
  path: "/v1/document/status",
  section: "14",
  source: "seed",
  query: z.strictObject({ file_id: text }),
  handle(cloud, { query: { file_id: id }, origin }) {
    const job = requireJob(cloud, id);
    const { addressMs, documentFailureWord } = cloud.settings.assume;
    const state = workState(job.work, cloud.now);
    if (state === "failed") return envelope(cloud, job, { file_status: documentFailureWord });
    if (state !== "success") return envelope(cloud, job, { file_status: "in-progress" });
    const expires = String(cloud.now + addressMs);
    const query = new URLSearchParams({ expires, token: resultSignature(cloud, id, expires) });
    const address = `${origin}${resultPath.replace("{file}", id)}?${query}`;
    return envelope(cloud, job, { output_file: address, file_status: "success" });
  },
});

/** Serves a result at its signed address, on the emulator's own host and without a credential. */
const getDocumentResult = operation({
  name: "get_document_result",
  method: "GET",
  path: resultPath,
  section: "14",
  source: "assumption",
  open: true,
  query: z.strictObject({ expires: text, token: text }),
  handle(cloud, { path: { file: id }, query: { expires, token } }) {
    if (token !== resultSignature(cloud, id, expires)) throw new Refusal(403, "the signature does not match");
    if (cloud.now >= Number(expires)) throw new Refusal(403, "the address has expired");
    const { action, result } = requireJob(cloud, id);
    const type = action === "extract_information" ? "application/json" : "text/plain; charset=utf-8";
    return { status: 200, headers: { "content-type": type }, content: cloud.contents.get(id, result) };
  },
});

/** Document jobs. */
export const documentKind: ResourceKind = {
  name: "document_job",
  operations: [...submissions, getDocumentStatus, getDocumentResult],
};
