import proto, { type CheckFailure } from "@pulumi/pulumi/proto/provider_pb.js";
import type { Problem } from "../../core/error.ts";
import type { Values } from "../../core/value.ts";
import { inWordsOf } from "../../core/wording.ts";
import type { Checkable } from "../../definition/check.ts";
import { holdsSecret, markSecrets } from "../secret.ts";
import { problemText } from "../text.ts";

/**
 * Converts a problem of inputs, which the engine prints as `property NAME value VALUE has a problem: REASON`. The engine
 * prints the value of a top-level property, so the failure has a property only if the property is set, has no secret part
 * and is the whole path of the problem; any other path is part of the reason.
 */
export function checkFailure({ fields }: Checkable, inputs: Values, problem: Problem): CheckFailure {
  const [name = "", ...rest] = problem.path;
  const value = markSecrets(fields, inputs, [])[name] ?? null;
  const failure = new proto.CheckFailure();
  return rest.length > 0 || value === null || holdsSecret(value)
    ? failure.setReason(problemText(problem))
    : failure.setProperty(String(name)).setReason(inWordsOf("pulumi", problem.problem));
}
