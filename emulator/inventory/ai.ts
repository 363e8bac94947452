import * as z from "zod";
import type { Pod } from "../ai/ai-pod-model.ts";
import type { DocumentJob } from "../ai/document-model.ts";
import type { InferenceTask } from "../ai/inference-task.ts";
import { isRunningAt } from "../model/power.ts";
import { form } from "./form.ts";

const fields = z.record(z.string(), z.json()).describe("Fields of the create with the names of the API");
type Fields = z.output<typeof fields>;

const pod = form<Pod>()(
  "ai_pod",
  { fields, running: z.boolean().default(true) },
  {
    load: ({ fields, running }) => ({ parents: [], fields, running }),
    save: (pod, time) => ({ fields: pod.fields as Fields, running: isRunningAt(pod, time) }),
  },
);

const inferenceTask = form<InferenceTask>()(
  "inference_task",
  { user: z.string().min(1), fields },
  {
    load: ({ user, fields }) => ({ parents: [], user, fields }),
    save: (task) => ({ user: task.user, fields: task.fields as Fields }),
  },
);

const md5 = z.string().regex(/^[\da-f]{32}$/, "must be an MD5 in hex");

const documentJob = form<DocumentJob>()(
  "document_job",
  {
    action: z.enum(["extract_text", "extract_information", "doc_summarization", "PII_masking"]),
    document: md5.describe("MD5 of the document"),
    result: z.strictObject({ size: z.int().min(0), md5 }).describe("Reads of the result return zero bytes"),
  },
  {
    load: (fields) => ({ parents: [], ...fields }),
    save: ({ action, document, result }) => ({ action, document, result }),
  },
);

export const aiForms = [pod, inferenceTask, documentJob];
