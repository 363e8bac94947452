import { InputError, type Problem } from "../../core/error.ts";
import { snakeCase } from "../../core/name.ts";
import type { ResourceState } from "../../core/state.ts";
import { UNKNOWN, type Values } from "../../core/value.ts";
import { inWordsOf } from "../../core/wording.ts";
import type { Resource } from "../../definition/resource.ts";
import type { Session } from "../../engine/engine.ts";
import {
  deletionProblems,
  deletionWarnings,
  engine,
  holdersFor,
  lossOfReplacement,
  type Plan,
  planDelete,
  planLoss,
  planObject,
  planReplacement,
  renamedWarnings,
  replacementWarning,
  severalIds,
  sharedListProblems,
} from "../../engine/engine.ts";
import { planInconsistencies } from "../codec/consistency.ts";
import { attributePath, DiagnosticError, dottedPath, warningDiagnostic } from "../codec/diagnostic.ts";
import { identityOf } from "../codec/identity.ts";
import { resourceShape } from "../codec/schema.ts";
import { decodePlanned, encodePlanned, type PlannedPrivate, toState } from "../codec/state.ts";
import { decodeRecord, encode } from "../codec/value.ts";
import { changedPath, encodeWriteOnly, withPriorSecrets } from "../codec/write-only.ts";
import type { PlanResourceChange_Request, PlanResourceChange_Response } from "../tfplugin6/tfplugin6.ts";
import type { CallContext } from "./handler.ts";
import { validateConfig } from "./validate-resource-config.ts";

/** Plans a create, an update, a replacement or a delete. Sends no request; engines may call it repeatedly. */
export async function planResourceChange(
  resource: Resource,
  request: PlanResourceChange_Request,
  { session, call, diagnostics }: CallContext<Session | undefined>,
): Promise<PlanResourceChange_Response> {
  const shape = resourceShape(resource);
  const prior = decodeRecord(request.priorState, shape);
  const keptPrivate = prior === undefined ? undefined : request.priorPrivate;
  // No identity for an object to be created: OpenTofu rejects a plan with a partial one.
  const plannedIdentity = identityOf(resource, prior);
  if (decodeRecord(request.proposedNewState, shape) === undefined) {
    const state = prior && toState(prior, request.priorPrivate);
    const twice = session && state ? planDelete(session, resource, state) : [];
    const problems = state === undefined ? [] : [...deletionProblems(resource, state), ...twice];
    if (problems.length > 0) throw new InputError(problems);
    const renamed = session && state ? renamedWarnings(session, resource, state) : [];
    for (const warning of state === undefined
      ? []
      : [...renamed, ...deletionWarnings(resource, state, session)])
      diagnostics.push(warningDiagnostic(warning, [], shape));
    return { plannedState: encode(null, shape), plannedPrivate: keptPrivate, plannedIdentity };
  }
  const config = decodeRecord(request.config, shape) ?? {};
  const inputs = await validateConfig(resource, config, { call, diagnostics: [] });
  const { fields } = resource;
  const state = prior && withPriorSecrets(fields, toState(prior, request.priorPrivate), prior, config);
  const replaced = replacedRegion(request, state);
  const plan = engine.plan(resource, state, inputs, session, replaced);
  // A state without an id gets the id from its task, and its resource adopts no object.
  const isKnown = state === undefined || state.id !== undefined;
  const object = { id: state?.id, values: state?.values ?? inputs };
  const shared = session && isKnown ? planShared(session, resource, object, { plan, request }) : undefined;
  const lists = session === undefined ? [] : sharedListProblems(session, resource, state, plan);
  const lost = state === undefined ? decodePlanned(request.priorPrivate) : undefined;
  const refused = lost?.loss !== undefined && lost.keeps ? [lost.loss] : [];
  const problems = [...plan.problems, ...lists, ...refused, ...(shared?.problems ?? [])];
  if (problems.length > 0) throw new InputError(problems);
  const isKept = state !== undefined && plan.action !== "replace";
  const failing = state && lossOfReplacement(session, resource, state, plan);
  const [protection] = isKept ? deletionProblems(resource, state) : [];
  const loss = lost === undefined ? lossOf(protection ?? failing) : lost.loss;
  const plannedPrivate = encodePlanned(keptPrivate, {
    ...shared?.recorded,
    // The engine may replace the object of a plan that keeps it.
    ...(replaced === undefined ? {} : { region: replaced }),
    ...(loss === undefined ? {} : { loss }),
  });
  const planned: Values = {
    ...encodeWriteOnly(fields, plan.values, config),
    id: resource.idField === undefined ? (state?.id ?? UNKNOWN) : (plan.values[resource.idField] ?? UNKNOWN),
    timeouts: config.timeouts ?? null,
  };
  const inconsistencies = planInconsistencies({ config, prior, planned }, shape);
  if (inconsistencies.length > 0) {
    const places = inconsistencies.map(
      ({ path, problem }) =>
        `${path.map((step) => snakeCase(String(step))).join(".")} ${inWordsOf("terraform", problem)}`,
    );
    throw new DiagnosticError(
      "Internal error in planning",
      `The engine would reject it: ${places.join("; ")}.`,
    );
  }
  const isCreate = session !== undefined && state === undefined && lost?.replaces === undefined;
  const renamed = isCreate ? renamedWarnings(session, resource, object) : [];
  for (const warning of [...renamed, ...plan.warnings])
    diagnostics.push(warningDiagnostic(warning, [], shape));
  const replacing = plan.changes
    .filter(({ effect }) => effect === "replace")
    .map(({ path, reason }) => ({ path: changedPath(fields, planned, prior ?? {}, path), reason }));
  for (const { path, reason } of replacing)
    if (reason !== undefined && state !== undefined) {
      const change = { path: dottedPath(path, shape), reason };
      diagnostics.push(warningDiagnostic(replacementWarning(resource, state, session, change), path, shape));
    }
  return {
    plannedState: encode(planned, shape),
    plannedPrivate,
    plannedIdentity,
    requiresReplace: replacing.map(({ path }) => attributePath(path, shape)),
  };
}

const lossOf = (problem: Problem | undefined): PlannedPrivate["loss"] =>
  problem && {
    path: problem.path.map(String),
    problem: inWordsOf("terraform", problem.problem),
    ...(problem.title === undefined ? {} : { title: inWordsOf("terraform", problem.title) }),
  };

/**
 * Returns the region of the existing object of a replacement; undefined if the engine does not pass private data of the plan
 * to the plan of its apply: both plans must have the same region, and only the first one gets the existing object.
 */
function replacedRegion(
  { clientCapabilities, priorPrivate, plannedPrivate }: PlanResourceChange_Request,
  state: ResourceState | undefined,
): string | undefined {
  if (clientCapabilities?.storePlannedPrivate !== true) return undefined;
  const { region = null } = state?.values ?? {};
  if (state !== undefined) return typeof region === "string" ? region : undefined;
  return decodePlanned(plannedPrivate).region ?? decodePlanned(priorPrivate).region;
}

/**
 * Checks that no other entry of the state has the object and that no other resource plans it. Returns private data to record
 * with the plan. The second plan of a replacement receives that of the first one. An apply plans again in another process, which
 * receives only changed objects: Terraform 1.16 passes the private data of the first plan to this process, other engines
 * do not. The delete of a replacement receives that of the second plan.
 */
function planShared(
  session: Session,
  resource: Resource,
  object: Pick<ResourceState, "id" | "values">,
  {
    plan: { action, values: after },
    request: { priorPrivate, plannedPrivate },
  }: { readonly plan: Plan; readonly request: PlanResourceChange_Request },
): { problems: Problem[]; recorded?: PlannedPrivate } {
  const prior = decodePlanned(priorPrivate);
  const { replaces: replacedBefore, holders: known = prior.holders ?? {} } = decodePlanned(plannedPrivate);
  const { id, values } = object;
  const isReplaced = action === "replace";
  if (id !== undefined) {
    const problems = planObject(session, resource, object, {
      owner: id,
      fate: isReplaced ? "replaced" : "kept",
      planned: after,
    });
    if (isReplaced) problems.push(...planLoss(session, resource, object));
    return { problems, recorded: { replaces: id, keeps: !isReplaced, holders: known } };
  }
  const { replaces = replacedBefore, keeps } = prior;
  const problems = planObject(session, resource, object, { owner: replaces });
  if (replaces !== undefined && keeps)
    problems.push(...planReplacement(session, resource, { id: replaces, values }));
  const several = Object.fromEntries(severalIds(session, resource).map((each) => [each, "other" as const]));
  const holders = holdersFor(session, resource, values, { owner: replaces, known: { ...several, ...known } });
  if (replaces === undefined && Object.keys(holders).length === 0) return { problems };
  return { problems, recorded: { ...(replaces === undefined ? {} : { replaces }), holders } };
}
