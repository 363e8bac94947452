import { InputError } from "../../core/error.ts";
import type { Values } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";
import { engine, writtenObject } from "../../engine/engine.ts";
import type { GrpcCall } from "../../grpc/grpc.ts";
import { problemWarning } from "../codec/diagnostic.ts";
import { resourceShape } from "../codec/schema.ts";
import { fieldsOf, timeoutProblems } from "../codec/state.ts";
import { decodeRecord } from "../codec/value.ts";
import { atGivenForm, resolveWriteOnly, writeOnlyProblems } from "../codec/write-only.ts";
import type {
  Diagnostic,
  ValidateResourceConfig_Request,
  ValidateResourceConfig_Response,
} from "../tfplugin6/tfplugin6.ts";
import type { CallContext } from "./handler.ts";

/**
 * Validates the configuration of a resource; sends no request. Terraform also calls it without a provider
 * configuration.
 */
export async function validateResourceConfig(
  resource: Resource,
  { config, clientCapabilities }: ValidateResourceConfig_Request,
  call: GrpcCall,
  diagnostics: Diagnostic[],
): Promise<ValidateResourceConfig_Response> {
  const values = decodeRecord(config, resourceShape(resource));
  const writeOnlyAllowed = clientCapabilities?.writeOnlyAttributesAllowed === true;
  if (values !== undefined) await validateConfig(resource, values, { call, diagnostics }, writeOnlyAllowed);
  return {};
}

/**
 * Validates configured values and returns the inputs. Unknown values are valid. Throws `InputError` with all problems.
 * `writeOnlyAllowed` is true if the engine supports write-only arguments.
 */
export async function validateConfig(
  resource: Resource,
  config: Values,
  { call, diagnostics }: Omit<CallContext, "session">,
  writeOnlyAllowed = true,
): Promise<Values> {
  const { fields } = resource;
  const written = resolveWriteOnly(fields, fieldsOf(config));
  await engine.prepare(resource, written, call);
  const { inputs, problems, warnings } = engine.check(resource, written);
  diagnostics.push(
    ...warnings.map((each) =>
      problemWarning(writtenObject(resource, written), each, resourceShape(resource)),
    ),
  );
  const all = [
    ...problems.map((problem) => atGivenForm(fields, config, problem)),
    ...writeOnlyProblems(fields, config, writeOnlyAllowed),
    ...timeoutProblems(config.timeouts),
  ];
  if (all.length > 0) throw new InputError(all);
  return inputs;
}
