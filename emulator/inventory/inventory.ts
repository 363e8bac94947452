import { readFileSync } from "node:fs";
import * as z from "zod";
import { isoTime, parseTime } from "../state/clock.ts";
import type { Resource } from "../state/store.ts";
import { aiForms } from "./ai.ts";
import { computeForms } from "./compute.ts";
import type { Form, Row } from "./form.ts";
import { networkForms } from "./network.ts";
import { storageForms } from "./storage.ts";

/**
 * Inventories: files with the objects of an account, with which an emulator can begin, and which it returns as a snapshot. The form
 * is that of no engine, and not that of the emulator's state file.
 */

const forms = [...networkForms, ...computeForms, ...storageForms, ...aiForms];
const formOf = new Map<string, Form>(forms.map((form) => [form.kind, form]));

/** Kinds of the objects in an inventory. */
export const formKinds = forms.map(({ kind }) => kind);

/** Stored kinds that an inventory lacks: sessions and keys of users, and records of requests. */
export const transientKinds = ["object_session", "api_key", "text_request", "deleted_checkpoint"] as const;

/** Version of the form; an inventory of any other is rejected. */
export const inventoryVersion = 1;

const rows = z.discriminatedUnion(
  "kind",
  forms.map(({ schema }) => schema) as unknown as [z.ZodObject<{ kind: z.ZodLiteral<string> }>],
);

export const inventorySchema = z.strictObject({
  version: z.literal(inventoryVersion),
  time: z.iso.datetime({ offset: true }).describe("Time at which the objects existed"),
  account: z.string().regex(/^\d+$/, "must be a number").optional().describe("Account of new objects"),
  customer: z.guid("must be a UUID").optional().describe("Customer of new objects"),
  assumed: z
    .array(z.string())
    .optional()
    .describe("Facts that the author of the file did not know, as clauses"),
  objects: z.array(rows),
});

/** Validated inventory. */
export type InventoryFile = {
  readonly version: typeof inventoryVersion;
  readonly time: string;
  readonly account?: string | undefined;
  readonly customer?: string | undefined;
  readonly assumed?: readonly string[] | undefined;
  readonly objects: readonly Row[];
};

/** Error for an inventory that cannot be used; the message has the first problems with their paths. */
export class InvalidInventoryError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "InvalidInventoryError";
  }
}

/** Reads an inventory file. Throws `InvalidInventoryError`, whose message names the file. */
export function readInventory(file: string): InventoryFile {
  try {
    return parseInventory(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const reason =
      error instanceof SyntaxError ? "it is not JSON, or is truncated" : (error as Error).message;
    throw new InvalidInventoryError(`the inventory ${file} cannot be used: ${reason}`);
  }
}

/** Validates an inventory, and that every object to which it refers is in it. Throws `InvalidInventoryError`. */
export function parseInventory(json: unknown): InventoryFile {
  const { data, error } = inventorySchema.safeParse(json);
  if (error) throw new InvalidInventoryError(problemsOf(error, json));
  const inventory = data as unknown as InventoryFile;
  const problems = referenceProblems(inventory.objects);
  if (problems.length > 0) throw new InvalidInventoryError(listed(problems));
  return inventory;
}

const problemsOf = ({ issues }: z.ZodError, json: unknown): string =>
  listed(issues.map(({ path, message }) => `${path.join(".")}${subjectOf(path, json)}: ${message}`));

/** Returns kind and name of the object at a path, for a reader who does not count rows. */
function subjectOf([list, index]: readonly PropertyKey[], json: unknown): string {
  const { objects } = json as { readonly objects?: readonly unknown[] };
  if (list !== "objects" || typeof index !== "number" || !Array.isArray(objects)) return "";
  const { kind, name } = { ...(objects[index] as { readonly kind?: unknown; readonly name?: unknown }) };
  return typeof kind === "string" && typeof name === "string" ? ` (${kind} ${JSON.stringify(name)})` : "";
}

/** Returns the first problems, and the number of the others. */
function listed(problems: readonly string[]): string {
  const shown = problems.slice(0, 10);
  const more = problems.length - shown.length;
  return `${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** Returns a problem for each repeated KRN, and for each reference to an object that the inventory lacks. */
function referenceProblems(objects: readonly Row[]): string[] {
  const kinds = new Map(objects.map(({ krn, kind }) => [krn, kind]));
  const previousKrns = new Set<string>();
  return objects.flatMap((row, index) => {
    const path = `objects.${index}`;
    const repeated = previousKrns.has(row.krn) ? [`${path}.krn: ${row.krn} is repeated`] : [];
    previousKrns.add(row.krn);
    const missing = Object.entries(formOf.get(row.kind)?.references ?? {}).flatMap(([field, kind]) =>
      [row[field]]
        .flat()
        .filter((krn): krn is string => typeof krn === "string" && kinds.get(krn) !== kind)
        .map((krn) => `${path}.${field}: no ${kind} ${krn} in the inventory`),
    );
    return [...repeated, ...missing];
  });
}

/** Returns the stored objects of an inventory by kind, oldest first. `now` is the time of the emulator. */
export function storedObjects(
  { time, objects }: InventoryFile,
  now: number,
): Readonly<Record<string, Resource[]>> {
  const byKrn = new Map(objects.map((row) => [row.krn, row]));
  const latest = Math.min(parseTime(time), now);
  return Object.fromEntries(
    [...Map.groupBy(objects, ({ kind }) => kind)].map(([kind, rows]) => [
      kind,
      rows
        .flatMap((row) => formOf.get(kind)?.load(row, latest, (krn) => byKrn.get(krn)) ?? [])
        .toSorted((a, b) => a.createdAt - b.createdAt),
    ]),
  );
}

/** Returns the inventory of stored objects that exist at a time. Work in progress counts as ended. */
export function inventoryOf(
  tables: Readonly<Record<string, readonly Resource[]>>,
  { now, account, customer }: { readonly now: number; readonly account: string; readonly customer: string },
): InventoryFile {
  return {
    version: inventoryVersion,
    ...{ time: isoTime(now), account, customer },
    objects: forms.flatMap(({ kind, save }) =>
      (tables[kind] ?? [])
        .filter(({ deletingAt, goneAt }) => deletingAt === undefined && goneAt === undefined)
        .map((resource) => save(resource, Number.MAX_SAFE_INTEGER)),
    ),
  };
}
