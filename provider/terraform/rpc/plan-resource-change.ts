import { InputError } from "../../core/error.ts";
import { UNKNOWN, type Values } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";
import { engine } from "../../engine/engine.ts";
import { deletionProblems, guard, lossOf, remains } from "../../engine/plan.ts";
import type { Session } from "../../engine/session.ts";
import { misplanned } from "../codec/consistency.ts";
import { attributePath, problemWarnings, RefusalError, warning } from "../codec/diagnostic.ts";
import { identityOf } from "../codec/identity.ts";
import { resourceShape } from "../codec/schema.ts";
import { fieldsOf, timeoutProblems, toHeld, withoutSentOnly } from "../codec/state.ts";
import { decodeRecord, encode } from "../codec/value.ts";
import { atSealed, changedAt, sealed, sealedBefore, sealedProblems, unsealed } from "../codec/write-only.ts";
import type {
  Diagnostic,
  PlanResourceChange_Request,
  PlanResourceChange_Response,
} from "../tfplugin6/tfplugin6.ts";

/** Validation and planning of a resource. Both send nothing, and may be asked again and again. */

/** Everything wrong in a configuration; what is not known yet is never wrong. `allowed` is whether it may only send a secret. */
export function validate(
  resource: Resource,
  config: Values,
  diagnostics: Diagnostic[],
  allowed = true,
): Values {
  const { fields } = resource;
  const { inputs, problems, warnings } = engine.check(resource, unsealed(fields, fieldsOf(config)));
  diagnostics.push(...problemWarnings(warnings, resourceShape(resource)));
  const all = [
    ...problems.map((problem) => atSealed(fields, config, problem)),
    ...sealedProblems(fields, config, allowed),
    ...timeoutProblems(config.timeouts),
  ];
  if (all.length > 0) throw new InputError(all);
  return inputs;
}

export function planResource(
  resource: Resource,
  request: PlanResourceChange_Request,
  session: Session | undefined,
  diagnostics: Diagnostic[],
): PlanResourceChange_Response {
  const shape = resourceShape(resource);
  const prior = decodeRecord(request.priorState, shape);
  const plannedPrivate = prior === undefined ? new Uint8Array() : (request.priorPrivate ?? new Uint8Array());
  // Of an object that is to be made nothing is told: half an identity stops OpenTofu's plan.
  const plannedIdentity = identityOf(resource, prior);
  if (decodeRecord(request.proposedNewState, shape) === undefined) {
    const held = prior && toHeld(prior, request.priorPrivate);
    const problems = held === undefined ? [] : deletionProblems(held);
    if (problems.length > 0) throw new InputError(problems);
    const lost = held && lossOf(resource, held);
    if (lost !== undefined) diagnostics.push(warning("This deletes data", lost, [], shape));
    const stays = remains(resource);
    if (stays !== undefined) diagnostics.push(warning("This is not deleted", stays, [], shape));
    const isAsked = held !== undefined && session?.settings.otpRequired !== false;
    const password = isAsked ? guard(resource) : undefined;
    if (password !== undefined)
      diagnostics.push(warning("This takes a one-time password", password, [], shape));
    return { plannedState: encode(null, shape), plannedPrivate, plannedIdentity };
  }
  const config = decodeRecord(request.config, shape) ?? {};
  const inputs = validate(resource, config, []);
  const { fields } = resource;
  const held = prior && sealedBefore(fields, toHeld(prior, request.priorPrivate), prior, config);
  const plan = engine.plan(resource, held, inputs, session);
  if (plan.problems.length > 0) throw new InputError(plan.problems);
  const planned: Values = {
    ...sealed(fields, withoutSentOnly(fields, plan.values), config),
    id: resource.idField === undefined ? (held?.id ?? UNKNOWN) : (plan.values[resource.idField] ?? UNKNOWN),
    timeouts: config.timeouts ?? null,
  };
  const faults = misplanned(config, prior, planned, shape);
  if (faults.length > 0) {
    const places = faults.map(({ path, problem }) => `${path.join(".")} ${problem}`);
    throw new RefusalError("Internal error in planning", `The engine would refuse it: ${places.join("; ")}.`);
  }
  const replaced = plan.changes
    .filter(({ verdict }) => verdict === "replace")
    .map(({ path, reason }) => ({ path: changedAt(fields, planned, prior ?? {}, path), reason }));
  for (const { path, reason } of replaced)
    if (reason !== undefined)
      diagnostics.push(warning("This change replaces the object", reason, path, shape));
  return {
    plannedState: encode(planned, shape),
    plannedPrivate,
    plannedIdentity,
    requiresReplace: replaced.map(({ path }) => attributePath(path, shape)),
  };
}
