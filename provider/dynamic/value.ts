import { type Plain, reveal, type Values } from "../core/value.ts";
import { decodeValue, encodeValue } from "../pulumi/pulumi.ts";

/** Properties in the format of Pulumi's host of dynamic providers: plain JSON, with secrets in clear text. */
export type Properties = { [name: string]: Plain };

/** Input with the resource's name in the program; `check` removes it, so that it is not stored. */
export const logicalNameKey = "__logicalName";
/** Input with the provider itself; the host needs it in the outputs of every result. */
export const providerKey = "__provider";

/** Decodes properties, without `providerKey` and `logicalNameKey`. */
export const fromHost = ({ [providerKey]: _, [logicalNameKey]: __, ...properties }: Properties): Values =>
  decodeValue(properties) as Values;

/**
 * Encodes values as plain JSON, without secret marks: the class lists the secret outputs, and the host marks values that
 * were secret inputs.
 */
export const toHost = (values: Values): Properties => encodeValue(reveal(values)) as Properties;
