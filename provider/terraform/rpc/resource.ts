import type { Explanation } from "../../core/error.ts";
import { snakeCase, terraformType } from "../../core/name.ts";
import { hasUnknown, type Value } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";
import { type Stored, upgraded, versionOf } from "../../definition/upgrade.ts";
import { engine } from "../../engine/engine.ts";
import type { Session } from "../../engine/session.ts";
import { diagnosed, errorDiagnostics, noSuch, RefusalError, warning } from "../codec/diagnostic.ts";
import { identityOf, sameIdentity, whereabouts } from "../codec/identity.ts";
import { nothing, type ObjectShape, resourceShape } from "../codec/schema.ts";
import { configOf, encodePrivate, fromHeld, timeoutFor, toHeld } from "../codec/state.ts";
import { decodeJson, decodeRecord, encode } from "../codec/value.ts";
import { sealed } from "../codec/write-only.ts";
import type { Diagnostic, ReadResource_Request, ReadResource_Response } from "../tfplugin6/tfplugin6.ts";
import type { Call } from "../transport/grpc.ts";
import { applyResource } from "./apply-resource-change.ts";
import { type Configuration, configured } from "./configure-provider.ts";
import type { Handlers } from "./handler.ts";
import { movedObject } from "./move-resource-state.ts";
import { planResource, validate } from "./plan-resource-change.ts";

type ResourceHandlers = Pick<
  Handlers,
  | "validateResourceConfig"
  | "upgradeResourceState"
  | "readResource"
  | "planResourceChange"
  | "applyResourceChange"
  | "importResourceState"
  | "moveResourceState"
  | "generateResourceConfig"
>;

/** Everything that engines ask about managed resources. */
export function resourceHandlers(
  resources: readonly Resource[],
  { session }: Pick<Configuration, "session">,
): ResourceHandlers {
  const byType = new Map(resources.map((resource) => [terraformType(resource.name), resource]));

  /** A call about one type: an unknown type, and whatever goes wrong, is a diagnostic. */
  const about =
    <Q extends { typeName?: string | undefined }, A extends object>(
      run: (resource: Resource, request: Q, call: Call, diagnostics: Diagnostic[]) => Promise<A> | A,
    ) =>
    (request: Q, call: Call): Promise<A | { diagnostics: Diagnostic[] }> => {
      const { typeName = "" } = request;
      const resource = byType.get(typeName);
      if (resource === undefined)
        return Promise.resolve({ diagnostics: errorDiagnostics(noSuch("resource", typeName), nothing) });
      return diagnosed(resourceShape(resource), (diagnostics) => run(resource, request, call, diagnostics));
    };

  return {
    validateResourceConfig: about((resource, { config, clientCapabilities }, _, diagnostics) => {
      const written = decodeRecord(config, resourceShape(resource));
      const allowed = clientCapabilities?.writeOnlyAttributesAllowed === true;
      if (written !== undefined) validate(resource, written, diagnostics, allowed);
      return {};
    }),

    upgradeResourceState: about((resource, { version = 0, rawState: raw }) => {
      const shape = resourceShape(resource);
      if (version > versionOf(resource))
        throw new RefusalError(
          "State of a newer version",
          "It was written by a newer version of this provider: use that version, or a newer one.",
        );
      return { upgradedState: encode(raw?.json ? stateOf(resource, version, raw.json) : null, shape) };
    }),

    readResource: about((resource, request, call, diagnostics) =>
      readResource(resource, request, session(call), call, diagnostics),
    ),

    planResourceChange: about((resource, request, call, diagnostics) =>
      planResource(resource, request, session(call), diagnostics),
    ),

    applyResourceChange: about((resource, request, call, diagnostics) =>
      applyResource(resource, request, configured(session(call)), call.signal, diagnostics),
    ),

    importResourceState: about(async (resource, { typeName, id = "", identity }, call, diagnostics) => {
      const where = identity?.identityData === undefined ? id : whereabouts(resource, identity);
      const asked = { stop: call.signal, warn: warner(diagnostics) };
      const held = await engine.import(configured(session(call)), resource, where, asked);
      const values = fromHeld(held, null);
      const imported = {
        typeName,
        state: encode(values, resourceShape(resource)),
        private: encodePrivate(held),
        identity: identityOf(resource, values),
      };
      return { importedResources: [imported] };
    }),

    moveResourceState({ targetTypeName, sourceTypeName = "", sourceState }, call) {
      const move = about((resource) => {
        const held = movedObject(resource, sourceTypeName, storedOf(sourceState?.json));
        const values = fromHeld(held, null);
        return {
          targetState: encode(values, resourceShape(resource)),
          targetPrivate: encodePrivate(held),
          targetIdentity: identityOf(resource, values),
        };
      });
      return move({ typeName: targetTypeName }, call);
    },

    generateResourceConfig: about((resource, { state }) => {
      const shape = resourceShape(resource);
      const values = decodeRecord(state, shape);
      return { config: encode(values === undefined ? null : configOf(resource, values), shape) };
    }),
  };
}

/** What a state says of an object; nothing where there is none. */
const storedOf = (json: Uint8Array | undefined): Stored =>
  json === undefined ? {} : (JSON.parse(Buffer.from(json).toString("utf8")) as Stored);

/** A stored object in the shape of today. One of today's version keeps every number as it is written. */
function stateOf(resource: Resource, version: number, json: Uint8Array): Value {
  const current =
    version === versionOf(resource)
      ? json
      : Buffer.from(JSON.stringify(upgraded(resource, version, storedOf(json), snakeCase)));
  return decodeJson(current, resourceShape(resource));
}

const warner =
  (diagnostics: Diagnostic[]) =>
  ({ summary, detail }: Explanation): void => {
    diagnostics.push(warning(summary, detail, [], nothing));
  };

async function readResource(
  resource: Resource,
  request: ReadResource_Request,
  session: Session | undefined,
  call: Call,
  diagnostics: Diagnostic[],
): Promise<ReadResource_Response> {
  const shape: ObjectShape = resourceShape(resource);
  const asBefore = {
    newState: request.currentState,
    private: request.private,
    newIdentity: request.currentIdentity,
  };
  const values = decodeRecord(request.currentState, shape);
  if (values === undefined) return asBefore;
  const warn = warner(diagnostics);
  if (session === undefined) {
    warn({
      summary: "Not refreshed",
      detail: "The provider's own configuration is not known yet; what is recorded stands.",
    });
    return asBefore;
  }
  const held = await engine.read(session, resource, toHeld(values, request.private), {
    stop: call.signal,
    timeout: timeoutFor("read", values),
    warn,
  });
  if (held === undefined) return { newState: encode(null, shape) };
  const seen = sealed(resource.fields, fromHeld(held, values.timeouts), values);
  if (hasUnknown(seen)) throw new TypeError("a read gave a value that is not known");
  return {
    newState: encode(seen, shape),
    private: encodePrivate(held),
    newIdentity: sameIdentity(resource, seen, request.currentIdentity),
  };
}
