import { CloudError, explain, InputError, OperationError } from "../../core/error.ts";
import { term } from "../../core/name.ts";
import type { ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import { explainWarning } from "../../core/warning.ts";
import { attribute, joinTexts, type Text, wording } from "../../core/wording.ts";
import { check } from "../../definition/check.ts";
import type { Resource } from "../../definition/resource.ts";
import { scopeFields } from "../../definition/resource.ts";
import type { ObjectShape } from "../../definition/shape.ts";
import type { Listed, Session } from "../../engine/engine.ts";
import { describeObject, engine } from "../../engine/engine.ts";
import type { GrpcCall } from "../../grpc/grpc.ts";
import {
  collectWarnings,
  errorDiagnostics,
  unknownTypeError,
  warningDiagnostic,
} from "../codec/diagnostic.ts";
import { identityOf } from "../codec/identity.ts";
import { listable } from "../codec/provider-schema.ts";
import { emptyShape, listShape, resourceShape } from "../codec/schema.ts";
import { configOf, fromState, withoutSecrets } from "../codec/state.ts";
import { decodeRecord, encode } from "../codec/value.ts";
import type { Diagnostic, ListResource_Event } from "../tfplugin6/tfplugin6.ts";
import { type ProviderConfiguration, requireSession } from "./configure-provider.ts";
import { byTerraformType, type Handlers, typedHandlers } from "./handler.ts";

/** Maximum number of concurrent reads of single objects, for listings whose rows lack fields. */
const concurrentReads = 8;

/** Returns the handlers of calls about list blocks. */
export function listHandlers(
  resources: readonly Resource[],
  { session }: Pick<ProviderConfiguration, "session">,
): Pick<Handlers, "validateListResourceConfig" | "listResource"> {
  const resourcesWithList = listable(resources);
  const byType = byTerraformType(resourcesWithList);
  const forList = typedHandlers("list resource", resourcesWithList, (resource) =>
    inConfigBlock(listShape(resource)),
  );
  return {
    validateListResourceConfig: forList((resource, { config }) => {
      const values = decodeRecord(config, listShape(resource)) ?? {};
      const { problems } = check({ fields: scopeFields(resource) }, values);
      if (problems.length > 0)
        throw new InputError(problems.map(({ path, problem }) => ({ path: ["config", ...path], problem })));
      return {};
    }),

    async *listResource({ typeName = "", config, limit = 0, includeResourceObject = false }, call) {
      const resource = byType.get(typeName);
      if (resource === undefined) {
        yield { diagnostic: errorDiagnostics(unknownTypeError("list resource", typeName), emptyShape) };
        return;
      }
      const shape = listShape(resource);
      try {
        const openSession = requireSession(session(call));
        const scope = decodeRecord(config, shape) ?? {};
        const rows = await engine.list(openSession, resource, scope, { stop: call.signal });
        const parts = includeResourceObject ? partsIn(resource, resources, rows) : new Map<Listed, Text>();
        const eventOf = (listed: Listed) => {
          if (!includeResourceObject) return identityEvent(resource, listed, []);
          const why = parts.get(listed);
          return why === undefined
            ? objectEvent(openSession, resource, listed, call)
            : skippedEvent(resource, listed, why);
        };
        for (let position = 0, left = limit; position < rows.length && left > 0; ) {
          const next = rows.slice(position, position + Math.min(left, concurrentReads));
          position += next.length;
          for (const event of await Promise.all(next.map(eventOf))) {
            if (event.identity !== undefined) left -= 1;
            yield event;
          }
        }
      } catch (error) {
        // An error makes the engine discard earlier events, so that a partial list never looks complete.
        yield { diagnostic: errorDiagnostics(error, shape) };
      }
    },
  };
}

/**
 * Returns the objects that count as part of an object of another kind, such as the primary subnet of a VPC, each with the reason:
 * they are deleted with it, so that a destroy of a configuration with both would fail. No response says which object is the
 * part: the first one of a response counts.
 */
function partsIn(
  { name: kind }: Resource,
  resources: readonly Resource[],
  rows: readonly Listed[],
): ReadonlyMap<Listed, Text> {
  const parts = resources.flatMap((whole) =>
    Object.entries(whole.fields).flatMap(([name, field]) => {
      if (field.kind !== "group" || field.options.candidateKind !== kind) return [];
      const first = [...Map.groupBy(rows, ({ values }) => JSON.stringify(values)).values()].flatMap(
        ([one]) => one ?? [],
      );
      const why = wording`It counts as ${attribute(name)} of its ${term(whole.name)}, with which it is deleted: no response shows which one is, and the first one listed counts.`;
      return first.map((listed): [Listed, Text] => [listed, why]);
    }),
  );
  return new Map(parts);
}

/** Returns the shape of the block around the configuration, to which the paths of a validation are relative. */
const inConfigBlock = (shape: ObjectShape): ObjectShape => ({
  kind: "object",
  fields: { config: { shape, about: "", setBy: "user", required: false, secret: false, writeOnly: false } },
});

/** Returns an event with identity and name; for an object without identity a warning, after which the engine continues. */
function identityEvent(resource: Resource, listed: Listed, diagnostics: Diagnostic[]): ListResource_Event {
  const { id, region, name, values, problem } = listed;
  if (problem !== undefined) return skippedEvent(resource, listed, `its ID ${problem}`);
  const identity = identityOf(resource, { ...values, id, region: region ?? null });
  if (identity === undefined) return skippedEvent(resource, listed, "its identity is not known");
  return { identity, displayName: name, diagnostic: diagnostics };
}

/** Returns an event with the object but no secrets: Terraform prints the object and generates a configuration from it. */
async function objectEvent(
  session: Session,
  resource: Resource,
  listed: Listed,
  { signal }: GrpcCall,
): Promise<ListResource_Event> {
  const diagnostics: Diagnostic[] = [];
  const event = identityEvent(resource, listed, diagnostics);
  if (event.identity === undefined) return event;
  const shape = resourceShape(resource);
  try {
    const options = { stop: signal, warn: collectWarnings(diagnostics) };
    const state: ResourceState = listed.state ?? (await engine.import(session, resource, listed, options));
    const object = fromState({ ...state, values: withoutSecrets(resource.fields, state.values) }, null);
    const lacking = lackingIn(resource, object);
    if (lacking.length > 0)
      return skippedEvent(
        resource,
        listed,
        wording`The API does not return ${joinTexts(lacking, ", ")}, which its configuration must contain. Write the configuration by hand, and import the object.`,
      );
    return { ...event, resourceObject: encode(object, shape) };
  } catch (error) {
    if (!affectsOneObject(error)) throw error;
    const { summary, detail } = explain(error);
    return skippedEvent(resource, listed, `${summary}. ${detail}`);
  }
}

/** Returns what a configuration generated from the object would lack: required attributes, and problems of several ones. */
const lackingIn = (resource: Resource, object: Values): Text[] =>
  check(resource, configOf(resource, object)).problems.map(({ path: [name], problem }) =>
    typeof name === "string" ? attribute(name) : wording`a part of it (${problem})`,
  );

/** Returns true for a failure of one object, which was deleted or may not be read; false for one of the whole list. */
const affectsOneObject = (error: unknown): boolean =>
  error instanceof OperationError &&
  (error.cause === undefined || (error.cause instanceof CloudError && error.cause.failure === "rejected"));

function skippedEvent({ name: kind }: Resource, { name, id }: Listed, why: Text): ListResource_Event {
  const object = describeObject(name === id ? { kind, id } : { kind, name });
  return {
    diagnostic: [warningDiagnostic(explainWarning({ code: "omitted", why }, object), [], emptyShape)],
  };
}
