import type { Resource } from "../define.ts";
import { engine } from "../engine.ts";
import { type Explanation, type Held, InputError } from "../errors.ts";
import { terraformType } from "../names.ts";
import { applyResource } from "./apply.ts";
import type { Configuration } from "./configuration.ts";
import { diagnosed, warning } from "./errors.ts";
import type { Handlers } from "./method.ts";
import { planResource, validate } from "./plan.ts";
import type { Diagnostic, DynamicValue, UpgradeRequest } from "./proto/plugin.ts";
import { type ObjectShape, resourceShape, schemaVersion } from "./schema.ts";
import { configOf, encodePrivate, fromHeld, timeoutFor, toHeld } from "./state.ts";
import { decodeJson, decodeRecord, encode } from "./values.ts";

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

const nothing: ObjectShape = { kind: "object", fields: {} };

/** Everything that engines ask about managed resources. */
export function resourceHandlers(
  resources: readonly Resource[],
  configuration: Configuration,
): ResourceHandlers {
  const byType = new Map(resources.map((resource) => [terraformType(resource.name), resource]));
  const find = (type = ""): Resource => {
    const resource = byType.get(type);
    if (resource !== undefined) return resource;
    throw new InputError([{ path: [], problem: `this provider has no resource ${type}` }]);
  };
  return {
    validateResourceConfig: ({ typeName, config }) =>
      diagnosed(nothing, () => {
        const resource = find(typeName);
        const shape = resourceShape(resource);
        return diagnosed(shape, (diagnostics) => {
          const written = decodeRecord(config, shape);
          if (written !== undefined) validate(resource, written, diagnostics);
          return {};
        });
      }),
  };
}
