import type { Resource } from "../../definition/resource.ts";
import { configOf, decodeRecord, encode, resourceShape } from "../codec/codec.ts";
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
