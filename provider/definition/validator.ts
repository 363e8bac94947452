import * as z from "zod/mini";
import { isAddress, isCidr } from "../core/ip-address.ts";

/** Types that several definitions share: schemas whose refusals name what is due. */

/** A text with at least one character. */
export const text = z.string().check(z.minLength(1));

/** A range of addresses, such as 10.0.0.0/16. */
export const cidr = z
  .string()
  .check(z.refine((value) => isCidr(value), { error: "must be a range of addresses such as 10.0.0.0/16" }));

/** One address, such as 10.0.0.1. */
export const ipAddress = z
  .string()
  .check(z.refine((value) => isAddress(value), { error: "must be an IP address such as 10.0.0.1" }));

/** 4 or 6. */
export const ipVersion = z
  .number()
  .check(z.refine((value) => value === 4 || value === 6, { error: "must be 4 or 6" }));

const base64 = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Bytes, written in base64. */
export const base64Text = z
  .string()
  .check(z.refine((value) => base64.test(value), { error: "must be base64" }));

/** A text that is JSON. */
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

/** A whole number of at least `minimum`. */
export const wholeNumber = (minimum: number) => z.number().check(z.int(), z.minimum(minimum));

/** A field of an answer that may be missing or null: both are "none". */
export const maybe = <T>(schema: z.ZodMiniType<T>) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value: T | null | undefined) => value ?? undefined),
  );

// Answers are made of these, and a schema takes its time to make: each is made once.
/** A text, or none. */
export const maybeText = maybe(z.string());
/** A number, or none. */
export const maybeNumber = maybe(z.number());
/** A yes or a no, or none. */
export const maybeFlag = maybe(z.boolean());
