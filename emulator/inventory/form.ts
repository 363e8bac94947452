import * as z from "zod";
import { isoTime, parseTime } from "../state/clock.ts";
import { seededUuid, uuidOf } from "../state/id.ts";
import type { Resource } from "../state/store.ts";

/**
 * Form of an object in an inventory: independent of the way in which the emulator stores it. References are KRNs under the name
 * of the role, times are ISO 8601, and work in progress counts as ended.
 */

/** KRN of an object (docs/contract.md#1.4). */
export const krn = z
  .string()
  .regex(/^krn(:[^:\s]+){6}$/, "must be a KRN such as krn:vpc:REGION:ACCOUNT:CUSTOMER:vpc:UUID");

/** KRN of another object of the inventory. */
export const reference = (kind: string) => krn.meta({ references: kind });
export const optionalReference = (kind: string) =>
  krn.nullable().default(null).meta({ references: kind, description: `KRN, or null for none` });
export const references = (kind: string) => z.array(krn).default([]).meta({ references: kind });

const time = z.iso.datetime({ offset: true, error: "must be a time such as 2026-01-31T12:00:00Z" });

/** Fields that the objects of all kinds have. */
export const commonFields = {
  kind: z.string(),
  krn,
  name: z.string(),
  createdAt: time.optional().describe("Default: the time of the inventory"),
  updatedAt: time.optional().describe("Default: createdAt"),
  failure: z.string().optional().describe("Reason why the creation failed. Default: it succeeded"),
};

/** Fields of a stored object that all kinds load and save in the same way. */
type Common = "krn" | "region" | "name" | "createdAt" | "updatedAt" | "work" | "deletingAt" | "goneAt";

/** Values of other objects that a stored object repeats. */
export interface Context {
  /** KRN of the object. */
  readonly krn: string;
  /** Time of its creation in ms. */
  readonly createdAt: number;
  /** Returns the row with a KRN; undefined if the inventory has none. */
  row(krn: string): Row | undefined;
}

/** Object of an inventory after its validation. */
export type Row = Readonly<Record<string, unknown>> & {
  readonly kind: string;
  readonly krn: string;
  readonly name: string;
};

/** Kind of object in inventories. */
export interface Form {
  readonly kind: string;
  readonly schema: z.ZodObject;
  /** Kinds to which the fields refer, by field. */
  readonly references: Readonly<Record<string, string>>;
  load(row: Row, now: number, find: Context["row"]): Resource;
  save(resource: Resource, time: number): Row;
}

type Output<S extends z.ZodRawShape> = z.output<z.ZodObject<S>>;

/** Declares the form of a kind: its fields, and how they become those of the stored object and again those of the form. */
export function form<T extends Resource>() {
  return <S extends z.ZodRawShape>(
    kind: string,
    fields: S,
    convert: {
      readonly load: (row: Output<S>, context: Context) => Omit<T, Common>;
      /** `time` is the end of all work in progress. */
      readonly save: (resource: T, time: number) => z.input<z.ZodObject<S>>;
    },
  ): Form => {
    const names = Object.keys(fields);
    return {
      kind,
      schema: z.strictObject({ ...commonFields, kind: z.literal(kind), ...fields }),
      references: Object.fromEntries(
        Object.entries(fields).flatMap(([name, field]) => {
          const kindOf = (field as z.ZodType).meta()?.references;
          return typeof kindOf === "string" ? [[name, kindOf]] : [];
        }),
      ),
      load(row, now, find) {
        const { krn, name, failure } = row as Row & { readonly failure?: string };
        // A clock that is ahead must not hide an object until its time has come.
        const pastTime = (text: unknown, otherwise: number) =>
          Math.min(typeof text === "string" ? parseTime(text) : otherwise, now);
        const createdAt = pastTime(row.createdAt, now);
        const work = { startsAt: createdAt, endsAt: createdAt, ...(failure !== undefined && { failure }) };
        const updatedAt = pastTime(row.updatedAt, createdAt);
        const fieldsOfKind: Record<string, unknown> = {};
        for (const name of names) if (Object.hasOwn(row, name)) fieldsOfKind[name] = row[name];
        return {
          ...{ krn, name, region: regionOf(krn), createdAt, updatedAt, work },
          ...convert.load(fieldsOfKind as Output<S>, { krn, createdAt, row: find }),
        } as Resource;
      },
      save(resource, time) {
        const { krn, name, createdAt, updatedAt, work } = resource;
        return {
          ...{ kind, krn, name, createdAt: isoTime(createdAt) },
          ...(updatedAt !== createdAt && { updatedAt: isoTime(updatedAt) }),
          ...(work.failure !== undefined && { failure: work.failure }),
          ...convert.save(resource as T, time),
        };
      },
    };
  };
}

const regionOf = (text: string): string => text.split(":")[2] ?? "";

/** Returns a UUID that belongs to an object, such as that of a task that created it. */
export const derivedUuid = (krnOfObject: string, label: string): string =>
  seededUuid(uuidOf(krnOfObject), label, 1);
