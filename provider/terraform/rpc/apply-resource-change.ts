import { type Explanation, type Held, OperationError } from "../../core/error.ts";
import type { Values } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";
import { engine } from "../../engine/engine.ts";
import type { Call } from "../../engine/operation.ts";
import type { Session } from "../../engine/session.ts";
import { broken, withoutUnknown } from "../codec/consistency.ts";
import { brokenPromises, errorDiagnostics, warning } from "../codec/diagnostic.ts";
import { identityOf } from "../codec/identity.ts";
import { resourceShape } from "../codec/schema.ts";
import { encodePrivate, fromHeld, plannedInputs, timeoutFor, toHeld } from "../codec/state.ts";
import { decodeRecord, encode } from "../codec/value.ts";
import { sealed, sealedBefore, unsealed } from "../codec/write-only.ts";
import type {
  ApplyResourceChange_Request,
  ApplyResourceChange_Response,
  Diagnostic,
} from "../tfplugin6/tfplugin6.ts";

/** One change as the engine asks for it, decoded. */
interface Change {
  readonly resource: Resource;
  readonly prior: Values | undefined;
  readonly planned: Values | undefined;
  readonly config: Values;
  readonly private: Uint8Array | undefined;
}

/**
 * Creates, changes or deletes one object. An error never comes without what exists: the engine discards whatever
 * it is not given back, and an object nobody remembers is an orphan.
 */
export async function applyResource(
  resource: Resource,
  request: ApplyResourceChange_Request,
  session: Session,
  stop: AbortSignal,
  diagnostics: Diagnostic[],
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
  const warn = ({ summary, detail }: Explanation) => diagnostics.push(warning(summary, detail, [], shape));
  try {
    const held = await carryOut(session, change, { stop, warn });
    if (held === undefined || planned === undefined) return { newState: encode(null, shape) };
    return applied(resource, planned, held, diagnostics);
  } catch (error) {
    diagnostics.push(...errorDiagnostics(error, shape));
    const held = error instanceof OperationError ? error.held : undefined;
    if (held !== undefined && planned !== undefined) return salvaged(resource, planned, held);
    const { priorState = encode(null, shape), plannedPrivate = new Uint8Array() } = request;
    return {
      newState: priorState,
      private: plannedPrivate,
      newIdentity: identityOf(resource, change.prior),
    };
  }
}

/** The object afterwards; undefined after a delete. */
async function carryOut(session: Session, change: Change, call: Call): Promise<Held | undefined> {
  const { resource, prior, planned, config } = change;
  const { fields } = resource;
  const before = prior && sealedBefore(fields, toHeld(prior, change.private), prior, config);
  if (planned === undefined) {
    if (before === undefined) return undefined;
    await engine.delete(session, resource, before, { ...call, timeout: timeoutFor("delete", prior) });
    return undefined;
  }
  const inputs = plannedInputs(fields, unsealed(fields, planned, config), config);
  if (before !== undefined)
    return engine.update(session, resource, before, inputs, {
      ...call,
      timeout: timeoutFor("update", planned),
    });
  return engine.create(session, resource, inputs, { ...call, timeout: timeoutFor("create", planned) });
}

type Stored = Required<Pick<ApplyResourceChange_Response, "newState" | "private" | "newIdentity">>;

const stored = (resource: Resource, held: Held, values: Values): Stored => ({
  newState: encode(values, resourceShape(resource)),
  private: encodePrivate(held),
  newIdentity: identityOf(resource, values),
});

/** The new state, if the engine will take it; else what it will take, with an error that says why. */
function applied(resource: Resource, planned: Values, held: Held, diagnostics: Diagnostic[]): Stored {
  const shape = resourceShape(resource);
  const values = sealed(resource.fields, fromHeld(held, planned.timeouts), planned);
  const faults = broken(planned, values, shape);
  if (faults.length > 0) {
    diagnostics.push(...brokenPromises(faults, held.id ?? "an object of unknown id", shape));
    return salvaged(resource, planned, held);
  }
  try {
    return stored(resource, held, values);
  } catch (error) {
    diagnostics.push(...errorDiagnostics(error, shape));
    return salvaged(resource, planned, held);
  }
}

/** As much of an object as can be stored: at the least its id, beside what was planned. */
function salvaged(resource: Resource, planned: Values, held: Held): Stored {
  const store = (values: Values) => {
    const all = sealed(resource.fields, fromHeld({ ...held, values }, planned.timeouts), planned);
    return stored(resource, held, withoutUnknown(all) as Values);
  };
  try {
    return store(held.values);
  } catch {
    return store(planned);
  }
}
