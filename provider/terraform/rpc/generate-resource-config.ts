import type { Resource } from "../../definition/resource.ts";
import { resourceShape } from "../codec/schema.ts";
import { configOf } from "../codec/state.ts";
import { decodeRecord, encode } from "../codec/value.ts";
import type {
  GenerateResourceConfig_Request,
  GenerateResourceConfig_Response,
} from "../tfplugin6/tfplugin6.ts";

/** Generates the configuration of an imported or listed object from its state. */
export function generateResourceConfig(
  resource: Resource,
  { state }: GenerateResourceConfig_Request,
): GenerateResourceConfig_Response {
  const shape = resourceShape(resource);
  const values = decodeRecord(state, shape);
  return { config: encode(values === undefined ? null : configOf(resource, values), shape) };
}
