import { Metadata, status } from "@grpc/grpc-js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import statusProto from "@pulumi/pulumi/proto/status_pb.js";
import any from "google-protobuf/google/protobuf/any_pb.js";
import type { Given, SettingName } from "../../config/config.ts";
import {
  CloudError,
  type ConfigError,
  FailedError,
  InputError,
  OperationError,
  StopError,
} from "../../core/error.ts";
import { provider } from "../../core/name.ts";
import type { Values } from "../../core/value.ts";
import { errorText } from "../text.ts";
import { structOf } from "./struct.ts";

/** Error with a gRPC status, which the engine reads. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  readonly code: status;
  readonly metadata: Metadata | undefined;
  constructor(code: status, message: string, metadata?: Metadata) {
    super(message);
    this.code = code;
    this.metadata = metadata;
  }
}

/** Converts any error. Only a defect of the plugin is INTERNAL (`docs/reliability.md#1.2`). */
export function statusError(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  return new StatusError(codeOf(error), errorText(error));
}

function codeOf(error: unknown): status {
  if (error instanceof InputError) return status.INVALID_ARGUMENT;
  if (error instanceof StopError) return status.CANCELLED;
  const isExpected = [OperationError, CloudError, FailedError].some((kind) => error instanceof kind);
  return isExpected ? status.FAILED_PRECONDITION : status.INTERNAL;
}

/** Error of an object that exists in a partial state: the engine stores its outputs and updates it in the next run. */
export function resourceInitFailed(text: string, id: string, outputs: Values, inputs: Values): StatusError {
  const detail = new proto.ErrorResourceInitFailed()
    .setId(id)
    .setProperties(structOf(outputs))
    .setInputs(structOf(inputs))
    .setReasonsList([text]);
  return withDetail(status.FAILED_PRECONDITION, text, "ErrorResourceInitFailed", detail.serializeBinary());
}

/** Error for settings that are all missing: names each, so that the engine prints the command that sets it. */
export function missingKeysError(error: ConfigError, given: Given): StatusError {
  const missing = error.problems.filter(({ path: [name] }) => given[name as SettingName] === undefined);
  if (missing.length < error.problems.length) return statusError(error);
  const detail = new proto.ConfigureErrorMissingKeys();
  for (const { path, problem } of missing) {
    const key = new proto.ConfigureErrorMissingKeys.MissingKey();
    detail.addMissingkeys(key.setName(`${provider}:${path[0]}`).setDescription(problem));
  }
  return withDetail(
    status.INVALID_ARGUMENT,
    errorText(error),
    "ConfigureErrorMissingKeys",
    detail.serializeBinary(),
  );
}

function withDetail(code: status, text: string, type: string, detail: Uint8Array): StatusError {
  const packed = new any.Any();
  packed.pack(detail, `pulumirpc.${type}`);
  const message = new statusProto.Status();
  message.setCode(code);
  message.setMessage(text);
  message.addDetails(packed);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(message.serializeBinary()));
  return new StatusError(code, text, metadata);
}
