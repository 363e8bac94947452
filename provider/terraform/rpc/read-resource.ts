import { hasUnknown } from "../../core/value.ts";
import { explainWarning } from "../../core/warning.ts";
import type { Resource } from "../../definition/resource.ts";
import type { Session } from "../../engine/engine.ts";
import { addEntry, engine, labelOf, titleObject } from "../../engine/engine.ts";
import { collectWarnings } from "../codec/diagnostic.ts";
import { unchangedIdentity } from "../codec/identity.ts";
import { resourceShape } from "../codec/schema.ts";
import { encodePrivate, fromState, timeoutFor, toState } from "../codec/state.ts";
import { decodeRecord, encode } from "../codec/value.ts";
import { encodeRefreshed } from "../codec/write-only.ts";
import type { ReadResource_Request, ReadResource_Response } from "../tfplugin6/tfplugin6.ts";
import type { CallContext } from "./handler.ts";

/** Reads the current state of an object; null if it does not exist. Without a session, returns the state unchanged. */
export async function readResource(
  resource: Resource,
  request: ReadResource_Request,
  { session, call: { signal: stop }, diagnostics }: CallContext<Session | undefined>,
): Promise<ReadResource_Response> {
  const shape = resourceShape(resource);
  const unchanged = {
    newState: request.currentState,
    private: request.private,
    newIdentity: request.currentIdentity,
  };
  const values = decodeRecord(request.currentState, shape);
  if (values === undefined) return unchanged;
  const warn = collectWarnings(diagnostics);
  if (session === undefined) {
    const label = labelOf(resource, toState(values, request.private));
    const object = titleObject(undefined, resource, label);
    warn(explainWarning({ code: "not-refreshed" }, object));
    return unchanged;
  }
  const timeout = timeoutFor("read", values);
  const recorded = toState(values, request.private);
  addEntry(session, resource, recorded);
  const state = await engine.read(session, resource, recorded, { stop, timeout, warn });
  if (recorded.id === undefined && state !== undefined) addEntry(session, resource, state);
  if (state === undefined) return { newState: encode(null, shape) };
  const current = encodeRefreshed(resource, fromState(state, values.timeouts), values);
  if (hasUnknown(current)) throw new TypeError("a read gave a value that is not known");
  return {
    newState: encode(current, shape),
    private: encodePrivate(state),
    newIdentity: unchangedIdentity(resource, current, request.currentIdentity),
  };
}
