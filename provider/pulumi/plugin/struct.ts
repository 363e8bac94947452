import struct from "google-protobuf/google/protobuf/struct_pb.js";
import type { Plain, Values } from "../../core/value.ts";
import { decode, encode } from "../value.ts";

/** The messages that carry values. */
export type Struct = InstanceType<typeof struct.Struct>;

export const valuesOf = (message: Struct | undefined): Values =>
  message === undefined ? {} : (decode(message.toJavaScript() as Plain) as Values);

export const structOf = (values: Values): Struct => struct.Struct.fromJavaScript(encode(values) as never);
