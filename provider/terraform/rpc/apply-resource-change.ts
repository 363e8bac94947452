import { InputError, OperationError } from "../../core/error.ts";
import type { ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";
import type { Call, Session } from "../../engine/engine.ts";
import { engine, graceMs, holderOf, keptElsewhere } from "../../engine/engine.ts";
import { resultInconsistencies, unknownAsNull } from "../codec/consistency.ts";
import { collectWarnings, errorDiagnostics, inconsistencyDiagnostics } from "../codec/diagnostic.ts";
import { identityOf } from "../codec/identity.ts";
import { resourceShape } from "../codec/schema.ts";
import {
  decodePlanned,
  encodePrivate,
  fromState,
  plannedInputs,
  timeoutFor,
  toState,
} from "../codec/state.ts";
import { decodeRecord, encode } from "../codec/value.ts";
import { encodeWriteOnly, resolveWriteOnly, withPriorSecrets } from "../codec/write-only.ts";
import type {
  ApplyResourceChange_Request,
  ApplyResourceChange_Response,
  Diagnostic,
} from "../tfplugin6/tfplugin6.ts";
import type { CallContext } from "./handler.ts";

/** Decoded request. */
interface Change {
  readonly resource: Resource;
  readonly prior: Values | undefined;
  readonly planned: Values | undefined;
  readonly config: Values;
  readonly private: Uint8Array | undefined;
}

/**
 * Creates, updates or deletes one object. An error response contains the state of the object too: the engine stores
 * only the state in the response, and an object without a state is orphaned.
 */
export async function applyResourceChange(
  resource: Resource,
  request: ApplyResourceChange_Request,
  { session, call: { signal: stop }, diagnostics }: CallContext,
): Promise<ApplyResourceChange_Response> {
  const shape = resourceShape(resource);
  const planned = decodeRecord(request.plannedState, shape);
  const change: Change = {
    resource,
    prior: decodeRecord(request.priorState, shape),
    planned,
    config: decodeRecord(request.config, shape) ?? {},
    private: request.plannedPrivate,
  };
  try {
    const state = await applyChange(session, change, {
      stop,
      graceMs: graceMs.terraform,
      warn: collectWarnings(diagnostics),
    });
    if (state === undefined || planned === undefined) return { newState: encode(null, shape) };
    return checkedResponse(resource, planned, state, diagnostics);
  } catch (error) {
    diagnostics.push(...errorDiagnostics(error, shape));
    const state = error instanceof OperationError ? error.state : undefined;
    // An error with a state taints the object, and the next apply would delete an object that only a search found.
    if (state !== undefined && state.foundBySearch !== true && planned !== undefined) {
      if (change.prior === undefined) await turnToFail(session);
      return partialResponse(resource, planned, state);
    }
    return {
      newState: request.priorState ?? encode(null, shape),
      // Without the private data of the plan, which a read does not return, since engines compare private data.
      private: encodePrivate(toState(change.prior ?? {}, change.private)),
      newIdentity: identityOf(resource, change.prior),
    };
  }
}

/** Pause in ms between two failed creates that return a state. */
const pauseMs = 50;
const turns = new WeakMap<Session, Promise<void>>();

/**
 * Resolves when a failed create may return its state. Terraform 1.16.0 stores such a state with an invalid status before
 * it marks the state as tainted. If it writes the state of another object in between, it crashes and loses all ids.
 */
async function turnToFail(session: Session): Promise<void> {
  const before = turns.get(session) ?? Promise.resolve();
  turns.set(
    session,
    before.then(() => session.ports.clock.sleep(pauseMs)),
  );
  await before;
}

/** Runs the operation. Returns the new state; undefined after a delete. */
async function applyChange(session: Session, change: Change, call: Call): Promise<ResourceState | undefined> {
  const { resource, prior, planned, config } = change;
  const { fields } = resource;
  const priorState = prior && withPriorSecrets(fields, toState(prior, change.private), prior, config);
  if (planned === undefined) {
    if (priorState === undefined) return undefined;
    const { holders = {}, loss } = decodePlanned(change.private);
    if (loss !== undefined) throw new InputError([loss]);
    await engine.delete(session, resource, priorState, {
      ...call,
      timeout: timeoutFor("delete", prior),
      keptOf: keptElsewhere(session, resource, priorState, {
        owner: priorState.id,
        others: Object.keys(holders),
      }),
    });
    return undefined;
  }
  const inputs = plannedInputs(fields, resolveWriteOnly(fields, planned, config), config);
  if (priorState !== undefined)
    return engine.update(session, resource, priorState, inputs, {
      ...call,
      timeout: timeoutFor("update", planned),
    });
  // The planned region is that of the parent, the provider or the replaced object; the provider may be configured otherwise now.
  const { region = null } = planned;
  const placed = typeof region === "string" ? { ...inputs, region } : inputs;
  return engine.create(session, resource, placed, {
    ...call,
    timeout: timeoutFor("create", planned),
    holderOf: holderOf(session, resource, inputs, { planned: decodePlanned(change.private) }),
  });
}

type StateResponse = Required<Pick<ApplyResourceChange_Response, "newState" | "private" | "newIdentity">>;

const stateResponse = (resource: Resource, state: ResourceState, values: Values): StateResponse => ({
  newState: encode(values, resourceShape(resource)),
  private: encodePrivate(state),
  newIdentity: identityOf(resource, values),
});

/** Returns a response with the new state if it is consistent with the plan; otherwise a partial response, with errors. */
function checkedResponse(
  resource: Resource,
  planned: Values,
  state: ResourceState,
  diagnostics: Diagnostic[],
): StateResponse {
  const shape = resourceShape(resource);
  const values = encodeWriteOnly(resource.fields, fromState(state, planned.timeouts), planned);
  const inconsistencies = resultInconsistencies(planned, values, shape);
  if (inconsistencies.length > 0) {
    diagnostics.push(
      ...inconsistencyDiagnostics(inconsistencies, state.id ?? "an object of unknown ID", shape),
    );
    return partialResponse(resource, planned, state);
  }
  try {
    return stateResponse(resource, state, values);
  } catch (error) {
    diagnostics.push(...errorDiagnostics(error, shape));
    return partialResponse(resource, planned, state);
  }
}

/** Returns a response with the part of the state that can be encoded: its values, or the id with the planned values. */
function partialResponse(resource: Resource, planned: Values, state: ResourceState): StateResponse {
  const responseWith = (values: Values) => {
    const all = encodeWriteOnly(resource.fields, fromState({ ...state, values }, planned.timeouts), planned);
    return stateResponse(resource, state, unknownAsNull(all) as Values);
  };
  try {
    return responseWith(state.values);
  } catch {
    return responseWith(planned);
  }
}
