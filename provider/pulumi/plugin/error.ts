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
import { textOf } from "../text.ts";
import { structOf } from "./struct.ts";

/** An answer that is no success, as the engine reads it. */
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

/** Any error as a status. Only a defect of ours leaves the engine in doubt (reliability 1.2). */
export function statusError(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  return new StatusError(codeOf(error), textOf(error));
}

function codeOf(error: unknown): status {
  if (error instanceof InputError) return status.INVALID_ARGUMENT;
  if (error instanceof StopError) return status.CANCELLED;
  const ordinary = [OperationError, CloudError, FailedError].some((kind) => error instanceof kind);
  return ordinary ? status.FAILED_PRECONDITION : status.INTERNAL;
}

/** The object exists, but is not what it should be: the engine keeps it and updates it in the next run. */
export function halfMade(text: string, id: string, outputs: Values, inputs: Values): StatusError {
  const detail = new proto.ErrorResourceInitFailed()
    .setId(id)
    .setProperties(structOf(outputs))
    .setInputs(structOf(inputs))
    .setReasonsList([text]);
  return detailed(status.FAILED_PRECONDITION, text, "ErrorResourceInitFailed", detail.serializeBinary());
}

/** Settings that are missing are asked for by name, so that the engine prints the command that sets them. */
export function configError(error: ConfigError, given: Given): StatusError {
  const missing = error.problems.filter(({ path: [name] }) => given[name as SettingName] === undefined);
  if (missing.length < error.problems.length) return statusError(error);
  const detail = new proto.ConfigureErrorMissingKeys();
  for (const { path, problem } of missing) {
    const key = new proto.ConfigureErrorMissingKeys.MissingKey();
    detail.addMissingkeys(key.setName(`${provider}:${path[0]}`).setDescription(problem));
  }
  return detailed(
    status.INVALID_ARGUMENT,
    textOf(error),
    "ConfigureErrorMissingKeys",
    detail.serializeBinary(),
  );
}

function detailed(code: status, text: string, type: string, detail: Uint8Array): StatusError {
  const packed = new any.Any();
  packed.pack(detail, `pulumirpc.${type}`);
  const whole = new statusProto.Status();
  whole.setCode(code);
  whole.setMessage(text);
  whole.addDetails(packed);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(whole.serializeBinary()));
  return new StatusError(code, text, metadata);
}
