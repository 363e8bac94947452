import { camelCase, snakeCase } from "../../provider/core/name.ts";
import type { Values } from "../../provider/core/value.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { canonical, digestOf } from "../model/canonical.ts";
import type { Action, Cause, Change, EngineName } from "../model/change.ts";
import { actionOfTerraform, isOwnSource, isOwnType, resourceOfTerraform } from "../model/kind.ts";
import type { Invocation, Message, OutputChange, Plan } from "../model/plan.ts";
import {
  contradictsItself,
  fingerprintOf,
  inconsistencies,
  isRefreshOnly,
  type Listed,
  namesOtherType,
  objectsIn,
  omittedResources,
  plannedValues,
} from "./consistency.ts";
import type { Parts } from "./document.ts";
import { isObject, type Json, listOf, malformed, objectOf, objectsOf, stringOf, stringsOf } from "./json.ts";
import { NotReviewableError } from "./not-reviewable.ts";
import { providersOf, sensitiveOf } from "./provider.ts";
import { provisionersOf, type References, referencesOf } from "./reference.ts";
import {
  fromTerraform,
  type Masks,
  nameOf,
  shapeOf,
  shareTexts,
  textIn,
  withDeclaredSecrets,
} from "./value.ts";

/** Reader of plans in Terraform's JSON format (`terraform show -json`, `tofu show -json`), format versions 1.x. */

/** Returns true for a plan in Terraform's JSON format. */
export const isTerraformPlan = (json: Json): boolean =>
  typeof json.format_version === "string" && ("resource_changes" in json || "planned_values" in json);

/** Returns true for a state in place of a plan, in the format of files or of `show -json`. */
export const isTerraformState = (json: Json): boolean =>
  ("lineage" in json && "serial" in json && "resources" in json) ||
  (typeof json.format_version === "string" && "values" in json && !("planned_values" in json));

/** Top-level members of a plan that this reader supports. */
const planParts: ReadonlySet<string> = new Set([
  ...[
    "format_version",
    "terraform_version",
    "variables",
    "planned_values",
    "resource_drift",
    "resource_changes",
  ],
  ...[
    "output_changes",
    "prior_state",
    "configuration",
    "relevant_attributes",
    "checks",
    "timestamp",
    "applyable",
  ],
  ...["complete", "errored", "deferred_changes", "action_invocations", "deferred_action_invocations"],
]);

/** Lists of the effects of an apply. */
const lists = [
  ...["resource_changes", "resource_drift", "action_invocations"],
  ...["deferred_changes", "deferred_action_invocations"],
];

/** Parts of a plan that are read row by row. */
export const terraformParts: Parts = new Map([
  ["resource_changes", { row: rowOf }],
  ["resource_drift", { row: rowOf }],
  ["planned_values", plannedValues],
]);

/** Returns the converted rows of a list. */
const rowsIn = (list: unknown): readonly Row[] => objectsOf(list) as readonly unknown[] as readonly Row[];

/** Converts a plan. Throws `NotReviewableError` for another major version of the format. */
export function readTerraform(name: string, json: Json): Plan {
  const format = String(json.format_version);
  if (!/^1(\.|$)/.test(format))
    throw new NotReviewableError(
      `format version ${format} of a plan is not supported; this version reads 1.x`,
    );
  const engine = engineOf(json);
  const references = referencesOf(objectOf(json.configuration));
  const context: Context = { plan: name, engine, references, gaps: [] };
  const changes = rowsIn(json.resource_changes).flatMap((row) => changesOf(context, row));
  const drift = rowsIn(json.resource_drift).flatMap((row) => changesOf(context, row));
  const version = stringOf(json.terraform_version);
  const plannedAt = stringOf(json.timestamp);
  return {
    name,
    engine,
    ...(version === undefined ? {} : { engineVersion: version }),
    purpose: isRefreshOnly(json) ? "drift" : "change",
    changes,
    unlisted: 0,
    drift,
    outputs: Object.entries(objectOf(json.output_changes)).flatMap(([output, change]) =>
      outputChange(output, objectOf(change)),
    ),
    invocations: [
      ...invocationsOf(json),
      ...provisionersOf(objectOf(json.configuration), changes),
      ...rowsIn(json.resource_changes).flatMap(readOf),
    ],
    providers: providersOf(json),
    sensitive: sensitiveOf(json),
    messages: [
      ...messagesOf(json),
      ...omittedResources(json, rowsIn(json.resource_changes)).map((text) => ({
        level: "warning" as const,
        text,
      })),
    ],
    gaps: [
      ...gapsOf(json),
      ...inconsistencies(json, rowsIn(json.resource_changes)),
      ...lists.flatMap((part) => malformed(json, part)),
      ...(isObject(json.output_changes ?? {}) ? [] : ["output_changes is not an object"]),
      ...context.gaps,
    ],
    unknownParts: Object.keys(json).filter((key) => !planParts.has(key)),
    prior: {
      digest: digestOfState(objectOf(objectOf(json.prior_state).values)),
      ...(plannedAt === undefined ? {} : { plannedAt }),
    },
  };
}

/**
 * Returns the digest of the objects and outputs of a state. Omits sensitive values, because the digest would confirm guesses of
 * them.
 */
function digestOfState({ root_module, outputs }: Json): string {
  const objects = objectsIn(objectOf(root_module)).map(
    ({ values, sensitive_values, ...object }): Values => ({
      ...(object as Values),
      values: fromTerraform(values, { sensitive: sensitive_values }),
    }),
  );
  const results = Object.entries(objectOf(outputs)).map(([name, output]): Values => {
    const { value, sensitive } = objectOf(output);
    return { name, value: fromTerraform(value, { sensitive }) };
  });
  return digestOf([...objects, ...results].map((part) => canonical(part, () => "sensitive")));
}

interface Context {
  readonly plan: string;
  readonly engine: EngineName;
  readonly references: References;
  readonly gaps: string[];
}

/** Returns the engine: Terraform writes `applyable` since 1.8, OpenTofu never does. */
function engineOf(json: Json): EngineName {
  if ("applyable" in json) return "terraform";
  const [major = 0, minor = 0] = (stringOf(json.terraform_version) ?? "").split(".").map(Number);
  return major > 1 || minor >= 8 ? "opentofu" : "terraform";
}

const terraformActions: ReadonlyMap<string, readonly { action: Action; order?: Change["order"] }[]> = new Map<
  string,
  { action: Action; order?: Change["order"] }[]
>([
  ["no-op", [{ action: "none" }]],
  ["create", [{ action: "create" }]],
  ["read", [{ action: "read" }]],
  ["open", [{ action: "read" }]],
  ["update", [{ action: "update" }]],
  ["delete", [{ action: "delete" }]],
  ["forget", [{ action: "forget" }]],
  ["delete,create", [{ action: "replace", order: "delete first" }]],
  ["create,delete", [{ action: "replace", order: "create first" }]],
  ["create,forget", [{ action: "create" }, { action: "forget" }]],
  ["forget,create", [{ action: "forget" }, { action: "create" }]],
]);

const causes: ReadonlyMap<unknown, Cause> = new Map<unknown, Cause>([
  ["replace_because_tainted", "tainted"],
  ["replace_by_request", "requested"],
  ["replace_by_triggers", "triggered"],
  ["delete_because_no_resource_config", "not configured"],
  ["delete_because_no_module", "not configured"],
  ["delete_because_no_move_target", "not configured"],
  ["delete_because_enabled_false", "not configured"],
  ["delete_because_wrong_repetition", "fewer instances"],
  ["delete_because_count_index", "fewer instances"],
  ["delete_because_each_key", "fewer instances"],
]);

/** Planned effect on one object as the list of changes has it, without data of other parts of the plan. */
interface Row
  extends Pick<Change, "type" | "resource" | "foreignSource" | "before" | "after" | "forcedBy">,
    Listed {
  readonly isData: boolean;
  /** True if the values do not belong to the action. */
  readonly isContradictory: boolean;
  /** Actions with commas between them. */
  readonly actions: string;
  readonly reason: unknown;
  readonly importing: string | undefined;
  readonly deposed: string | undefined;
  readonly module: string | undefined;
}

/** Converts a row of a list of changes. */
function rowOf(row: Json): Row {
  const change = objectOf(row.change);
  const type = stringOf(row.type) ?? "";
  const resource = row.mode === "managed" ? resourceOfTerraform(type) : undefined;
  const shape = resource && shapeOf(resource);
  const values = (json: unknown, masks: Masks): Values | undefined => {
    if (!isObject(json)) return undefined;
    const converted = fromTerraform(json, masks, shape) as Values;
    return resource === undefined ? converted : withDeclaredSecrets(resource.fields, converted);
  };
  const { before_sensitive, after_sensitive, after_unknown, importing } = change;
  const planned = listOf(change.actions).join(",");
  const deposed = stringOf(row.deposed);
  const isContradictory =
    row.mode === "managed" &&
    (contradictsItself(planned, change) ||
      after_unknown === true ||
      namesOtherType(stringOf(row.address) ?? "", type));
  shareTexts(change.before, change.after);
  return {
    isManaged: row.mode === "managed",
    isData: row.mode === "data",
    isPlanned: isObject(change.after) && deposed === undefined,
    isContradictory,
    fingerprint: fingerprintOf(change.after),
    priorFingerprint: isObject(change.before) ? fingerprintOf(change.before) : undefined,
    isChanged: planned !== "no-op" && planned !== "read",
    isImported: isObject(importing),
    address: stringOf(row.address) ?? type,
    type,
    resource,
    foreignSource: foreignSourceOf(type, stringOf(row.provider_name)),
    actions: planned,
    reason: row.action_reason,
    before: values(change.before, { sensitive: before_sensitive }),
    after: values(change.after, { unknown: after_unknown, sensitive: after_sensitive }),
    forcedBy: listOf(change.replace_paths).map((path) => camelCasePath(listOf(path), resource)),
    importing: isObject(importing) ? (stringOf(importing.id) ?? "an identity") : undefined,
    previousAddress: stringOf(row.previous_address),
    deposed,
    module: stringOf(row.module_address),
  };
}

/** Returns the source of the provider of one of this package's types, if it is another one. */
const foreignSourceOf = (type: string, source: string | undefined): string | undefined =>
  source === undefined || !isOwnType(type) || isOwnSource(source) ? undefined : source;

function changesOf(context: Context, row: Row): Change[] {
  const { plan, engine, gaps } = context;
  const { address, type, resource, before, after, previousAddress, importing, deposed } = row;
  const planned = terraformActions.get(row.actions);
  if (planned === undefined) {
    gaps.push(
      `${address} has an action that this version does not support: ${row.actions.replaceAll(",", ", ")}`,
    );
    return [];
  }
  if (row.isContradictory)
    gaps.push(
      `its parts contradict each other: the values or the type of ${address} do not belong to its action and address`,
    );
  const cause = deposed === undefined ? causes.get(row.reason) : "deposed";
  return planned.map(({ action, order }) => ({
    plan,
    engine,
    address: deposed === undefined ? address : `${address} (deposed ${deposed})`,
    type,
    resource,
    foreignSource: row.foreignSource,
    action,
    order,
    cause,
    // An action that creates one object and forgets another has values of both.
    name: (action === "create" ? undefined : nameOf(before)) ?? nameOf(after),
    id: (action === "create" ? undefined : textIn(before, "id")) ?? textIn(after, "id"),
    before: action === "create" ? undefined : before,
    after: action === "delete" || action === "forget" ? undefined : after,
    forcedBy: row.forcedBy,
    previousAddress: previousAddress === address ? undefined : previousAddress,
    importedId: importing,
    isDeposed: deposed === undefined ? undefined : true,
    dependsOn: context.references.dependsOn(address),
    originsOf: (attribute) =>
      context.references.originsOf(address, resource === undefined ? attribute : snakeCase(attribute)),
    parents: modulesOf(row.module),
    provider: context.references.providerOf(address),
    writeOnly:
      action === "none" || action === "read"
        ? undefined
        : writeOnlyIn(context.references.configuredOf(address)),
  }));
}

/** Returns the names of write-only attributes: they end with `_wo`. */
function writeOnlyIn(names: readonly string[]): readonly string[] | undefined {
  const found = names.filter((name) => name.endsWith("_wo"));
  return found.length === 0 ? undefined : found;
}

/** Converts the path of an attribute; an entry of a map keeps its key. */
const camelCasePath = (steps: readonly unknown[], resource: Resource | undefined): (string | number)[] =>
  steps.map((step, index) => {
    if (typeof step === "number") return step;
    const isName =
      index === 0 || (index === 1 && resource?.fields[camelCase(String(steps[0]))]?.kind === "group");
    return resource !== undefined && isName ? camelCase(String(step)) : String(step);
  });

/** Splits `module.a["x.y"].module.b` into its modules. */
const modulesOf = (address: string | undefined): string[] =>
  address?.match(/module\.[^.[]+(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?/g) ?? [];

function outputChange(name: string, change: Json): OutputChange[] {
  const before = fromTerraform(change.before, { sensitive: change.before_sensitive });
  const after = fromTerraform(change.after, {
    unknown: change.after_unknown,
    sensitive: change.after_sensitive,
  });
  const [action = ""] = stringsOf(change.actions);
  return action === "create" || action === "update" || action === "delete"
    ? [{ name, action, before, after }]
    : [];
}

const invocationsOf = (json: Json): Invocation[] =>
  [...objectsOf(json.action_invocations), ...objectsOf(json.deferred_action_invocations)].map((row) => {
    const trigger = objectOf(row.lifecycle_action_trigger);
    const by = stringOf(trigger.triggering_resource_address);
    const type = stringOf(row.type) ?? "action";
    const action = actionOfTerraform(type);
    return {
      kind: "action",
      address: stringOf(row.address) ?? type,
      type,
      ...(action === undefined ? {} : { action }),
      ...(by === undefined ? {} : { triggeredBy: by }),
      values: {
        configuration: fromTerraform(row.config_values, {
          unknown: row.config_unknown,
          sensitive: row.config_sensitive,
        }),
        trigger: fromTerraform(row.lifecycle_action_trigger ?? row.invoke_action_trigger, {}),
      },
    };
  });

/** Returns the data source of a row that the apply reads; its configuration is sent to the provider only then. */
const readOf = ({ isData, actions: planned, address, type, after }: Row): Invocation[] =>
  isData && planned === "read"
    ? [{ address, type: `data source ${type}`, values: after ?? null, kind: "read" }]
    : [];

function messagesOf(json: Json): Message[] {
  return objectsOf(json.checks).flatMap((check) => {
    const address = stringOf(objectOf(check.address).to_display) ?? "a check";
    const instances = objectsOf(check.instances).filter(isFailed);
    return (instances.length === 0 && isFailed(check) ? [check] : instances).flatMap(
      ({ problems, status }) => {
        const messages = objectsOf(problems).map(({ message }) => stringOf(message) ?? "failed");
        return (messages.length === 0 ? ["failed"] : messages).map((message) => ({
          level: status === "error" ? ("error" as const) : ("warning" as const),
          text: `${address}: ${message}`,
          isCheck: true as const,
        }));
      },
    );
  });
}

const isFailed = ({ status, problems }: Json): boolean =>
  status === "fail" || status === "error" || objectsOf(problems).length > 0;

function gapsOf(json: Json): string[] {
  const gaps = [
    json.errored === true && "the plan ended with an error and contains only the changes before it",
    json.errored !== true &&
      json.complete === false &&
      "the plan is not complete: it was limited by -target, or parts of it are deferred",
    json.errored !== true &&
      json.applyable === false &&
      json.complete === false &&
      "the plan cannot be applied",
  ].filter((gap) => gap !== false);
  const deferred =
    objectsOf(json.deferred_changes).length + objectsOf(json.deferred_action_invocations).length;
  return deferred === 0 ? gaps : [...gaps, `${deferred} changes are deferred to a later plan`];
}
