import type * as z from "zod/mini";

/**
 * The words a resource is defined in: types and identity functions, no behaviour.
 * `defineResource(contract)(verbs)`: the contract says what a thing is, the verbs how it travels.
 */

/** What a change of a field costs: done in place, a new object, or refused at plan time with this sentence. */
export type ChangeEffect = "update" | "replace" | { readonly refuse: string };

/** What a field is beyond its type. */
export interface FieldOptions<T> {
  /** What changing it does. Default: "replace", since a change nobody sends would be a lie. */
  readonly change?: ChangeEffect | ((before: T, after: T) => ChangeEffect);
  /** What a replacement loses and how to avoid it; shown where the plan is read. */
  readonly replaceReason?: string;
  /** Whether a change in place deletes a part of it: refused as long as it is protected from deletion. */
  readonly destroysData?: (before: T, after: T) => boolean;
  /** Never printed and, where the engine can, stored encrypted. */
  readonly secret?: true;
  /** Sent and forgotten: kept in no state. */
  readonly writeOnly?: true;
  /** The kind of object whose id it holds; an id of another kind is refused before anything is sent. */
  readonly references?: string;
  /** The cloud never returns it: what was configured stands, and drift of it is invisible. */
  readonly unreadable?: true;
  /** The field beside an unreadable one that shows what it may be: an import takes that until it is told better. */
  readonly importFallback?: string;
  /** Left out, the cloud or a provider setting decides, and what was decided stays. */
  readonly computed?: true;
  /** Left out, it follows from other fields; given, it has to be what they come to. */
  readonly calculated?: Calculation<T>;
  /** Equal in meaning though spelled differently. */
  readonly same?: (a: T, b: T) => boolean;
  /** A list whose order has no meaning. */
  readonly unordered?: true;
  /** No part of the create: `update` sends it as soon as the object is there, where it is not shown yet. */
  readonly deferred?: true;
  /** A change of it sent twice would be done twice, or undone: sent alone, and never again. */
  readonly once?: true;
  /** What may be wrong where a change of it never shows; ends the sentence that says so. */
  readonly notAppliedHint?: string;
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

/** Whether the cloud says what it is, where nobody else does. */
export const isSetByApi = (field: Exclude<Field, { kind: "group" }>): boolean =>
  field.kind === "computed" || field.options.computed === true;

/** Whether it is kept here alone, as nobody else knows it. */
export const isLocal = (field: Field): boolean => field.kind === "field" && field.options.local === true;

export const isShownOnce = ({ kind, options }: Field): boolean => kind === "computed" && "once" in options;

/** The names of fields that the create does not send. */
export const deferredFields = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.kind === "field" && field.options.deferred === true ? [name] : [],
  );
