import type { Recorded } from "../../account/state/recorded.ts";
import type { InventoryItem } from "../../emulator/admin/inventory.ts";
import type { Emulator, EmulatorOptions } from "../../emulator/emulator.ts";
import { InputError, OperationError } from "../../provider/core/error.ts";
import { comparable } from "../../provider/core/krn.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Value, Values } from "../../provider/core/value.ts";
import { createDraw, type Draw } from "../simulation/draw.ts";
import { type Item, needsOf } from "../simulation/item.ts";
import { drawSchedule, failing } from "../simulation/schedule.ts";
import { type Between, type Cloud, openCloud, resource, settle } from "../support/cloud.ts";
import { longName } from "./account.ts";

/** Accounts drawn by seed, made object by object, as people do it by hand. */

/** Object of a drawn account. */
export interface Drawn extends Recorded {
  readonly address: string;
  readonly state: ResourceState;
}

export interface DrawnAccount {
  readonly cloud: Cloud;
  readonly draw: Draw;
  readonly objects: readonly Drawn[];
  /** Returns the address of the object with which an object of the emulator was made. */
  ownerOf(id: string): string | undefined;
}

const oddNames = [
  'say "hi" ${x}',
  "%{ if }",
  "日本 données",
  "nul\\u0000".slice(0, 3),
  "a/b*c",
  "for",
  longName,
  "web\nweb",
];

/** Assumptions of the emulator with which every object of a drawn account can be read. */
export const drawnAssumptions = { podRead: "pod" } as const;

/** Settings with which every object of a drawn account can be created, read and deleted. */
const settings = {
  user: "ana",
  accessKey: "emulator-access-key",
  secretKey: "emulator-secret-key",
  otpCommand: "print one",
};

/** Options of the emulator of a drawn account, and its transport. */
interface AccountOptions extends Pick<EmulatorOptions, "state" | "assume">, Pick<Between, "wrap"> {}

/** Draws an account and makes it in an emulator. The same seed gives the same account. */
export async function drawAccount(
  seed: string,
  { wrap, ...options }: AccountOptions = {},
): Promise<DrawnAccount> {
  const draw = createDraw(`account ${seed}`);
  const stack = drawSchedule(seed, "kind").steps[0]?.stack ?? [];
  const assume = { ...drawnAssumptions, ...options.assume };
  const cloud: Cloud = openCloud({ ...options, assume }, settings, {
    ...(wrap && { wrap }),
    command: async () => ({ status: 0, output: cloud.emulator.password() }),
  });
  const owners = new Map<string, string>();
  const made = new Map<string, Drawn>();
  for (const item of stack) {
    if (!needsOf(item).every((need) => made.has(need))) continue;
    const state = await created(cloud, item, made, draw);
    for (const row of newRows(cloud, owners)) owners.set(comparable(row.krn), item.address);
    if (state === undefined) continue;
    made.set(item.address, {
      ...{ address: item.address, resource: resource(item.resource), state },
      dependsOn: needsOf(item),
    });
  }
  await settle(cloud);
  return { cloud, draw, objects: [...made.values()], ownerOf: (id) => owners.get(comparable(id)) };
}

const newRows = ({ emulator }: Cloud, owners: ReadonlyMap<string, string>): InventoryItem[] =>
  emulator.inventory.list().filter(({ krn }) => !owners.has(comparable(krn)));

/** Creates the object of an item, often with an odd name; undefined if the API or the provider refuses it. */
async function created(
  cloud: Cloud,
  { resource: kind, inputs }: Item,
  made: ReadonlyMap<string, Drawn>,
  draw: Draw,
): Promise<ResourceState | undefined> {
  const { name } = inputs;
  const isFree = typeof name === "string" && !["bucket", "access-key"].includes(kind);
  const text = isFree ? name.replace(failing, "") : name;
  const named = isFree && draw.chance(0.3) ? `${draw.pick(oddNames)} ${String(text).slice(-4)}` : text;
  const written = { ...inputs, ...(name === undefined ? {} : { name: named }) };
  try {
    return await cloud.run(cloud.create(kind, resolved(written, made) as Values));
  } catch (error) {
    if (error instanceof OperationError || error instanceof InputError) return undefined;
    throw error;
  }
}

function resolved(value: unknown, made: ReadonlyMap<string, Drawn>): Value {
  if (Array.isArray(value)) return value.map((part) => resolved(part, made));
  if (typeof value !== "object" || value === null) return value as Value;
  if ("ref" in value) return made.get(String(value.ref))?.state.id ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolved(part, made)]));
}

/**
 * Deletes ports as a person in the console: no route deletes a port, and an unused one in the first subnet of a VPC is deleted only
 * with the VPC, which its groups keep.
 *
 * @param isManaged returns true for the id of a subnet that a resource manages
 */
export function removeKeptPorts({ inventory }: Emulator, isManaged: (subnet: string) => boolean): void {
  for (const item of inventory.list() as (InventoryItem & { readonly device?: string | null })[])
    if (item.kind === "port" && !item.device && !isManaged(item.parents[0] ?? "")) inventory.remove(item.krn);
}

const scripts = ["Größe ", "Ωμέγα ", "Москва ", "東京 ", "مدينة ", "हिन्दी "];

/** Draws a name with 300 letters in six scripts. */
export const drawName = (draw: Draw): string =>
  Array.from({ length: 75 }, () => draw.pick(scripts))
    .join("")
    .slice(0, 300);

const named = ["vpc", "subnet", "security_group", "volume", "instance", "port", "template", "image"];

/**
 * Renames objects as a person in the console, several of them to one name; not the instances of a batch, which is listed by their
 * names.
 */
export function renameObjects({ inventory }: Emulator, draw: Draw): void {
  const names = [drawName(draw), "default", drawName(draw)];
  for (const item of inventory.list() as (InventoryItem & { readonly batchId?: string | null })[])
    if (named.includes(item.kind) && !item.batchId && draw.chance(0.4))
      inventory.change(item.krn, { name: draw.pick(names) });
}
