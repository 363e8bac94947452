import type { Change } from "../model/change.ts";
import type { OutputChange, Plan } from "../model/plan.ts";
import { hideSecrets, withoutCredentials } from "../model/secret-shape.ts";
import { isObject, type Json } from "./json.ts";
import { NotReviewableError, UnreadableError } from "./not-reviewable.ts";
import {
  isPulumiDigest,
  isPulumiEvent,
  isPulumiState,
  readPulumiDigest,
  readPulumiEvents,
} from "./pulumi.ts";
import { isTerraformPlan, isTerraformState, readTerraform } from "./terraform.ts";

export { NotReviewableError, UnreadableError } from "./not-reviewable.ts";

/**
 * Reads a plan of any engine; its shape decides which one made it. Throws `UnreadableError` for what is no JSON, and
 * `NotReviewableError` for JSON that is no plan.
 */
export function readPlan(name: string, text: string): Plan {
  return withSecretsHidden(planIn(name, text));
}

function planIn(name: string, text: string): Plan {
  const [first, ...more] = documentsIn(text);
  if (first === undefined) throw new UnreadableError("is empty");
  if (isPulumiEvent(first)) return readPulumiEvents(name, [first, ...more]);
  if (more.length > 0) throw new NotReviewableError("holds several JSON documents, but no event log");
  if (isTerraformPlan(first)) return readTerraform(name, first);
  if (isPulumiDigest(first)) return readPulumiDigest(name, first);
  if (isTerraformState(first) || isPulumiState(first))
    throw new NotReviewableError(
      "is a state, not a plan: make a plan (terraform show -json PLANFILE, tofu show -json PLANFILE, pulumi preview --json --show-sames --show-replacement-steps)",
    );
  throw new NotReviewableError(
    "is neither a plan of Terraform or OpenTofu (show -json PLANFILE) nor a preview of Pulumi (preview --json --show-sames, --event-log)",
  );
}

/** Hides what looks like a secret in objects, outputs and messages. */
function withSecretsHidden(plan: Plan): Plan {
  const hidden = (change: Change): Change => {
    const isForeign = change.resource === undefined;
    const before = change.before && hideSecrets(change.before, isForeign);
    const after = change.after && hideSecrets(change.after, isForeign);
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
    const { values } = hideSecrets({ before: output.before, after: output.after });
    return { ...output, before: values.before ?? null, after: values.after ?? null };
  });
  const messages = plan.messages.map((message) => ({ ...message, text: withoutCredentials(message.text) }));
  return { ...plan, changes: plan.changes.map(hidden), drift: plan.drift.map(hidden), outputs, messages };
}

/** Returns the JSON objects of a text: one, or one a line. */
function documentsIn(text: string): Json[] {
  const whole = text.replace(/^\uFEFF/, "").trim();
  if (whole === "") return [];
  try {
    return [objectIn(parsed(whole))];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const lines = whole.split(/\r?\n/).filter((line) => line.trim() !== "");
    if (lines.length < 2 || !startsWithObject(lines[0] ?? "")) throw unreadable(error);
    return lines.map((line, at) => {
      try {
        return objectIn(parsed(line));
      } catch (cause) {
        if (!(cause instanceof SyntaxError)) throw cause;
        throw new UnreadableError(`line ${at + 1} is no JSON: the file is cut or damaged`);
      }
    });
  }
}

/** Characters with which texts of this program hold words of several engines (`perEngine`). */
const reserved = /[\uE000-\uE002]|\\ue00[0-2]/i;

/** Parses JSON. Reserved characters of a plan, which would hide parts of a text, are replaced. */
const parsed = (text: string): unknown =>
  reserved.test(text)
    ? JSON.parse(text, (_, value: unknown) =>
        typeof value === "string" ? value.replace(/[\uE000-\uE002]/g, "\uFFFD") : value,
      )
    : JSON.parse(text);

function startsWithObject(line: string): boolean {
  try {
    return isObject(JSON.parse(line));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function objectIn(value: unknown): Json {
  if (isObject(value)) return value;
  throw new NotReviewableError("is JSON, but no object");
}

/** The message of the parser quotes the text, which may be secret. */
const unreadable = ({ message }: SyntaxError): UnreadableError => {
  const position = /position (\d+)/.exec(message)?.[1];
  return new UnreadableError(
    position === undefined ? "is no JSON, or is cut" : `is no JSON, or is cut, at character ${position}`,
  );
};
