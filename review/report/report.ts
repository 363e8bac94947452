import * as z from "zod";
import { outcomes } from "../model/outcome.ts";
import { ruleId } from "../rule/rule.ts";
import { outcomes as appliedOutcomes } from "./applied-outcome.ts";

/**
 * Report of a review: all data that the outputs show, without sensitive values. It is the JSON output, and an input of `kcloud
 * review --in report.json`. `schemaVersion` increases if a field changes its meaning.
 */

export const schemaVersion = 1;

const severity = z.enum(["critical", "high", "medium", "low"]);
const path = z.array(z.union([z.string(), z.number()]));

/**
 * Value: JSON text, or the reason why there is none. A long text is truncated: `cut` is its full length in characters, `sha256`
 * the hash of the full text in hex.
 */
const shown = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("value"),
    text: z.string(),
    cut: z.number().optional(),
    sha256: z.string().optional(),
  }),
  z.object({ kind: z.literal("none") }),
  z.object({ kind: z.literal("unknown") }),
  z.object({ kind: z.literal("sensitive"), mark: z.string().optional() }),
]);

const source = z.object({ file: z.string(), line: z.number() });

/** Differences inside of a list, a document or a long text. */
const inner = z.object({
  /** Formats in which texts are compared, outermost first. */
  formats: z.array(z.enum(["Base64", "JSON"])),
  parts: z.array(
    z.object({
      /** "kept" for an equal line next to a difference. */
      effect: z.enum(["removed", "added", "changed", "moved", "kept"]),
      /** Place inside of the value, such as `[2].port`, `line 12`, or `[3] to [1]`; empty for members of a set. */
      at: z.string(),
      /** Parts of the value. A line or a passage of a text is written like the inside of a JSON string, with bare quotes. */
      before: shown.optional(),
      after: shown.optional(),
    }),
  ),
  /** Number of differences that are left out. */
  omitted: z.number(),
});

const difference = z.object({
  path,
  /** Name of the attribute as the engine writes it, including the path below it. */
  name: z.string(),
  before: shown,
  after: shown,
  forcesReplacement: z.boolean(),
  /** True if an import records the value although the API does not show that of the object. */
  isUncompared: z.optional(z.literal(true)),
  /** True if only the API sets the value. */
  isComputed: z.optional(z.literal(true)),
  inner: inner.optional(),
});

const change = z.object({
  plan: z.string(),
  engine: z.enum(["terraform", "opentofu", "pulumi", "unknown"]),
  address: z.string(),
  type: z.string(),
  kind: z.string(),
  name: z.string().optional(),
  id: z.string().optional(),
  action: z.enum(["create", "update", "replace", "delete", "forget", "read", "none"]),
  order: z.enum(["create first", "delete first"]).optional(),
  cause: z.string().optional(),
  previousAddress: z.string().optional(),
  importedId: z.string().optional(),
  isDeposed: z.boolean().optional(),
  parents: z.array(z.string()),
  source: source.optional(),
  differences: z.array(difference),
  /** Reasons of a delete or replacement, and the data that it loses. */
  reasons: z.array(z.string()),
  /** Sentence on how to undo the change. */
  reversal: z.string(),
  dependents: z.object({ direct: z.number(), total: z.number(), names: z.array(z.string()) }),
});

const waiver = z.object({ owner: z.string(), reason: z.string(), until: z.string() });

const finding = z.object({
  /** SHA-256 of rule, plan, address and path; the same in every run. */
  fingerprint: z.string(),
  rule: z.string().regex(ruleId),
  title: z.string(),
  severity,
  confidence: z.enum(["proven", "likely", "needs a live check"]),
  plan: z.string(),
  /** Address of the object, or of what else the finding is about; the name of the plan for a finding about the whole plan. */
  address: z.string().optional(),
  /** Identifier of the object, if it exists. */
  id: z.string().optional(),
  /** SHA-256 of rule, severity, path and values: another value gives another digest. */
  content: z.string().optional(),
  /** Set if the plan moves the object to this address. */
  isMoved: z.literal(true).optional(),
  kind: z.string().optional(),
  name: z.string().optional(),
  path: path.optional(),
  text: z.string(),
  remedy: z.string(),
  source: source.optional(),
  waiver: waiver.optional(),
  /** Set for a finding about a change outside the engine: the plan undoes it, changes the object otherwise, or leaves it. */
  drift: z.enum(["undone", "touched", "untouched"]).optional(),
});

const drift = z.object({
  plan: z.string(),
  kind: z.string(),
  /** Attribute, or "deleted" for objects that no longer exist. */
  name: z.string(),
  count: z.number(),
  addresses: z.array(z.string()),
  guess: z.string(),
});

const plan = z.object({
  name: z.string(),
  engine: z.enum(["terraform", "opentofu", "pulumi", "unknown"]),
  engineVersion: z.string().optional(),
  /** Folder of the program in the repository. */
  root: z.string().optional(),
  purpose: z.enum(["change", "drift"]),
  objects: z.number(),
  gaps: z.array(z.string()),
  unknownParts: z.array(z.string()),
  messages: z.array(z.object({ level: z.enum(["error", "warning", "info"]), text: z.string() })),
  prior: z.object({
    digest: z.string(),
    serial: z.number().optional(),
    lineage: z.string().optional(),
    plannedAt: z.string().optional(),
  }),
});

const counts = z.object({
  create: z.number(),
  update: z.number(),
  replace: z.number(),
  delete: z.number(),
  forget: z.number(),
  move: z.number(),
  import: z.number(),
});

const graph = z.object({
  /** Unchanged objects that refer to a changed object, or that one refers to. */
  unchanged: z.array(
    z.object({ plan: z.string(), address: z.string(), kind: z.string(), name: z.string().optional() }),
  ),
  /**
   * Pairs of an object and an object that it refers to. The number of an object is its index in `changes`, or its index in
   * `unchanged` plus the number of changes.
   */
  edges: z.array(z.array(z.number())),
  /** Number of pairs that were left out. */
  omitted: z.number(),
});

const securityGroup = z.object({
  plan: z.string(),
  /** Address of the group, or its id if it is in no plan. */
  group: z.string(),
  /** Set if the plan does not list unchanged objects: rules that are kept may be missing. */
  isPartial: z.boolean().optional(),
  rules: z.array(
    z.object({
      effect: z.enum(["removed", "added", "kept"]),
      direction: z.string(),
      protocol: z.string(),
      /** "22", "8000-8100" or "all"; empty for protocols without ports. */
      ports: z.string(),
      range: z.string(),
      /** Share of the public addresses that an added rule lets in, from 1/16 to 1. */
      publicShare: z.number().optional(),
      /** Addresses of the rules that allow this traffic. */
      addresses: z.array(z.string()),
    }),
  ),
});

const rehearsedObject = z.object({
  address: z.string(),
  /** Undefined, as `class`, for an object that only a step of the rehearsal names. */
  kind: z.string().optional(),
  class: z
    .enum(["untouched", "created", "changed", "replaced", "destroyed", "failed", "not reached"])
    .optional(),
  isInterrupted: z.boolean(),
  isOnLongestPath: z.boolean(),
  assumptions: z.array(z.string()),
  steps: z.array(
    z.object({
      action: z.enum(["create", "update", "delete", "read", "replace"]),
      result: z.enum(["done", "failed"]),
      /** Positions among the starts and ends of all steps. */
      start: z.number(),
      end: z.number(),
      seconds: z.number().optional(),
    }),
  ),
});

const rehearsal = z.object({
  plan: z.string(),
  engine: z.enum(["terraform", "opentofu", "pulumi"]),
  engineVersion: z.string(),
  outcome: z.enum(outcomes),
  /** Reason why programs of the rehearsal had more network than the emulator, as a clause. */
  unconfined: z.string().optional(),
  /** Number of objects without a step, which are not in `objects`. */
  untouched: z.number(),
  /** In the order in which their first steps began. */
  objects: z.array(rehearsedObject),
  /** Addresses of the steps that determine the duration. */
  longestPath: z.array(z.string()),
  /** Connections that were absent in between. */
  absent: z.array(z.string()),
  /** Addresses that a second plan would change. */
  secondPlan: z.array(z.string()),
  assumed: z.array(z.string()),
  unknown: z.array(z.string()),
  drill: z.object({ seed: z.number(), runs: z.number(), problems: z.number() }).optional(),
});

const verdict = z.object({
  /** Exit code of the verdict: 0, 3 or 4; 5 in a report of `verify`; 7 or 8 in a report after the apply. */
  code: z.literal([0, 3, 4, 5, 7, 8]),
  /** One line: counts, findings, drift. */
  line: z.string(),
  /** Reasons why the gate blocks; empty if it passes. */
  reasons: z.array(z.string()),
  failOn: z.string(),
});

const appliedObject = z.object({
  plan: z.string(),
  address: z.string(),
  kind: z.string(),
  /** Planned effect; "none" for an object that the report does not change, "invoke" for an effect that belongs to no object. */
  planned: z.enum([
    ...["create", "update", "replace", "delete", "forget", "import", "move", "unprotect"],
    ...["invoke", "none"],
  ] as const),
  outcome: z.enum(appliedOutcomes),
  /** Steps of the log. */
  steps: z.array(
    z.object({
      action: z.enum(["create", "update", "delete", "read", "replace", "invoke"]),
      result: z.enum(["done", "failed", "open"]),
    }),
  ),
  /** Sentences on the outcome and on what exists; empty if all is as planned. */
  text: z.string(),
  /** Error texts of the engine. */
  errors: z.array(z.string()),
  /** Whether the state has the object; undefined without a state, and for effects without an object. */
  exists: z.boolean().optional(),
  id: z.string().optional(),
  /** True if the next apply replaces the object. */
  isTainted: z.literal(true).optional(),
  /** Number of old objects of interrupted replacements. */
  deposed: z.number().optional(),
  /** Operation of Pulumi whose result is not known, such as "creating". */
  pending: z.string().optional(),
  /** Planned values that the apply did not set, by their names. */
  otherValues: z.array(z.string()).optional(),
});

const appliedPlan = z.object({
  name: z.string(),
  engine: z.enum(["terraform", "opentofu", "pulumi", "unknown"]),
  engineVersion: z.string().optional(),
  /** Result with which the apply ended; "unknown" if no log shows its end. */
  end: z.enum(["succeeded", "failed", "unknown"]),
  hasState: z.boolean(),
  /** Sentences on logs and states that cannot be used, or contradict each other. */
  problems: z.array(z.string()),
  /** Errors of the engine that are about no object. */
  errors: z.array(z.string()),
  /** Warnings of the engine, such as of an object that remains in the cloud. */
  warnings: z.array(z.string()),
  /** Values that were compared with the planned ones, and those that cannot be: sensitive or unknown ones. */
  comparedValues: z.number(),
  uncomparedValues: z.number(),
  /** Sentences on what to do next. */
  next: z.array(z.string()),
});

/** What an apply did. */
const applied = z.object({
  /** Verdict of the review. */
  review: verdict,
  plans: z.array(appliedPlan),
  /** Objects of the report, and others that the log has, the worst first. */
  objects: z.array(appliedObject),
  /** Number of error and warning texts that are left out. */
  omittedErrors: z.number(),
});

export const reportSchema = z.object({
  schemaVersion: z.literal(schemaVersion),
  verdict,
  counts,
  plans: z.array(plan),
  /** Changes of the policy in the reviewed revision, each a sentence. They apply only if `trusted`. */
  policyChanges: z.object({ trusted: z.boolean(), lines: z.array(z.string()) }),
  findings: z.array(finding),
  /** Objects that the plans change, the most dangerous first. */
  changes: z.array(change),
  /** Rehearsals of the plans; undefined in reports of earlier versions. */
  rehearsals: z.array(rehearsal).optional(),
  /** References between objects; undefined in reports of earlier versions. */
  graph: graph.optional(),
  /** Security groups in which a rule changes, with all their rules; undefined in reports of earlier versions. */
  securityGroups: z.array(securityGroup).optional(),
  drift: z.array(drift),
  outputs: z.array(
    z.object({
      plan: z.string(),
      name: z.string(),
      action: z.enum(["create", "update", "delete"]),
      before: shown,
      after: shown,
      inner: inner.optional(),
    }),
  ),
  invocations: z.array(
    z.object({
      plan: z.string(),
      address: z.string(),
      type: z.string(),
      triggeredBy: z.string().optional(),
      /** Configuration of the effect, such as the text of a command. */
      configuration: shown.optional(),
    }),
  ),
  /** Configurations of the providers; undefined in reports of earlier versions. */
  providers: z
    .array(z.object({ plan: z.string(), name: z.string(), source: z.string(), configuration: shown }))
    .optional(),
  approval: z.object({
    /** Digest to approve and to verify before the apply. */
    digest: z.string().regex(/^kr\d+-[0-9a-f]{64}$/),
    /** False if the digest covers only the fact that sensitive values change, because `KCLOUD_REVIEW_KEY` is not set. */
    coversSensitive: z.boolean(),
    /** Effects that the digest does not cover, each a clause; undefined in reports of earlier versions. */
    uncovered: z.array(z.string()).optional(),
  }),
  /** Result of the apply; undefined in a report before it. */
  applied: applied.optional(),
  /** Differences from the previous report, with `--previous`. */
  since: z
    .object({ added: z.array(z.string()), removed: z.array(z.string()), changed: z.array(z.string()) })
    .optional(),
});

export type Report = z.infer<typeof reportSchema>;
export type ReportChange = z.infer<typeof change>;
export type ReportFinding = z.infer<typeof finding>;
export type ReportDifference = z.infer<typeof difference>;
export type ReportInner = z.infer<typeof inner>;
export type ReportGraph = z.infer<typeof graph>;
export type ReportSecurityGroup = z.infer<typeof securityGroup>;
export type ReportApplied = z.infer<typeof applied>;
export type AppliedObject = z.infer<typeof appliedObject>;
export type AppliedPlan = z.infer<typeof appliedPlan>;
export type ReportRehearsal = z.infer<typeof rehearsal>;
export type ReportDrift = z.infer<typeof drift>;
export type Shown = z.infer<typeof shown>;
export type Counts = z.infer<typeof counts>;
