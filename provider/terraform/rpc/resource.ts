import type { Resource } from "../../definition/resource.ts";
import { resourceShape } from "../codec/schema.ts";
import { applyResourceChange } from "./apply-resource-change.ts";
import { type ProviderConfiguration, requireSession } from "./configure-provider.ts";
import { generateResourceConfig } from "./generate-resource-config.ts";
import { type Handlers, typedHandlers } from "./handler.ts";
import { importResourceState } from "./import-resource-state.ts";
import { moveResourceState } from "./move-resource-state.ts";
import { planResourceChange } from "./plan-resource-change.ts";
import { readResource } from "./read-resource.ts";
import { upgradeResourceState } from "./upgrade-resource-state.ts";
import { validateResourceConfig } from "./validate-resource-config.ts";

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

/** Returns the handlers of calls about managed resources. */
export function resourceHandlers(
  resources: readonly Resource[],
  { session }: Pick<ProviderConfiguration, "session">,
): ResourceHandlers {
  const forResource = typedHandlers("resource", resources, resourceShape);
  return {
    validateResourceConfig: forResource((resource, request, call, diagnostics) =>
      validateResourceConfig(resource, request, call, diagnostics),
    ),
    upgradeResourceState: forResource(upgradeResourceState),
    readResource: forResource((resource, request, call, diagnostics) =>
      readResource(resource, request, { session: session(call), call, diagnostics }),
    ),
    planResourceChange: forResource((resource, request, call, diagnostics) =>
      planResourceChange(resource, request, { session: session(call), call, diagnostics }),
    ),
    applyResourceChange: forResource((resource, request, call, diagnostics) =>
      applyResourceChange(resource, request, { session: requireSession(session(call)), call, diagnostics }),
    ),
    importResourceState: forResource((resource, request, call, diagnostics) =>
      importResourceState(resource, request, { session: requireSession(session(call)), call, diagnostics }),
    ),
    moveResourceState(request, call) {
      const move = forResource((resource) => moveResourceState(resource, request));
      return move({ typeName: request.targetTypeName }, call);
    },
    generateResourceConfig: forResource(generateResourceConfig),
  };
}
