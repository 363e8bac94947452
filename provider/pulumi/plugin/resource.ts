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
import { InputError, OperationError } from "../../core/error.ts";
import type { Held } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";
import { engine } from "../../engine/engine.ts";
import { standing } from "../../engine/state/state.ts";
import { differenceOf } from "../diff.ts";
import { named } from "../name.ts";
import { foreignRegion, heldOf, hide, importIdOf, inputsOf, outputsOf, previewOf } from "../state.ts";
import { reasonOf, textOf } from "../text.ts";
import { failureOf } from "./check.ts";
import { halfMade } from "./error.ts";
import { operate, type Running, say, sessionOf } from "./running.ts";
import { structOf, valuesOf } from "./struct.ts";

/** The life of a resource, call by call (pulumi.md 2.3). Check and Diff send nothing; previews change nothing. */

export function check(running: Running, resource: Resource, request: CheckRequest): CheckResponse {
  const naming = request.getAutonaming();
  const written = named(resource, valuesOf(request.getNews()), valuesOf(request.getOlds()), {
    logical: request.getName(),
    seed: request.getRandomseed_asU8(),
    proposed: naming?.getProposedName(),
    disabled: naming?.getMode() === proto.CheckRequest.AutonamingOptions.Mode.DISABLE,
  });
  const { inputs, problems, warnings } = engine.check(resource, written);
  for (const warning of warnings) say(running, "WARNING", reasonOf(warning), request.getUrn());
  const failures = problems.map((problem) => {
    const { property, reason } = failureOf(resource, written, problem);
    return new proto.CheckFailure().setProperty(property).setReason(reason);
  });
  return new proto.CheckResponse()
    .setInputs(structOf(hide(resource.fields, inputs, [])))
    .setFailuresList(failures);
}

export function diff(running: Running, resource: Resource, request: DiffRequest): DiffResponse {
  const held = heldOf(resource, request.getId(), valuesOf(request.getOlds()));
  const plan = engine.plan(resource, held, valuesOf(request.getNews()), running.session);
  const difference = differenceOf(resource, plan, held.values, request.getName());
  for (const reason of difference.reasons) say(running, "INFO", reason, request.getUrn());
  const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
  const response = new proto.DiffResponse()
    .setChanges(difference.diffs.length === 0 ? DIFF_NONE : DIFF_SOME)
    .setDiffsList([...difference.diffs])
    .setReplacesList([...difference.replaces])
    .setDeletebeforereplace(difference.deleteBeforeReplace)
    .setHasdetaileddiff(true);
  for (const [path, kind] of difference.detailed)
    response
      .getDetaileddiffMap()
      .set(path, new proto.PropertyDiff().setKind(proto.PropertyDiff.Kind[kind]).setInputdiff(false));
  return response;
}

export async function create(
  running: Running,
  resource: Resource,
  request: CreateRequest,
): Promise<CreateResponse> {
  const inputs = valuesOf(request.getProperties());
  if (request.getPreview()) {
    const { values } = engine.plan(resource, undefined, inputs, running.session);
    return new proto.CreateResponse().setProperties(structOf(previewOf(resource, values, inputs)));
  }
  const held = await operate(running, request.getUrn(), request.getTimeout(), (call) =>
    engine.create(sessionOf(running), resource, inputs, call),
  ).catch((error) => failed(error, resource, inputs));
  return new proto.CreateResponse()
    .setId(held.id ?? "")
    .setProperties(structOf(outputsOf(resource, held, inputs)));
}

export async function update(
  running: Running,
  resource: Resource,
  request: UpdateRequest,
): Promise<UpdateResponse> {
  const inputs = valuesOf(request.getNews());
  const prior = heldOf(resource, request.getId(), valuesOf(request.getOlds()));
  if (request.getPreview()) {
    const { values, problems } = engine.plan(resource, prior, inputs, running.session);
    if (problems.length > 0) throw new InputError(problems);
    return new proto.UpdateResponse().setProperties(structOf(previewOf(resource, values, inputs)));
  }
  const held = await operate(running, request.getUrn(), request.getTimeout(), (call) =>
    engine.update(sessionOf(running), resource, prior, inputs, call),
  ).catch((error) => failed(error, resource, inputs));
  return new proto.UpdateResponse().setProperties(structOf(outputsOf(resource, held, inputs)));
}

/** What is known of an object goes home with the failure. Known by a task alone, it has no place in a stack. */
function failed(error: unknown, resource: Resource, inputs: Values): never {
  if (!(error instanceof OperationError) || error.held?.id === undefined) throw error;
  throw halfMade(textOf(error), error.held.id, outputsOf(resource, error.held, inputs), inputs);
}

/** Refresh (outputs and inputs), `get` (what the program gave, twice) and import (the id alone). */
export async function read(
  running: Running,
  resource: Resource,
  request: ReadRequest,
): Promise<ReadResponse> {
  const session = sessionOf(running);
  const outputs = valuesOf(request.getProperties());
  const old = valuesOf(request.getInputs());
  const held = heldOf(resource, request.getId(), outputs);
  const importId = importIdOf(resource, held);
  const seen = await operate(running, request.getUrn(), request.getTimeout(), (call) =>
    importId === undefined
      ? engine.read(session, resource, held, call)
      : engine.import(session, resource, importId, call),
  );
  if (seen === undefined) return new proto.ReadResponse();
  const id = seen.id ?? "";
  const marked = outputsOf(resource, seen, outputs, old);
  const region = importId === undefined ? {} : foreignRegion(seen, session);
  const inputs = inputsOf(resource.fields, marked, { ...old, ...region });
  const trouble = troubleOf(resource, seen, request.getUrn());
  if (trouble !== undefined && importId === undefined) throw halfMade(trouble, id, marked, inputs);
  return new proto.ReadResponse().setId(id).setProperties(structOf(marked)).setInputs(structOf(inputs));
}

/**
 * What keeps an object from being used. A refresh has to say so: one that succeeds takes the mark off an object
 * that an earlier run left half made, and no run would look after it again.
 */
function troubleOf(resource: Resource, { values, failed }: Held, urn: string): string | undefined {
  const { at, word } = standing(resource, values);
  if (failed !== undefined) return `It never was ready: ${failed}. The next update makes it anew.`;
  if (at === "pending") return `The cloud reports it as ${word}. The next update waits for it.`;
  if (at === "failed")
    return `The cloud reports it as ${word}. To make it anew: pulumi up --replace '${urn}'`;
  return undefined;
}

export async function remove(running: Running, resource: Resource, request: DeleteRequest): Promise<void> {
  const held = heldOf(resource, request.getId(), valuesOf(request.getProperties()));
  await operate(running, request.getUrn(), request.getTimeout(), (call) =>
    engine.delete(sessionOf(running), resource, held, call),
  );
}
