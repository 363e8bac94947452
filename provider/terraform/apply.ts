import type { Resource } from "../define.ts";
import { engine } from "../engine.ts";
import { type Explanation, type Held, OperationError } from "../errors.ts";
import type { Call } from "../operation.ts";
import type { Session } from "../session.ts";
import type { Values } from "../value.ts";
import { broken, withoutUnknown } from "./conform.ts";
import { brokenPromises, errorDiagnostics, warning } from "./errors.ts";
import type { ApplyRequest, ApplyResponse, Diagnostic, DynamicValue } from "./proto/plugin.ts";
import { resourceShape } from "./schema.ts";
import { encodePrivate, fromHeld, plannedInputs, timeoutFor, toHeld } from "./state.ts";
import { decodeRecord, encode } from "./values.ts";

/**
 * Creates, changes or deletes one object. An error never comes without what exists: the engine discards whatever
 * it is not given back, and an object nobody remembers is an orphan.
 */
export async function applyResource(
  resource: Resource,
  request: ApplyRequest,
  session: Session,
  stop: AbortSignal,
  diagnostics: Diagnostic[],
): Promise<ApplyResponse> {
  const shape = resourceShape(resource);
  const prior = decodeRecord(request.priorState, shape);
  const planned = decodeRecord(request.plannedState, shape);
  const config = decodeRecord(request.config, shape) ?? {};
  const warn = ({ summary, detail }: Explanation) => diagnostics.push(warning(summary, detail, [], shape));
  const call = (verb: "create" | "update" | "delete", limits: Values | undefined): Call => ({
    stop,
    timeout: timeoutFor(verb, limits),
    warn,
  });
  try {
    if (planned === undefined) {
      if (prior !== undefined) {
        const held = toHeld(prior, request.plannedPrivate);
        await engine.delete(session, resource, held, call("delete", prior));
      }
      return { newState: encode(null, shape) };
    }
    const inputs = plannedInputs(resource.fields, planned, config);
    const held =
      prior === undefined
        ? await engine.create(session, resource, inputs, call("create", planned))
        : await engine.update(
            session,
            resource,
            toHeld(prior, request.plannedPrivate),
            inputs,
            call("update", planned),
          );
    return applied(resource, planned, held, diagnostics);
  } catch (error) {
    diagnostics.push(...errorDiagnostics(error, shape));
    const held = error instanceof OperationError ? error.held : undefined;
    if (held !== undefined && planned !== undefined) return salvaged(resource, planned, held);
    const { priorState = encode(null, shape), plannedPrivate = new Uint8Array() } = request;
    return { newState: priorState, private: plannedPrivate };
  }
}

type Stored = { newState: DynamicValue; private: Uint8Array };

/** The new state, if the engine will take it; else what it will take, with an error that says why. */
function applied(resource: Resource, planned: Values, held: Held, diagnostics: Diagnostic[]): Stored {
  const shape = resourceShape(resource);
  const values = fromHeld(held, planned.timeouts);
  const faults = broken(planned, values, shape);
  if (faults.length > 0) {
    diagnostics.push(...brokenPromises(faults, held.id ?? "an object of unknown id", shape));
    return salvaged(resource, planned, held);
  }
  try {
    return { newState: encode(values, shape), private: encodePrivate(held) };
  } catch (error) {
    diagnostics.push(...errorDiagnostics(error, shape));
    return salvaged(resource, planned, held);
  }
}

/** As much of an object as can be stored: at the least its id, beside what was planned. */
function salvaged(resource: Resource, planned: Values, held: Held): Stored {
  const shape = resourceShape(resource);
  const store = (values: Values) =>
    encode(withoutUnknown(fromHeld({ ...held, values }, planned.timeouts)), shape);
  try {
    return { newState: store(held.values), private: encodePrivate(held) };
  } catch {
    return { newState: store(planned), private: encodePrivate(held) };
  }
}
