import * as z from "zod/mini";
import type { Api, CallOf } from "../../provider/definition/api.ts";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { maybeText, text } from "../../provider/definition/validator.ts";

/** Document jobs (docs/contract.md#14), submitted once and then polled by their id. */

const noHeader = { region: false } as const;
const ofDocument = { ...noHeader, body: json<DocumentBody>() };

/** Fields of a body that all kinds of jobs have; the others are those of the kind. */
interface DocumentBody {
  readonly language: string;
  readonly file_type: string;
  readonly [field: string]: unknown;
}

const job = z.object({ data: z.object({ file_id: text, file_status: text }) });

/** Routes that submit a document, by kind of processing. */
export const submitRoutes = {
  text: endpoint("metered", "POST /v1/document/extract_text", job, ofDocument),
  information: endpoint("metered", "POST /v1/document/extract_information", job, ofDocument),
  summary: endpoint("metered", "POST /v1/document/doc_summarization", job, ofDocument),
  masking: endpoint("metered", "POST /v1/document/PII_masking", job, ofDocument),
};

/** Kind of processing that a job performs. */
export type DocumentAction = keyof typeof submitRoutes;

/** Submits a document with one billed request. Returns the id and the status of its job. */
export async function submitDocument(api: Api, action: DocumentAction, call: CallOf<never, DocumentBody>[0]) {
  const { data } = await api.send(submitRoutes[action], call);
  return { fileId: data.file_id, status: data.file_status };
}

/** Route that reads the status of a job. */
export const jobStatus = endpoint(
  "read",
  "GET /v1/document/status",
  z.object({ data: z.object({ file_status: text, output_file: maybeText }) }),
  noHeader,
);

/** Reads the status of a job and the signed URL of its result; returns undefined for a 404. */
export async function findDocument(api: Api, fileId: string) {
  const found = await api.find(jobStatus, { query: { file_id: fileId } });
  return found && { status: found.data.file_status, url: found.data.output_file };
}

/** Statuses of a job (docs/contract.md#17.7). Any other status is a failure. */
export const documentStatus = { pending: "in-progress", ready: "success" } as const;
