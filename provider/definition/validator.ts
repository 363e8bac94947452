import * as z from "zod/mini";
import { durationProblem, parseDuration } from "../core/duration.ts";
import { isAddress, isCidr } from "../core/ip-address.ts";

/** Schemas that several definitions share. Their error messages state the expected format. */

/** String with at least one character. */
export const text = z.string().check(z.minLength(1));

/** Switch that is off unless it is set. */
export const flag = z._default(z.boolean(), false);

/** Range of addresses in CIDR notation, such as 10.0.0.0/16. */
export const cidr = z
  .string()
  .check(z.refine((value) => isCidr(value), { error: "must be a CIDR such as 10.0.0.0/16" }));

/** IP address, such as 10.0.0.1. */
export const ipAddress = z
  .string()
  .check(z.refine((value) => isAddress(value), { error: "must be an IP address such as 10.0.0.1" }));

/** IP version: 4 or 6. */
export const ipVersion = z.literal([4, 6]);

/** Positive duration, such as 10m. */
export const duration = z
  .string()
  .check(z.refine((value) => parseDuration(value) !== undefined, { error: durationProblem }));

/** Base64 without regular expression groups: a repeated group uses stack per repetition, which megabytes would exhaust. */
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Bytes in base64. */
export const base64Text = z.string().check(
  z.refine((value) => value.length % 4 === 0 && base64.test(value), {
    error: ({ input }) =>
      /\s/.test(String(input))
        ? "must be base64 without spaces and line breaks, as of base64 -w0"
        : "must be base64",
  }),
);

/** String that contains JSON. */
export const jsonText = z.string().check(z.refine(isJson, { error: "must be JSON" }));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Returns a schema for a whole number of at least `minimum`. */
export const wholeNumber = (minimum: number) => z.number().check(z.int(), z.minimum(minimum));

/** Returns a schema for a field of a response that may be missing or null: both mean "none". */
export const maybe = <T>(schema: z.ZodMiniType<T>) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value: T | null | undefined) => value ?? undefined),
  );

/**
 * Value of a read for a field of which the response shows that none is set, in contrast to a response that does not show the
 * field. An update that writes the whole object sends the former as it is, and the recorded value for the latter.
 */
export const notSet = null as unknown as undefined;

/** Returns a schema for a field of a response that may be missing; null becomes `notSet`. */
export const maybeUnset = <T>(schema: z.ZodMiniType<T>) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value: T | null | undefined) => (value === null ? notSet : value)),
  );

// Common schemas of response fields. Creating a schema takes time, so each of these is created only once.
/** Optional string of a response. */
export const maybeText = maybe(z.string());
/** Id of a response, as text. A number beyond 2^53 is rejected: parsing may have rounded it to another id. */
export const idText = z.pipe(
  z.union([z.string(), z.int()]),
  z.transform((id) => String(id)),
);
/** Optional number of a response. */
export const maybeNumber = maybe(z.number());
/** Number that a response contains as a number or as text; undefined if it is missing, empty or not numeric. */
export const maybeAmount = z.pipe(
  z.nullish(z.union([z.number(), z.string()])),
  z.transform((value) =>
    value === null || value === "" || !Number.isFinite(Number(value)) ? undefined : Number(value),
  ),
);
/** Optional boolean of a response. */
export const maybeFlag = maybe(z.boolean());
