import type { Resource } from "../../definition/resource.ts";
import { engine } from "../../engine/engine.ts";
import { collectWarnings } from "../codec/diagnostic.ts";
import { identityOf, identityTarget } from "../codec/identity.ts";
import { resourceShape } from "../codec/schema.ts";
import { encodePrivate, fromState } from "../codec/state.ts";
import { encode } from "../codec/value.ts";
import type { ImportResourceState_Request, ImportResourceState_Response } from "../tfplugin6/tfplugin6.ts";
import type { CallContext } from "./handler.ts";

/** Imports an object by its import id or by its identity. */
export async function importResourceState(
  resource: Resource,
  { typeName, id = "", identity }: ImportResourceState_Request,
  { session, call: { signal: stop }, diagnostics }: CallContext,
): Promise<ImportResourceState_Response> {
  const target = identity?.identityData === undefined ? id : identityTarget(resource, identity);
  const state = await engine.import(session, resource, target, { stop, warn: collectWarnings(diagnostics) });
  const values = fromState(state, null);
  const imported = {
    typeName,
    state: encode(values, resourceShape(resource)),
    private: encodePrivate(state),
    identity: identityOf(resource, values),
  };
  return { importedResources: [imported] };
}
