import proto, {
  type CheckRequest,
  type CheckResponse,
  type CreateRequest,
  type CreateResponse,
  type DeleteRequest,
  type DiffRequest,
  type DiffResponse,
  type ReadRequest,
  type ReadResponse,
  type UpdateRequest,
  type UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb.js";
import { quoted } from "../../client/client.ts";
import { InputError, OperationError, type Problem } from "../../core/error.ts";
import type { ResourceState } from "../../core/state.ts";
import { isRecord, type Path, type Value, type Values } from "../../core/value.ts";
import { inWordsOf } from "../../core/wording.ts";
import type { Resource } from "../../definition/resource.ts";
import {
  engine,
  type Fate,
  holderOf,
  keptElsewhere,
  noteCreate,
  noteDeleted,
  noteUpdate,
  type Plan,
  type PlannedEntry,
  planObject,
  sharedListProblems,
  withPlannedRegion,
  withRedaction,
  writtenObject,
} from "../../engine/engine.ts";
import { statusOf } from "../../engine/state/status.ts";
import { resourceDiff } from "../diff.ts";
import { importIdOf, regionInput } from "../import.ts";
import { withName } from "../name.ts";
import {
  inputsOf,
  onlyFillsImport,
  outputsOf,
  previewOutputs,
  stateOf,
  withStoredInputs,
} from "../pulumi.ts";
import { markSecrets } from "../secret.ts";
import { errorText, problemWarning, toSetWarning, warningText } from "../text.ts";
import { log, type PluginContext, runOperation, sessionOf } from "./context.ts";
import { resourceInitFailed } from "./error.ts";
import { checkFailure } from "./failure.ts";
import { structOf, valuesOf } from "./struct.ts";

/** Calls of one resource. Check, Diff and previews send no request, except for an object whose create failed. */

/** Checks the inputs and adds an automatic name. Problems become failures of the response, not errors. */
export async function check(
  context: PluginContext,
  resource: Resource,
  request: CheckRequest,
): Promise<CheckResponse> {
  const isImport = context.lastCalls.get(request.getUrn()) === "import";
  context.lastCalls.set(request.getUrn(), "check");
  const naming = request.getAutonaming();
  const news = withName(resource, valuesOf(request.getNews()), valuesOf(request.getOlds()), {
    logical: request.getName(),
    seed: request.getRandomseed_asU8(),
    proposed: naming?.getProposedName(),
    disabled: naming?.getMode() === proto.CheckRequest.AutonamingOptions.Mode.DISABLE,
  });
  await engine.prepare(resource, news, context.stop);
  const { inputs, problems, warnings } = engine.check(resource, news);
  const object = writtenObject(resource, news);
  for (const each of warnings) log(context, "WARNING", problemWarning(object, each), request.getUrn());
  // The inputs of an import are those that its read returned.
  const unread = isImport ? problems.filter(({ path }) => path.length === 0 || isUnset(news, path)) : [];
  if (unread.length > 0) log(context, "WARNING", toSetWarning(object, unread), request.getUrn());
  const failures = problems
    .filter((problem) => !unread.includes(problem))
    .map((problem) => checkFailure(resource, news, problem));
  return new proto.CheckResponse()
    .setInputs(structOf(markSecrets(resource.fields, inputs, [])))
    .setFailuresList(failures);
}

/** Returns true if the inputs have no value at a path. */
const isUnset = (inputs: Values, path: Path): boolean =>
  path.reduce<Value>((value, step) => (isRecord(value) ? (value[step] ?? null) : null), inputs) === null;

/** Compares the stored outputs with the new inputs. Throws `InputError` if another resource plans the same object. */
export async function diff(
  context: PluginContext,
  resource: Resource,
  request: DiffRequest,
): Promise<DiffResponse> {
  const state = await priorOf(context, resource, request);
  const { region = null } = state.values;
  const replaced = typeof region === "string" ? region : undefined;
  const compared = engine.plan(resource, state, valuesOf(request.getNews()), context.session, replaced);
  const plan: Plan = onlyFillsImport(resource, state, compared)
    ? { ...compared, action: "none", changes: [] }
    : compared;
  if (replaced !== undefined) context.replacedRegions.set(request.getUrn(), replaced);
  const isOfProgram = isDiffOfProgram(context, request.getUrn());
  // A step without a change shows nothing else of the values.
  if (isOfProgram)
    for (const explained of compared.warnings.filter(({ warning }) => warning.code === "not-compared"))
      log(context, "WARNING", warningText(explained), request.getUrn());
  const fate = fateOf(isOfProgram, plan.action);
  const shared = planned(context, resource, state, {
    owner: request.getUrn(),
    fate,
    planned: isOfProgram ? plan.values : undefined,
  });
  const lists = isOfProgram ? listProblems(context, resource, state, plan) : [];
  const problems = [...(plan.obstacles ?? []), ...(plan.losses ?? []), ...shared, ...lists];
  if (problems.length > 0) throw new InputError(problems);
  const change = resourceDiff(resource, plan, state.values, request.getName());
  for (const reason of change.replaceReasons) log(context, "INFO", reason, request.getUrn());
  const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
  const response = new proto.DiffResponse()
    .setChanges(change.diffs.length === 0 ? DIFF_NONE : DIFF_SOME)
    .setDiffsList([...change.diffs])
    .setReplacesList([...change.replaces])
    .setDeletebeforereplace(change.deleteBeforeReplace)
    .setHasdetaileddiff(true);
  for (const [path, kind] of change.detailed)
    response
      .getDetaileddiffMap()
      .set(path, new proto.PropertyDiff().setKind(proto.PropertyDiff.Kind[kind]).setInputdiff(false));
  return response;
}

/** Returns true for a Diff with the inputs of the program; the Diff of a refresh ends the refresh. */
function isDiffOfProgram({ lastCalls }: PluginContext, urn: string): boolean {
  const last = lastCalls.get(urn);
  lastCalls.set(urn, "check");
  return last === "check";
}

/** Returns the fate of the object of a Diff. Only a Diff of the program keeps it. */
function fateOf(isOfProgram: boolean, action: Plan["action"]): Fate {
  if (!isOfProgram) return "compared";
  if (action === "replace") return "replaced";
  return action === "none" ? "kept" : "changed";
}

/** Returns the problems of a list that a resource of another kind sets too. */
const listProblems = (
  { session }: PluginContext,
  resource: Resource,
  state: ResourceState | undefined,
  plan: Plan,
): Problem[] => (session === undefined ? [] : sharedListProblems(session, resource, state, plan));

/** Returns the state before a change. Reads an object whose create failed, if the provider is configured. */
async function priorOf(
  context: PluginContext,
  resource: Resource,
  request: DiffRequest | UpdateRequest,
): Promise<ResourceState> {
  const stored = stateOf(resource, request.getId(), valuesOf(request.getOlds()));
  const state = withStoredInputs(resource, stored, valuesOf(request.getOldInputs()));
  const { session } = context;
  if (session === undefined) return state;
  return runOperation(context, request.getUrn(), 0, (call) =>
    engine.recovered(session, resource, state, call),
  );
}

/** Returns the problems of an object that the resource of another URN plans too. */
const planned = (
  { session }: PluginContext,
  resource: Resource,
  object: Pick<ResourceState, "id" | "values">,
  plan: PlannedEntry,
): Problem[] =>
  session === undefined ? [] : planObject(session, resource, object, { fate: "compared", ...plan });

/**
 * Creates an object; a preview sends no request. Throws `GrpcError` with the partial state for an object that exists but
 * whose create failed.
 */
export async function create(
  context: PluginContext,
  resource: Resource,
  request: CreateRequest,
): Promise<CreateResponse> {
  const inputs = valuesOf(request.getProperties());
  const urn = request.getUrn();
  const replaced = context.replacedRegions.get(urn);
  const shared = planned(context, resource, { id: undefined, values: inputs }, { owner: urn });
  if (request.getPreview()) {
    const plan = engine.plan(resource, undefined, inputs, context.session, replaced);
    const { values, warnings } = plan;
    const problems = [...plan.problems, ...shared, ...listProblems(context, resource, undefined, plan)];
    if (problems.length > 0) throw new InputError(problems);
    for (const warning of warnings) log(context, "INFO", warningText(warning), request.getUrn());
    return new proto.CreateResponse().setProperties(structOf(previewOutputs(resource, values, inputs)));
  }
  if (shared.length > 0) throw new InputError(shared);
  const state = await runOperation(context, urn, request.getTimeout(), (call) => {
    const session = sessionOf(context);
    noteCreate(session, urn);
    const placed = withPlannedRegion(session, resource, inputs, replaced);
    return engine.create(session, resource, placed, {
      ...call,
      holderOf: holderOf(session, resource, placed, { owner: urn }),
    });
  }).catch((error) => throwPartialState(error, resource, inputs));
  return new proto.CreateResponse()
    .setId(state.id ?? "")
    .setProperties(structOf(outputsOf(resource, state, inputs)));
}

/** Updates an object; a preview sends no change. Throws `GrpcError` with the partial state if the update fails. */
export async function update(
  context: PluginContext,
  resource: Resource,
  request: UpdateRequest,
): Promise<UpdateResponse> {
  const inputs = valuesOf(request.getNews());
  const prior = await priorOf(context, resource, request);
  if (request.getPreview()) {
    const { values, problems } = engine.plan(resource, prior, inputs, context.session);
    if (problems.length > 0) throw new InputError(problems);
    return new proto.UpdateResponse().setProperties(structOf(previewOutputs(resource, values, inputs)));
  }
  const urn = request.getUrn();
  const state = await runOperation(context, urn, request.getTimeout(), (call) => {
    const session = sessionOf(context);
    noteUpdate(session, resource, prior, urn);
    return engine.update(session, resource, prior, inputs, call);
  }).catch((error) => throwPartialState(error, resource, inputs));
  return new proto.UpdateResponse().setProperties(structOf(outputsOf(resource, state, inputs)));
}

/**
 * Throws the error with the partial state, which the engine stores. Without an id (the API returned only a task) the
 * engine cannot store the state.
 */
function throwPartialState(error: unknown, resource: Resource, inputs: Values): never {
  if (!(error instanceof OperationError) || error.state?.id === undefined) throw error;
  throw resourceInitFailed(
    errorText(error),
    error.state.id,
    outputsOf(resource, error.state, inputs),
    inputs,
  );
}

/**
 * Reads an object. A refresh passes the stored outputs and inputs, `get` passes the properties of the program as both,
 * and an import passes only the id.
 */
export async function read(
  context: PluginContext,
  resource: Resource,
  request: ReadRequest,
): Promise<ReadResponse> {
  const session = sessionOf(context);
  const outputs = valuesOf(request.getProperties());
  const oldInputs = valuesOf(request.getInputs());
  const state = withStoredInputs(resource, stateOf(resource, request.getId(), outputs), oldInputs);
  const importId = importIdOf(resource, state);
  const current = await runOperation(context, request.getUrn(), request.getTimeout(), (call) =>
    importId === undefined
      ? engine.read(session, resource, state, call)
      : engine.import(session, resource, importId, call),
  );
  if (current === undefined) return new proto.ReadResponse();
  context.lastCalls.set(request.getUrn(), importId === undefined ? "read" : "import");
  const id = current.id ?? "";
  const currentOutputs = outputsOf(resource, current, outputs, oldInputs);
  const region = importId === undefined ? {} : regionInput(current, session);
  const inputs = inputsOf(resource.fields, currentOutputs, { ...oldInputs, ...region });
  const { redact } = withRedaction(session, resource, state.values);
  const reason = unusableReason(resource, current, request.getUrn(), redact);
  if (reason !== undefined && importId === undefined)
    throw resourceInitFailed(reason, id, currentOutputs, inputs);
  return new proto.ReadResponse()
    .setId(id)
    .setProperties(structOf(currentOutputs))
    .setInputs(structOf(inputs));
}

/**
 * Returns the reason why an object cannot be used yet; undefined if it can. A refresh has to fail with this reason: a
 * successful refresh clears the init error of a partial state, and no later run would repair the object.
 */
function unusableReason(
  resource: Resource,
  { values, failed }: ResourceState,
  urn: string,
  redact: (text: string) => string,
): string | undefined {
  const { at, text } = statusOf(resource, values);
  const status = quoted(inWordsOf("pulumi", text), redact);
  if (failed !== undefined)
    return `The object was never ready: ${inWordsOf("pulumi", failed)}. The next \`pulumi up\` replaces it.`;
  if (at === "pending" && resource.lifecycle?.late === undefined)
    return `The API reports the status ${status}. The next \`pulumi up\` waits for it.`;
  if (at === "failed")
    return `The API reports the status ${status}. To replace it: pulumi up --replace '${urn}'`;
  return undefined;
}

/** Deletes an object. Throws `OperationError` if its delete is not confirmed. */
export async function remove(
  context: PluginContext,
  resource: Resource,
  request: DeleteRequest,
): Promise<void> {
  const stored = stateOf(resource, request.getId(), valuesOf(request.getProperties()));
  const state = withStoredInputs(resource, stored, valuesOf(request.getOldInputs()));
  const urn = request.getUrn();
  await runOperation(context, urn, request.getTimeout(), async (call) => {
    const session = sessionOf(context);
    const keptOf = keptElsewhere(session, resource, state, { owner: urn });
    await engine.delete(session, resource, state, { ...call, keptOf });
    if (!keptOf(request.getId())) noteDeleted(session, resource, state, urn);
  });
}
