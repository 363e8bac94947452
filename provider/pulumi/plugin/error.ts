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
import { inWordsOf } from "../../core/wording.ts";
import { GrpcError, status } from "../../grpc/grpc.ts";
import { errorText } from "../text.ts";
import { structOf } from "./struct.ts";

/** Converts any error to a `GrpcError`. Only a defect of the plugin is INTERNAL (docs/reliability.md#1.2). */
export function grpcError(error: unknown): GrpcError {
  if (error instanceof GrpcError) return error;
  return new GrpcError(codeOf(error), errorText(error));
}

function codeOf(error: unknown): number {
  if (error instanceof InputError) return status.invalidArgument;
  if (error instanceof StopError) return status.cancelled;
  const isExpected = [OperationError, CloudError, FailedError].some((kind) => error instanceof kind);
  return isExpected ? status.failedPrecondition : status.internal;
}

/** Returns the error of an object in a partial state: the engine stores its outputs, and the next run updates it. */
export function resourceInitFailed(text: string, id: string, outputs: Values, inputs: Values): GrpcError {
  const detail = new proto.ErrorResourceInitFailed()
    .setId(id)
    .setProperties(structOf(outputs))
    .setInputs(structOf(inputs))
    .setReasonsList([text]);
  return withDetail(status.failedPrecondition, text, "ErrorResourceInitFailed", detail.serializeBinary());
}

/** Returns the error for settings that are all missing, with their names: the engine prints the command to set each. */
export function missingKeysError(error: ConfigError, settings: Given): GrpcError {
  const missing = error.problems.filter(({ path: [name] }) => settings[name as SettingName] === undefined);
  if (missing.length < error.problems.length) return grpcError(error);
  const detail = new proto.ConfigureErrorMissingKeys();
  for (const { path, problem } of missing) {
    const key = new proto.ConfigureErrorMissingKeys.MissingKey();
    detail.addMissingkeys(key.setName(`${provider}:${path[0]}`).setDescription(inWordsOf("pulumi", problem)));
  }
  return withDetail(
    status.invalidArgument,
    errorText(error),
    "ConfigureErrorMissingKeys",
    detail.serializeBinary(),
  );
}

function withDetail(code: number, text: string, type: string, detail: Uint8Array): GrpcError {
  const packed = new any.Any();
  packed.pack(detail, `pulumirpc.${type}`);
  const message = new statusProto.Status();
  message.setCode(code);
  message.setMessage(text);
  message.addDetails(packed);
  return new GrpcError(code, text, message.serializeBinary());
}
