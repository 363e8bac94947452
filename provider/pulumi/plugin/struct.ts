import struct from "google-protobuf/google/protobuf/struct_pb.js";
import type { Plain, Values } from "../../core/value.ts";
import { decodeValue, encodeValue } from "../value.ts";

/** Protobuf message for properties. */
export type Struct = InstanceType<typeof struct.Struct>;

/** Decodes properties; empty for a missing message. */
export const valuesOf = (message: Struct | undefined): Values =>
  message === undefined ? {} : (decodeValue(message.toJavaScript() as Plain) as Values);

/** Encodes properties. */
export const structOf = (values: Values): Struct =>
  struct.Struct.fromJavaScript(encodeValue(values) as never);
