import * as z from "zod/mini";
import type { Inputs, State } from "./inference.ts";
import type { Upgrade } from "./upgrade.ts";
import type { Verbs } from "./verb.ts";

/**
 * The words a resource is defined in: types and identity functions, no behaviour.
 * `defineResource(contract)(verbs)`: the contract says what a thing is, the verbs how it travels.
 */

/** What a change of a field costs: done in place, a new object, or refused at plan time with this sentence. */
export type Verdict = "update" | "replace" | { readonly refuse: string };

/** What a field is beyond its type. */
export interface FieldOptions<T> {
  /** What changing it does. Default: "replace", since a change nobody sends would be a lie. */
  readonly change?: Verdict | ((before: T, after: T) => Verdict);
  /** What a replacement loses and how to avoid it; shown where the plan is read. */
  readonly replaceReason?: string;
  /** Whether a change in place deletes a part of it: refused as long as it is protected from deletion. */
  readonly loses?: (before: T, after: T) => boolean;
  /** Never printed and, where the engine can, stored encrypted. */
  readonly secret?: true;
  /** Sent and forgotten: kept in no state. */
  readonly writeOnly?: true;
  /** The kind of object whose id it holds; an id of another kind is refused before anything is sent. */
  readonly references?: string;
  /** The cloud never returns it: what was configured stands, and drift of it is invisible. */
  readonly unreadable?: true;
  /** The field beside an unreadable one that shows what it may be: an import takes that until it is told better. */
  readonly likely?: string;
  /** Left out, the cloud or a provider setting decides, and what was decided stays. */
  readonly computed?: true;
  /** Left out, it follows from other fields; given, it has to be what they come to. */
  readonly calculated?: Calculation<T>;
  /** Equal in meaning though spelled differently. */
  readonly same?: (a: T, b: T) => boolean;
  /** A list whose order has no meaning. */
  readonly unordered?: true;
  /** No part of the create: `update` sends it as soon as the object is there, where it is not shown yet. */
  readonly later?: true;
  /** A change of it sent twice would be done twice, or undone: sent alone, and never again. */
  readonly once?: true;
  /** What may be wrong where a change of it never shows; ends the sentence that says so. */
  readonly unshown?: string;
  /** Kept here alone: never sent, and shown by nobody. */
  readonly local?: true;
  /** Values seen to work; another one is a warning that names the nearest, never an error. */
  readonly known?: readonly string[];
}

/** What a field is by others of its definition. It is asked each time they are checked, and asks no cloud. */
export interface Calculation<T> {
  /** The fields it needs; while one of them is unknown, so is what comes of them. */
  readonly needs: readonly string[];
  /** Undefined where they come to nothing. Throws `InputError` where they cannot be used. */
  readonly from: (inputs: never) => T | undefined;
}

/** A field that holds a value. */
export interface Leaf<T = unknown, O = FieldOptions<never>> {
  readonly kind: "field";
  readonly schema: z.ZodMiniType<T>;
  readonly about: string;
  readonly options: O;
}

/** A field that only the cloud sets. */
export interface Computed<T = unknown> {
  readonly kind: "computed";
  readonly schema: z.ZodMiniType<T>;
  readonly about: string;
  readonly options: ComputedOptions;
}

/** What a computed field is beyond its type. */
export interface ComputedOptions {
  /** It may move with any change; otherwise a plan keeps what is known. */
  readonly moves?: true;
  readonly secret?: true;
  /** The answer to the create shows it, and nothing ever again: kept from then on, none after an import. */
  readonly once?: true;
}

/** Fields one level down. */
export interface Group<F extends Fields = Fields, O = GroupOptions> {
  readonly kind: "group";
  readonly fields: F;
  readonly about: string;
  readonly options: O;
}

/** What a group is as a whole. */
export interface GroupOptions {
  readonly optional?: true;
  /** The cloud cannot tell it apart: after an import it is written down from the configuration, not replaced. */
  readonly unreadable?: true;
  /** What adding or removing the whole of it does. Default: "replace". */
  readonly change?: "update" | "replace";
  readonly replaceReason?: string;
}

/** Any field; what it holds is known where it is declared. */
// biome-ignore lint/suspicious/noExplicitAny: a field of any type; its own type is kept where it is declared.
export type Field = Leaf<any, FieldOptions<any>> | Computed<any> | Group<any, GroupOptions>;
/** Fields by name, in camelCase. */
export type Fields = { readonly [name: string]: Field };

/** A field the user sets. Optional or defaulted by its schema: `z.optional(…)`, `z._default(…, value)`. */
export const field = <T, const O extends FieldOptions<NonNullable<T>> = Record<never, never>>(
  schema: z.ZodMiniType<T>,
  about: string,
  options: O = {} as O,
): Leaf<T, O> => ({ kind: "field", schema, about, options });

/** A field only the cloud sets. */
export const computed = <T>(
  schema: z.ZodMiniType<T>,
  about: string,
  options: ComputedOptions = {},
): Computed<T> => ({ kind: "computed", schema, about, options });

/** Fields that belong together, one level down. */
export const group = <const F extends Fields, const O extends GroupOptions = Record<never, never>>(
  fields: F,
  about: string,
  options: O = {} as O,
): Group<F, O> => ({ kind: "group", fields, about, options });

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
  readonly shownBy?: keyof F & string;
  /**
   * No source shows a read of it. One is tried: what it finds is believed; where it finds nothing, nothing is known,
   * and what was kept stands. A new one that is not seen stands like this.
   */
  readonly unseen?: Partial<State<F>>;
  /** What of it failed in the making is mended by an update: it is not made anew for that. */
  readonly mendable?: true;
  /** What is lost with it, as a sentence, where deleting it destroys data; as a function, undefined where it does not. */
  readonly holdsData?: string | ((values: State<F>) => string | undefined);
  /** Deleting it takes a one-time password. */
  readonly otpDelete?: true;
  /** What to do where something in it keeps it from being deleted: begins the sentence that ends the refusal. */
  readonly emptied?: string;
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
