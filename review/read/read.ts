import {
  isMarked,
  isRecord,
  isSecret,
  mapValues,
  secret,
  type Value,
  type Values,
} from "../../provider/core/value.ts";
import type { Change } from "../model/change.ts";
import type { Invocation, OutputChange, Plan } from "../model/plan.ts";
import { hideSecrets, withoutCredentials } from "../model/secret-shape.ts";
import { documentsIn, type Parts, type Source, sourceOfText } from "./document.ts";
import { isObject, type Json } from "./json.ts";
import { NotReviewableError, UnreadableError } from "./not-reviewable.ts";
import {
  isPulumiDigest,
  isPulumiEvent,
  isPulumiState,
  pulumiParts,
  readPulumiDigest,
  readPulumiEvents,
} from "./pulumi.ts";
import { isTerraformPlan, isTerraformState, readTerraform, terraformParts } from "./terraform.ts";

export { NotReviewableError, UnreadableError } from "./not-reviewable.ts";

/**
 * Reads a plan of any engine, recognized by its shape. Throws `UnreadableError` for invalid JSON, and `NotReviewableError` for
 * JSON that is not a plan.
 */
export function readPlan(name: string, input: string | Source): Plan {
  return withSecretsHidden(planIn(name, typeof input === "string" ? sourceOfText(input) : input));
}

/** Returns true for a line of `plan -json` or `apply -json` of Terraform and OpenTofu, or of `pulumi up --json`. */
const isMachineLog = (json: Json): boolean => "@level" in json && "@message" in json;

/** Parts of all kinds of plans, because the kind of a document is known only after its end. */
const parts: Parts = new Map([...terraformParts, ...pulumiParts]);

function planIn(name: string, source: Source): Plan {
  const [first, ...more] = Array.from(documentsIn(source, parts), requireObject);
  if (first === undefined) throw new UnreadableError("is empty");
  if (isPulumiEvent(first)) return readPulumiEvents(name, [first, ...more]);
  if (isMachineLog(first))
    throw new NotReviewableError(
      "is the log of a command (-json), not a plan: write the plan to a file with -out, and pass the output of show -json PLANFILE",
    );
  if (more.length > 0)
    throw new NotReviewableError(
      "contains several JSON documents, but is not an event log: pass each plan as an input of its own, --in NAME=PATH",
    );
  if (isTerraformPlan(first)) return readTerraform(name, first);
  if (isPulumiDigest(first)) return readPulumiDigest(name, first);
  if (isTerraformState(first) || isPulumiState(first))
    throw new NotReviewableError(
      "is a state, not a plan: create a plan (terraform show -json PLANFILE, tofu show -json PLANFILE, pulumi preview --json --show-sames --show-replacement-steps)",
    );
  throw new NotReviewableError(
    "is neither a plan of Terraform or OpenTofu (show -json PLANFILE) nor a preview of Pulumi (preview --json --show-sames, --event-log)",
  );
}

/** Marks each value as sensitive whose other side, before or after the change, is. */
function withBothSidesHidden(change: Change): Change {
  const { before, after } = change;
  if (before === undefined || after === undefined) return change;
  const [left, right] = [hiddenLike(before, after) as Values, hiddenLike(after, before) as Values];
  return left === before && right === after ? change : { ...change, before: left, after: right };
}

/** Returns a value with the marks of another one; a list as a whole, unless both have equally many items. */
function hiddenLike(value: Value, like: Value | undefined): Value {
  if (value === null || like === undefined || isSecret(value) || !isMarked(like)) return value;
  if (isSecret(like)) return secret(value);
  if (Array.isArray(value) && Array.isArray(like))
    return value.length === like.length
      ? value.map((item, index) => hiddenLike(item, like[index]))
      : secret(value);
  return isRecord(value) && isRecord(like)
    ? mapValues(value, (item, name) => hiddenLike(item, like[name]))
    : value;
}

const valueIn = (record: Value | undefined, name: string): Value =>
  isRecord(record) ? (record[name] ?? null) : null;

/** Hides values that look like secrets in objects, outputs and messages. */
function withSecretsHidden(plan: Plan): Plan {
  const hidden = (original: Change): Change => {
    const change = withBothSidesHidden(original);
    const isForeign = change.resource === undefined;
    const before = change.before && hideSecrets(change.before, isForeign);
    const harmless = before?.paths.length === 0 ? before.values : undefined;
    const after = change.after && hideSecrets(change.after, isForeign, harmless);
    const paths = after?.paths ?? [];
    if (before?.values === change.before && after?.values === change.after) return change;
    return {
      ...change,
      before: before?.values,
      after: after?.values,
      ...(paths.length === 0 ? {} : { unmarkedSecrets: paths }),
    };
  };
  const outputs = plan.outputs.map((output): OutputChange => {
    // Each side is judged as an entry of a map, whose name counts too.
    const { name } = output;
    const before = hideSecrets({ output: { [name]: output.before } });
    const after = hideSecrets({ output: { [name]: output.after } });
    return {
      ...output,
      before: valueIn(before.values.output, name),
      after: valueIn(after.values.output, name),
      ...(after.paths.length > 0 && { looksSecret: true }),
    };
  });
  const invocations = plan.invocations.map((invocation): Invocation => {
    if (invocation.values === undefined) return invocation;
    const { values = null } = hideSecrets({ values: invocation.values }, true).values;
    return { ...invocation, values };
  });
  const messages = plan.messages.map((message) => ({ ...message, text: withoutCredentials(message.text) }));
  return {
    ...plan,
    changes: plan.changes.map(hidden),
    drift: plan.drift.map(hidden),
    outputs,
    invocations,
    messages,
  };
}

/** Returns the value if it is an object, else throws `NotReviewableError`. */
function requireObject(value: unknown): Json {
  if (isObject(value)) return value;
  throw new NotReviewableError("is JSON, but not an object");
}
