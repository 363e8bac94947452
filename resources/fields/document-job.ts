import * as z from "zod/mini";
import type { Problem } from "../../provider/core/error.ts";
import { lookupCode, wording } from "../../provider/core/wording.ts";
import { isMissing } from "../../provider/definition/content.ts";
import { computed, type Fields, field } from "../../provider/definition/field.ts";
import type { Inputs } from "../../provider/definition/inference.ts";
import { defineResource, type Resource } from "../../provider/definition/resource.ts";
import { base64Text, text } from "../../provider/definition/validator.ts";
import { type DocumentAction, documentStatus, findDocument, submitDocument } from "../wire/document.ts";
import { contentOf, oneContent, oneForm, plannedContent } from "./object-content.ts";
import { local, unreadable } from "./option.ts";

/** Resources of document jobs: each submits its document once and waits until the job is done. */

const forms = ["content", "contentBase64", "source"] as const;

const documentFields = {
  language: field(text, "Language of the document, as a lowercase word.", {
    ...unreadable,
    known: ["english"],
  }),
  fileType: field(text, "Type of the document.", {
    ...unreadable,
    known: ["Digital", "Scanned"],
  }),
  content: field(z.optional(z.string()), wording`Document as text. ${oneForm}`, { ...local, secret: true }),
  contentBase64: field(z.optional(base64Text), wording`Document as bytes, encoded in Base64. ${oneForm}`, {
    ...local,
    secret: true,
  }),
  source: field(
    z.optional(text),
    wording`Path of a local file with the document, read at each plan: a changed file is submitted again. ${oneForm}`,
    { ...local, file: true },
  ),
  checksum: field(z.optional(z.string()), "SHA-256 of the document, in lowercase hex.", {
    ...unreadable,
    computed: true,
    calculated: {
      needs: forms,
      from: (inputs: Parameters<typeof contentOf>[0]) => contentOf(inputs)?.sha256,
    },
    usage: "Default: calculated from the document. A configured value must match the document.",
  }),
  fileId: computed(
    z.string(),
    wording`ID of the job, by which ${lookupCode("document-result")} finds its result.`,
  ),
  status: computed(z.string(), "Status of the job, as reported by the API."),
};

/** Rejects an empty document. */
function notEmpty(inputs: Parameters<typeof contentOf>[0]): Problem | undefined {
  // The same apply may write the file.
  if (inputs.source !== undefined && isMissing(inputs.source)) return undefined;
  if (contentOf(inputs)?.size !== 0) return undefined;
  const [form = "source"] = forms.filter((name) => inputs[name] !== undefined);
  return { path: [form], problem: "is empty: there is no document to submit" };
}

/** Definition of a kind of document job: its own fields, and the request that submits a document. */
export interface DocumentJob<F extends Fields> {
  readonly name: string;
  readonly about: string;
  readonly action: DocumentAction;
  readonly fields: F;
  /** Names of the own fields by the field of the request body. */
  readonly attributes: { readonly [field: string]: keyof F & string };
}

/** Defines the resource of a kind of document job. */
export const defineDocumentJob = <const F extends Fields>(job: DocumentJob<F>): Resource =>
  defineResource({
    name: job.name,
    category: "ai",
    about: `${job.about} The job runs once, when the resource is created; a change of the document or of an input submits a new job.`,
    timeouts: { create: 1800, read: 120, update: 120, delete: 120 },
    regional: false,
    noun: "document job",
    billed: "Each submitted document is billed.",
    lifecycle: {
      field: "status",
      ready: [documentStatus.ready],
      pending: [documentStatus.pending],
      failed: ["failed", "failure", "error"],
      late: "kept",
    },
    fields: { ...documentFields, ...job.fields } as typeof documentFields,
    rules: [
      { needs: forms, check: oneContent },
      { needs: forms, check: notEmpty },
    ],
  })({
    async create({ api, inputs }) {
      const { language, fileType } = inputs;
      const values = inputs as Inputs<Fields>;
      const fields = Object.entries(job.attributes).map(([wire, name]) => [wire, values[name]]);
      const { fileId, status } = await submitDocument(api, job.action, {
        body: { language, file_type: fileType, ...Object.fromEntries(fields) },
        content: { field: "file_content", bytes: plannedContent(inputs) },
        attributes: {
          language: "language",
          file_type: "fileType",
          file_content: "source",
          ...job.attributes,
        },
      });
      return { id: fileId, values: { fileId, status } };
    },

    async read({ api, id, region, recorded: { status } }) {
      // A finished job does not change, so its status is not read again.
      if (status === documentStatus.ready) return { fileId: id, status, region };
      const found = await findDocument(api, id);
      return found && { fileId: id, status: found.status, region };
    },

    delete: {
      undeletable: "The API cannot delete a document job: the job is only removed from the state.",
    },
  });
