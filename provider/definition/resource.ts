import * as z from "zod/mini";
import type { Plain } from "../core/value.ts";
import { computed, type Fields, field, isShownOnce } from "./field.ts";
import type { Inputs, State } from "./inference.ts";
import type { Verbs } from "./verb.ts";

/** A rule over several fields, checked as soon as what it looks at is known. */
export interface Rule<F extends Fields> {
  /** The fields it needs; it is not asked while one of them is unknown. */
  readonly needs: readonly (keyof F & string)[];
  /** What is wrong and where, or nothing. */
  readonly check: (
    inputs: Inputs<F>,
  ) => { readonly path: readonly (string | number)[]; readonly problem: string } | undefined;
}

/** Words the cloud uses for where an object stands; compared without case. Any other word is in between. */
export interface Lifecycle<N extends string> {
  readonly field: N;
  readonly ready: readonly string[];
  readonly pending: readonly string[];
  readonly failed: readonly string[];
  readonly gone?: readonly string[];
  /** What a ready object shows: without it, the cloud's word for ready came too early. */
  readonly shows?: readonly N[];
  /** Where it stands failed: the field that says why. */
  readonly reason?: N;
  /** The field that says how far it is, where the word alone tells little. */
  readonly progress?: N;
}

/** Deadlines in seconds. */
export interface Timeouts {
  readonly create: number;
  readonly read: number;
  readonly update: number;
  readonly delete: number;
}

/** What a resource is, before how it travels. */
export interface Contract<F extends Fields, P extends keyof F & string> {
  /** The noun, singular, kebab-case; also the basename of its file on every rail. */
  readonly name: string;
  /** One sentence of user documentation. */
  readonly about: string;
  /** Fields that, with the id, locate an object; in this order they stand before the id in an import id. */
  readonly parents?: readonly P[];
  /** The parents that one listing is of, where it shows what is below all others too. Default: all of them. */
  readonly listedIn?: readonly P[];
  /** Fields whose values each name it to an import, in the place of the id. Default: `name`, where a listing shows it. */
  readonly importedBy?: readonly (keyof F & string)[];
  /**
   * The field that is its id: the user gives it, so that it is looked for by that alone. Where it changes in place, the
   * id changes with it.
   */
  readonly idField?: keyof F & string;
  /** Whether it lives in a region. Default: yes, and `region` is one of its fields. */
  readonly regional?: boolean;
  readonly fields: F;
  /** What each released version made of the one before, oldest first: states of all of them are read. */
  readonly upgrades?: readonly Upgrade[];
  readonly rules?: readonly Rule<F>[];
  readonly lifecycle?: Lifecycle<keyof F & string>;
  readonly timeouts: Timeouts;
  /** Its replacement cannot stand beside it, whatever its name: the old one goes first. */
  readonly exclusive?: true;
  /**
   * The cloud shows it by this `later` field alone. Where it shows it nowhere, it may stand without effect or be
   * gone, and nobody can tell: it is neither kept nor forgotten, but deleted and made anew.
   */
  readonly visibleThrough?: keyof F & string;
  /**
   * No source shows a read of it. One is tried: what it finds is believed; where it finds nothing, nothing is known,
   * and what was kept stands. A new one that is not seen stands like this.
   */
  readonly notReadable?: Partial<State<F>>;
  /** What of it failed in the making is mended by an update: it is not made anew for that. */
  readonly repairable?: true;
  /** What is lost with it, as a sentence, where deleting it destroys data; as a function, undefined where it does not. */
  readonly holdsData?: string | ((values: State<F>) => string | undefined);
  /** Deleting it takes a one-time password. */
  readonly otpDelete?: true;
  /** What to do where something in it keeps it from being deleted: begins the sentence that ends the refusal. */
  readonly emptyHint?: string;
  /** A change in place interrupts service. */
  readonly interrupts?: true;
}

const region = field(z.optional(z.string()), "Region it lives in; the provider's where left out.", {
  computed: true,
  replaceReason: "An object cannot move between regions.",
});

/** What every definition that lives in a region has beside its own fields. */
export type Region = { readonly region: typeof region };

/** The fields of a definition, with `region` where it lives in one. */
export const regionalFields = ({ regional, fields }: { regional?: boolean; fields: Fields }): Fields =>
  regional === false ? fields : { ...fields, region };

const deletionProtection = field(
  z.optional(z.boolean()),
  "Whether to refuse what deletes or replaces it, as long as it is on. Default: false.",
  { change: "update", unreadable: true, local: true },
);
const tagsAll = computed(z.record(z.string(), z.string()), "Its tags, and those of the provider.");

/** The fields of a resource, with what it has for what it is: protection of its data, and all tags beside its own. */
const resourceFields = (contract: { regional?: boolean; fields: Fields; holdsData?: unknown }): Fields => ({
  ...regionalFields(contract),
  ...(contract.holdsData === undefined ? {} : { deletionProtection }),
  ...(Object.hasOwn(contract.fields, "tags") ? { tagsAll } : {}),
});

/** A resource, as the engine and every adapter take it: the types of its fields no longer matter here. */
export interface Resource extends Contract<Fields, string> {
  readonly verbs: Verbs<Fields, string>;
}

/** Contract first, verbs second, so that the types of the second are inferred exactly from the first. */
export const defineResource =
  <const F extends Fields, const P extends keyof F & string = never>(contract: Contract<F, P>) =>
  (verbs: Verbs<F & Region, P>): Resource =>
    ({ ...contract, fields: resourceFields(contract), verbs }) as unknown as Resource;

/** What one version of a definition made of the one before, in the definition's own words. */
export interface Upgrade {
  /** What stood under one name stands under another; dots lead into groups: `size: "bootVolume.sizeGb"`. */
  readonly renamed?: { readonly [from: string]: string };
  /** What became of a value, by its new name. Not asked where there is none. */
  readonly changed?: { readonly [name: string]: (value: NonNullable<Plain>) => Plain };
}

/** What tells where to list: the parents, which are due, and the region, which may be left out. */
export function scopeFields({ fields, parents = [], listedIn = parents, regional }: Resource): Fields {
  const names = [...listedIn, ...(regional === false ? [] : ["region"])];
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

/** Whether its create tells what nothing tells again: one whose answer was lost is of no use (reliability 3.5). */
export const hasShownOnce = ({ fields }: Resource): boolean => Object.values(fields).some(isShownOnce);
