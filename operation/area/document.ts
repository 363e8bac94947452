import * as z from "zod/mini";
import type { Content } from "../../provider/definition/content.ts";
import { endpoint } from "../../provider/definition/endpoint.ts";
import { field } from "../../provider/definition/field.ts";
import { maybeNumber, maybeText, text, wholeNumber } from "../../provider/definition/validator.ts";
import { jobStatus, submitRoutes } from "../../resources/wire/document.ts";
import { operation } from "../operation.ts";
import { requiredText, textList } from "../parameter.ts";

const section = "14";
const content = "The document.";
const envelope = {
  code: maybeNumber,
  http_status: maybeText,
  status: maybeText,
  timestamp: maybeNumber,
};
const kind = {
  language: requiredText("Language of the document.", { known: ["english"] }),
  fileType: requiredText("Kind of the document.", { known: ["Digital", "Scanned"] }),
};

/** Returns the request that submits a document: the content is encoded while it is sent. */
const submitted = (
  body: { readonly language: string; readonly file_type: string },
  bytes: Content | undefined,
) => ({ body, ...(bytes === undefined ? {} : { content: { field: "file_content", bytes } }) });

/** Operations on documents: each submits a job, which is billed; `waitUntilDone` returns the URL of its result. */
export const document = {
  extractDocumentText: operation(submitRoutes.text, {
    section,
    about: "Submits a document whose text is extracted.",
    parameters: kind,
    content,
    request: ({ language, fileType }, { content }) => submitted({ language, file_type: fileType }, content),
    also: envelope,
  }),
  extractDocumentInformation: operation(submitRoutes.information, {
    section,
    about: "Submits a document from which entities and values are extracted.",
    parameters: {
      ...kind,
      entities: textList("Kinds of the information: `PII`, `NER` and `key_value`."),
      keysToExtract: field(z.optional(z.array(text)), "Names of the values."),
    },
    content,
    request: ({ language, fileType, entities, keysToExtract }, { content }) =>
      submitted({ language, file_type: fileType, ...{ entities, keys_to_extract: keysToExtract } }, content),
    also: envelope,
  }),
  summarizeDocument: operation(submitRoutes.summary, {
    section,
    about: "Submits a document of which a summary is made.",
    parameters: { ...kind, wordCount: field(wholeNumber(1), "Size of the summary in words.") },
    content,
    request: ({ language, fileType, wordCount }, { content }) =>
      submitted({ language, file_type: fileType, ...{ word_count_for_summarization: wordCount } }, content),
    also: envelope,
  }),
  maskDocument: operation(submitRoutes.masking, {
    section,
    about: "Submits a document in which values are masked.",
    parameters: { ...kind, keysToMask: textList("Names of the values.") },
    content,
    request: ({ language, fileType, keysToMask }, { content }) =>
      submitted({ language, file_type: fileType, ...{ keys_to_mask: keysToMask } }, content),
    also: envelope,
  }),
  getDocumentStatus: operation(jobStatus, {
    section,
    about: "Returns the status of a job and, once it is done, a pre-signed URL of its result.",
    parameters: { fileId: requiredText("ID of the job: `data.file_id` of the response to its submission.") },
    request: ({ fileId }) => ({ query: { file_id: fileId } }),
    also: envelope,
    secrets: ["output_file"],
  }),
  getDocumentResult: operation(
    endpoint("read", "GET /document/results/{file}", undefined, { region: false, anonymous: true }),
    {
      section,
      about: "Reads the result of a job at a pre-signed URL.",
      parameters: {
        address: requiredText("Pre-signed URL, which grants access to the result until it expires.", {
          secret: true,
        }),
      },
      request: () => ({ path: { file: "-" } }),
      transfer: "download",
    },
  ),
};
