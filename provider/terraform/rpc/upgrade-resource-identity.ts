import { terraformType } from "../../core/name.ts";
import type { Resource } from "../../definition/resource.ts";
import { DiagnosticError } from "../codec/diagnostic.ts";
import { identitySchema, identityShape, schemaVersion } from "../codec/schema.ts";
import { decodeJson, encode } from "../codec/value.ts";
import { type Handlers, typedHandlers } from "./handler.ts";

/** Returns the handlers of calls about resource identities. All identity schemas have only one version. */
export function identityHandlers(
  resources: readonly Resource[],
): Pick<Handlers, "getResourceIdentitySchemas" | "upgradeResourceIdentity"> {
  return {
    async getResourceIdentitySchemas() {
      const identified = resources.filter(({ stateOnly }) => !stateOnly);
      const schemas = identified.map((resource) => [terraformType(resource.name), identitySchema(resource)]);
      return { identitySchemas: Object.fromEntries(schemas) };
    },

    upgradeResourceIdentity: typedHandlers(
      "identity",
      resources,
      identityShape,
    )((resource, { version = 0, rawIdentity }) => {
      if (version > schemaVersion)
        throw new DiagnosticError(
          "The identity was written by a newer version",
          "Use that version of this provider, or a newer one.",
        );
      const shape = identityShape(resource);
      const stored = rawIdentity?.json === undefined ? null : decodeJson(rawIdentity.json, shape);
      return { upgradedIdentity: { identityData: encode(stored, shape) } };
    }),
  };
}
