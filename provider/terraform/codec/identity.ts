import { terraformType } from "../../core/name.ts";
import type { Values } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";
import type { Handlers } from "../rpc/handler.ts";
import type { ResourceIdentityData } from "../tfplugin6/tfplugin6.ts";
import { isIdentified, misidentified } from "./consistency.ts";
import { diagnosed, errorDiagnostics, noSuch, RefusalError } from "./diagnostic.ts";
import { identitySchema, identityShape, nothing, schemaVersion } from "./schema.ts";
import { decodeJson, decodeRecord, encode } from "./value.ts";

/**
 * Identities: what an object is found by, kept beside its state. Engines store what comes back with each answer and
 * forget what does not, so that every answer about an object that is there bears one.
 */

/** The identity of an engine's object; undefined while one of its parts is not known. */
export function identityOf(resource: Resource, values: Values | undefined): ResourceIdentityData | undefined {
  const shape = identityShape(resource);
  if (values === undefined || !isIdentified(values, shape)) return undefined;
  return { identityData: encode(values, shape) };
}

/** The identity of an object read again. Throws when it is no longer the one it was: an identity never changes. */
export function sameIdentity(
  resource: Resource,
  values: Values,
  before: ResourceIdentityData | undefined,
): ResourceIdentityData | undefined {
  const shape = identityShape(resource);
  const known = decodeRecord(before?.identityData, shape);
  const faults = known === undefined ? [] : misidentified(known, values, shape);
  if (faults.length > 0)
    throw new RefusalError(
      "Another object than before",
      `What is recorded names another object than its identity: ${faults.map(({ path }) => path.join(".")).join(", ")}. Remove it from the state and import it again.`,
    );
  return identityOf(resource, values);
}

/** Where an identity says that an object is, as the core imports it. */
export function whereabouts(
  resource: Resource,
  identity: ResourceIdentityData,
): { id: string; region: string | undefined; values: Values } {
  const { id, region, ...values } = decodeRecord(identity.identityData, identityShape(resource)) ?? {};
  return { id: String(id ?? ""), region: typeof region === "string" ? region : undefined, values };
}

export function identityHandlers(
  resources: readonly Resource[],
): Pick<Handlers, "getResourceIdentitySchemas" | "upgradeResourceIdentity"> {
  const byType = new Map(resources.map((resource) => [terraformType(resource.name), resource]));
  return {
    async getResourceIdentitySchemas() {
      const schemas = [...byType].map(([type, resource]) => [type, identitySchema(resource)] as const);
      return { identitySchemas: Object.fromEntries(schemas) };
    },

    async upgradeResourceIdentity({ typeName = "", version = 0, rawIdentity: raw }) {
      const resource = byType.get(typeName);
      if (resource === undefined)
        return { diagnostics: errorDiagnostics(noSuch("identity", typeName), nothing) };
      const shape = identityShape(resource);
      return diagnosed(shape, () => {
        if (version > schemaVersion)
          throw new RefusalError(
            "Identity of a newer version",
            "It was written by a newer version of this provider: use that version, or a newer one.",
          );
        const stored = raw?.json === undefined ? null : decodeJson(raw.json, shape);
        return { upgradedIdentity: { identityData: encode(stored, shape) } };
      });
    },
  };
}
