import * as z from "zod";

/** Outcome of a rehearsed plan: the form of the file that `kcloud rehearse --out` writes. */

const text = z.string();
const position = z.int().min(0);

const stepSchema = z.strictObject({
  address: text,
  action: z.enum(["create", "update", "delete", "read", "replace"]),
  result: z.enum(["done", "failed"]),
  /** Id of the object after the step, if the engine printed it. */
  id: text.optional(),
  /** Positions of its start and its end among the starts and ends of all steps; those of two steps that ran at once overlap. */
  start: position,
  end: position,
  /** Seconds according to the table of measured times, if there is one. */
  seconds: z.number().min(0).optional(),
});

const objectSchema = z.strictObject({
  address: text,
  /** Kind of the definition, or the type of another provider. */
  kind: text,
  class: z.enum(["untouched", "created", "changed", "replaced", "destroyed", "failed", "not reached"]),
  /** True if the machine ran before and after, and was stopped or restarted in between. */
  isInterrupted: z.boolean(),
  /** Assumptions of the emulator that decided the outcome of a request for the object. */
  assumptions: z.array(text),
});

export const rehearsalSchema = z.strictObject({
  version: z.literal(1),
  engine: z.strictObject({ name: z.enum(["terraform", "opentofu", "pulumi"]), version: text }),
  /** Approval digest of the given plan, else of the rehearsed one. */
  approval: text,
  /** Undefined if programs had no network but that of the emulator; else the reason why they had one, as a clause. */
  unconfined: text.optional(),
  /** True if every step of the plan was done. */
  isComplete: z.boolean(),
  /** Steps in the order in which they ended. */
  steps: z.array(stepSchema),
  /** Addresses of the steps that determine the duration, the first one first. */
  longestPath: z.array(text),
  objects: z.array(objectSchema),
  /** Connections that were absent in between, such as an address of a machine. */
  absent: z.array(text),
  errors: z.array(z.strictObject({ address: text.optional(), text })),
  /** Addresses that a second plan would change; undefined if there was no second plan. */
  secondPlan: z.array(text).optional(),
  /** Facts of the emulator's objects that are in no state, each as a clause. */
  assumed: z.array(text),
  /** Parts of the cloud on which the change depends and which the emulator does not know, each as a clause. */
  unknown: z.array(text),
  /** Differences between the given plan and the rehearsed one, each as a clause. */
  differences: z.array(text),
  /** Runs in which one request of the apply failed; undefined without `--fault-drill`. */
  drill: z
    .strictObject({
      seed: z.int(),
      runs: z.array(
        z.strictObject({
          /** Operation of the API that failed, and its fault. */
          request: text,
          fault: text,
          /** Problem after the next run, such as an object that was lost; undefined if it converged. */
          problem: text.optional(),
        }),
      ),
    })
    .optional(),
});

export type Rehearsal = z.infer<typeof rehearsalSchema>;
export type RehearsedStep = Rehearsal["steps"][number];
export type RehearsedObject = Rehearsal["objects"][number];
