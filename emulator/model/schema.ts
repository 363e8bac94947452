import * as z from "zod";
import type { FormFile } from "../http/multipart.ts";

/** Non-empty text. */
export const text = z.string().min(1, "must not be empty");

/** Region name: any well-formed one (docs/contract.md#17.1), unless the switch `regions` lists the valid ones. */
export const region = text.regex(
  /^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/,
  "must be a region name such as In-Bangalore-1",
);

/** Headers of a regional operation (docs/contract.md#1.3). */
export const regional = z.object({ "x-region": region });

/** Optional query parameter; an empty value counts as absent, since clients send one. */
export const optionalText = z
  .string()
  .optional()
  .transform((value) => (value === "" ? undefined : value));

/** Whole number of at least 1, from the text of a query parameter. */
export const count = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, "must be a whole number from 1 on")
  .transform(Number);

/** Whole number of at least 0, from the text of a query parameter. */
export const offset = z
  .string()
  .regex(/^(0|[1-9]\d{0,8})$/, "must be a whole number from 0 on")
  .transform(Number);

export const flag = z.enum(["true", "false"]).transform((value) => value === "true");

/** File of a multipart form. */
export const formFile = z.custom<FormFile>((value) => typeof value === "object", "must be a file");

const versionError = { error: 'must be 4, 6, "4" or "6"' };
const toVersion = (value: string | number): 4 | 6 => (Number(value) === 6 ? 6 : 4);

/** `ip_version` as an integer or as text; clients send both (docs/contract.md#2.1, docs/contract.md#16). */
export const ipVersion = z.literal([4, 6, "4", "6"], versionError).transform(toVersion);

/** `ip_version` where clients send the zero value for an absent one (docs/contract.md#2.1). */
export const zeroIpVersion = z.literal([4, 6, "4", "6", "", 0], versionError).transform(toVersion);

/**
 * Accepts the seed document's field names instead of those on the wire (docs/contract.md#16.1), and both when their values
 * agree. `aliases` maps the seed document's name to the wire's name.
 */
export function withAliases<T>(aliases: Record<string, string>, schema: z.ZodType<T>): z.ZodType<T> {
  return z
    .looseObject({})
    .transform((body, context) => {
      const merged: Record<string, unknown> = { ...body };
      for (const [alias, name] of Object.entries(aliases)) {
        if (!(alias in merged)) continue;
        if (name in merged && JSON.stringify(merged[name]) !== JSON.stringify(merged[alias])) {
          context.addIssue({ code: "custom", path: [alias], message: `disagrees with ${name}` });
        }
        merged[name] = merged[alias];
        delete merged[alias];
      }
      return merged;
    })
    .pipe(schema as z.ZodType<T, Record<string, unknown>>);
}

/** Returns one page of a listing; pages start at 1. */
export function page<T>(rows: readonly T[], query: { page?: number | undefined; size?: number | undefined }) {
  const size = query.size ?? 10;
  const number = query.page ?? 1;
  return {
    rows: rows.slice((number - 1) * size, number * size),
    paging: {
      page: number,
      size,
      total_count: rows.length,
      total_pages: Math.ceil(rows.length / size),
    },
  };
}
