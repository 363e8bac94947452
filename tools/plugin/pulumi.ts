import { type Client, Metadata, type ServiceError, type sendUnaryData } from "@grpc/grpc-js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import statusProto from "@pulumi/pulumi/proto/status_pb.js";
import struct from "google-protobuf/google/protobuf/struct_pb.js";
import type { Plain } from "../../provider/core/value.ts";

/** Calls of the plugin's protocol and their results as plain values. */

export type Properties = { [name: string]: Plain };
export type Failure = { readonly property: string; readonly reason: string };
export interface CheckResult {
  readonly inputs: Properties;
  readonly failures: Failure[];
}
export interface DiffResult {
  readonly changes: string;
  readonly diffs: string[];
  readonly replaces: string[];
  readonly deleteBeforeReplace: boolean;
  readonly detailed: Record<string, string>;
}
export interface StoredResource {
  readonly id: string;
  readonly properties: Properties;
  readonly inputs?: Properties;
}

/** Error of a call. */
export interface CallFailure {
  readonly code: number;
  readonly message: string;
  /** Content of an `ErrorResourceInitFailed`. */
  readonly partial?: StoredResource & { readonly reasons: string[] };
  /** Missing settings, by name. */
  readonly missing?: Record<string, string>;
}

export const typeOf = (type: string): string => `kcloud:index:${type}`;
export const urnOf = (type: string, name = "it"): string => `urn:pulumi:dev::proj::${typeOf(type)}::${name}`;

export const toStruct = (values: Properties) => struct.Struct.fromJavaScript(values as never);
export const fromStruct = (message: InstanceType<typeof struct.Struct> | undefined) =>
  (message?.toJavaScript() ?? {}) as Properties;
/** Returns the name of a value in a protocol enumeration. */
export const keyOf = (of: object, value: number): string =>
  Object.entries(of).find(([, candidate]) => candidate === value)?.[0] ?? "?";

type Method<Q, A> = (request: Q, metadata: Metadata, options: object, callback: sendUnaryData<A>) => unknown;
export const call = <Q, A>(client: Client, method: Method<Q, A>, request: Q): Promise<A> =>
  new Promise((resolve, reject) => {
    method.call(client, request, new Metadata(), {}, (error, answer) =>
      error === null || error === undefined ? resolve(answer as A) : reject(error),
    );
  });

/** Returns the decoded error of a call that must fail. */
export async function failureOf(work: Promise<unknown>): Promise<CallFailure> {
  try {
    await work;
  } catch (error) {
    const { code, details, metadata } = error as ServiceError;
    const [packed] = metadata.get("grpc-status-details-bin");
    if (packed === undefined) return { code, message: details };
    const [detail] = statusProto.Status.deserializeBinary(packed as Buffer).getDetailsList();
    if (detail?.getTypeName() === "pulumirpc.ErrorResourceInitFailed") {
      const initFailed = proto.ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
      const [properties, inputs] = [
        fromStruct(initFailed.getProperties()),
        fromStruct(initFailed.getInputs()),
      ];
      return {
        code,
        message: details,
        partial: { id: initFailed.getId(), properties, inputs, reasons: initFailed.getReasonsList() },
      };
    }
    const missing = proto.ConfigureErrorMissingKeys.deserializeBinary(
      detail?.getValue_asU8() ?? new Uint8Array(),
    );
    const keys = missing.getMissingkeysList().map((key) => [key.getName(), key.getDescription()]);
    return { code, message: details, missing: Object.fromEntries(keys) };
  }
  throw new Error("the call did not fail");
}
