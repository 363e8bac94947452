import * as z from "zod/mini";
import { InputError } from "../provider/core/error.ts";
import { parseRange, rangeText } from "../provider/core/ip-address.ts";
import { field } from "../provider/definition/field.ts";
import { defineFunction } from "../provider/definition/function.ts";
import { cidr, wholeNumber } from "../provider/definition/validator.ts";

/**
 * Returns one IPv4 or IPv6 range per prefix length, within `range`, in the given order and without overlap. Each range
 * starts after the previous one, at the first address that is aligned to its size. Throws `InputError` if a range does not
 * fit, and for invalid arguments.
 */
export function subnets(range: string, ...prefixes: readonly number[]): string[] {
  const whole = parseRange(range);
  if (whole === undefined)
    throw new InputError([{ path: ["range"], problem: "must be a CIDR such as 10.0.0.0/16" }]);
  const { first, prefix, bits } = whole;
  const end = first + (1n << BigInt(bits - prefix));
  let next = first;
  return prefixes.map((length, index) => {
    const refuse = (problem: string) => new InputError([{ path: ["prefixes", index], problem }]);
    if (!Number.isInteger(length) || length < prefix || length > bits)
      throw refuse(`must be a whole number from ${prefix} to ${bits}`);
    const size = 1n << BigInt(bits - length);
    const start = ((next + size - 1n) / size) * size;
    if (start + size > end) throw refuse(`does not fit into ${range} after the ranges before it`);
    next = start + size;
    return rangeText({ first: start, prefix: length, bits });
  });
}

/** Definition of `subnets` for the adapters. */
export const subnetsFunction = defineFunction({
  name: "subnets",
  category: "network",
  about: "Divides an address range into consecutive ranges, one for each prefix length.",
  fields: {
    range: field(cidr, "Address range in CIDR notation, such as `10.0.0.0/16`."),
    prefixes: field(z.array(wholeNumber(0)), "Prefix lengths of the new ranges, such as `24`."),
  },
  variadic: true,
  result: z.array(z.string()),
})(({ range, prefixes }) => subnets(range, ...prefixes));
