import type * as z from "zod/mini";
import { entriesOf, memoize } from "../core/memoize.ts";
import type { Value, Values } from "../core/value.ts";
import type { Text } from "../core/wording.ts";

/**
 * Fields of a definition: types, and functions that return their arguments. The options are documented here, for editors.
 * `docs/architecture.md` shows the uses of each part of a definition.
 */

/**
 * Effect of changing a field: an update in place, a replacement of the object, or an error in the plan with
 * this sentence.
 */
export type ChangeEffect = "update" | "replace" | { readonly refuse: Text };

/**
 * Meaning of a value for the review of planned changes. Flags: true discards data at a delete, keeps former versions,
 * makes content public, encrypts it, or lets several objects use it at once. Texts: a range of addresses, a program that
 * runs only at the first start, a digest of content, or statements of a policy as JSON. Lists: addresses that get access.
 */
export type FieldMeaning =
  | "discards data"
  | "keeps versions"
  | "is public"
  | "encrypts"
  | "is shared"
  | "address range"
  | "first start"
  | "content digest"
  | "statements"
  | "allowed addresses";

/** Values of a field: their origin, and the values that are equal. */
interface ValueOptions<T> {
  /**
   * Resource kind whose id, or list of ids, the field contains: "vpc". An id of another kind is an error in validation and plan. The full id
   * and its last part are one value (docs/contract.md#1.4).
   */
  readonly references?: string;
  /**
   * The value is never printed: it is masked in logs, errors and plans, and encrypted in the state by engines that support
   * that. Works inside groups too.
   * Terraform also gets a write-only form of the field, `NAME_wo`. A list of objects with a secret member is
   * secret as a whole.
   */
  readonly secret?: true;
  /** Known values. Another value causes a warning that suggests the nearest known one, never an error. */
  readonly known?: readonly string[];
  /** Returns why the API may refuse a text, as the end of a sentence about it: a warning, never an error. */
  readonly doubt?: (value: string) => string | undefined;
  /** The value is the path of a file that the check reads; `Engine.prepare` reads it before. */
  readonly file?: true;
  /**
   * Computed field that shows the value of a field in a group where the group itself is not known, as after an import: a
   * different configured value is a change to send.
   */
  readonly shownBy?: string;
  /** The value exists only in the state: it is never sent, and the API never returns it. */
  readonly local?: true;
  /**
   * Optional for the user. Without a configured value the API or a provider setting chooses one, and later plans keep it.
   */
  readonly computed?: true;
  /**
   * Derives the value from other fields, such as the checksum of a file. A configured value must equal the derived one.
   */
  readonly calculated?: Calculation<T>;
  /**
   * Returns true for two spellings of the same value, such as "::1" and "0:0:0:0:0:0:0:1". Another spelling is not a
   * change, and the state keeps the user's spelling.
   */
  readonly same?: (a: T, b: T) => boolean;
  /**
   * Value that the create sends, for a value with several spellings: another attribute of the same group, or a default that
   * depends on another field. A change that sends the same value is recorded in the state, and nothing is sent. So is one
   * whose bytes differ only in line breaks at their end.
   */
  readonly wire?: WireValue<T>;
  /** The order of the list has no meaning: another order is not a change. The Terraform type is a set. */
  readonly unordered?: true;
  /** Value that the API shows if none is set, such as 0 for a limit. It equals no value. */
  readonly unset?: T;
  /** The API may show zero although a configuration cannot contain it, as for a batch without existing instances. */
  readonly showsZero?: true;
}

/** Value of the request that a field, or several fields of a group, spell. */
export interface WireValue<T> {
  /** Name of the value; needed only if several fields spell it. */
  readonly name?: string;
  /** Returns the value; undefined if the field spells none. `object` has the top-level values of the same object. */
  readonly of: (value: T | undefined, object: Values) => string | number | Uint8Array | undefined;
}

/** Effects of a change of a field, and its requests. */
interface ChangeOptions<T> {
  /**
   * Effect of changing the field, also as a function of the value before and after. Default: "replace".
   *
   * "update" needs the verb `update`, which finds the name of the field in `changed`.
   */
  readonly change?: ChangeEffect | ((before: T, after: T) => ChangeEffect);
  /** Sentence for plans and descriptions in place of `Contract.replaceReason`, for a change of this field. */
  readonly replaceReason?: Text;
  /**
   * Returns true for an update in place that deletes data, such as shrinking a batch. The plan of such a change fails
   * while `deletionProtection` is on.
   */
  readonly destroysData?: (before: T, after: T) => boolean;
  /**
   * Returns true for a change in place that interrupts the service of the object; `object` has all values of the object
   * before and after.
   */
  readonly interrupts?: (
    before: T | null,
    after: T | null,
    object: { readonly before: Values; readonly after: Values },
  ) => boolean;
  /**
   * Returns true for a value with which the API later deletes data that it keeps with the value before, such as a lower age in a
   * lifecycle rule. Null is a value that is not set, and every value before a create. `object` as in `interrupts`.
   */
  readonly discards?: (
    before: T | null,
    after: T | null,
    object: { readonly before: Values; readonly after: Values },
  ) => boolean;
  /**
   * The create does not send the field: after the object is ready, the verb `update` sends it, unless the API already
   * shows the requested value. The contract option `visibility.shownThrough` may name such a field.
   */
  readonly deferred?: true;
  /**
   * A change of the field must not be sent twice. It is sent in a separate request. After an ambiguous response it counts
   * as sent, and reads decide whether it was applied (docs/reliability.md#3.2).
   */
  readonly once?: true;
  /**
   * Likely reason why the API does not show a change that it accepted: the end of the error for such a change.
   */
  readonly notAppliedHint?: Text;
}

/** Limits of what the API returns of a field. */
export interface ReadOptions {
  /**
   * The API never returns the value: the state keeps the configured one, and drift cannot be detected. After an
   * import the first plan may show one update in place, which sends nothing.
   */
  readonly unreadable?: true;
  /**
   * For an unreadable field: returns the value that an import stores, from the values that the API shows, until the
   * configuration has another value.
   */
  readonly importFallback?: (observed: Values) => Value | undefined;
  /** Set if `importFallback` returns the value of the object, and not a guess: plans compare it, and none means that none is set. */
  readonly importIsExact?: true;
  /**
   * For a field that a response may lack: returns true if other values that the API shows prove that the object already has the
   * requested value, as an etag proves a content. While no value is recorded, such a value is recorded, and nothing is sent.
   */
  readonly isProven?: (observed: Values, inputs: Values) => boolean;
}

/** Options of a field that the user sets, in addition to its type and its description. */
export interface FieldOptions<T> extends ValueOptions<T>, ChangeOptions<T>, ReadOptions {
  /**
   * Further sentences for the description of the input: default of the API, conflicts, effect of a change in place.
   * Outputs and the data sources derived from a resource show `about` only.
   */
  readonly usage?: Text;
  /** Meaning of the value for the review of planned changes. */
  readonly meaning?: FieldMeaning;
}

/**
 * Derives the value of a field from other fields of the same object. Runs at every check and sends no
 * request.
 */
export interface Calculation<T> {
  /** Fields that the calculation reads. While one of them is unknown, the result is unknown too. */
  readonly needs: readonly string[];
  /**
   * Returns the value; undefined if the inputs do not determine one. Throws `InputError` for invalid inputs.
   */
  readonly from: (inputs: never) => T | undefined;
}

/** Field with one value, which the user can set. */
export interface Leaf<T = unknown, O = FieldOptions<never>> {
  readonly kind: "field";
  readonly schema: z.ZodMiniType<T>;
  readonly about: Text;
  readonly options: O;
}

/** Field that only the API sets. */
export interface Computed<T = unknown> {
  readonly kind: "computed";
  readonly schema: z.ZodMiniType<T>;
  readonly about: Text;
  readonly options: ComputedOptions;
}

/** Options of a computed field. */
export interface ComputedOptions {
  /**
   * Inputs whose change may change this field: a plan that changes one of them shows this field as unknown. Any other plan
   * and its update keep the stored value, so that resources that refer to it do not change.
   */
  readonly changesWith?: readonly string[];
  /**
   * The value is part of the identity of the object: reads during an update get the stored value in `recorded`, together
   * with the inputs.
   */
  readonly identifies?: true;
  readonly secret?: true;
  /**
   * Only the response to the create contains the value (`Receipt.once`), such as the secret of an access key. The state
   * keeps it; after an import it is null.
   */
  readonly once?: true;
}

/** Nested fields. */
export interface Group<F extends Fields = Fields, O = GroupOptions> {
  readonly kind: "group";
  readonly fields: F;
  readonly about: Text;
  readonly options: O;
}

/** Options of a group as a whole. */
export interface GroupOptions {
  readonly optional?: true;
  /**
   * The API never returns the group. After an import the first plan records the configured group and sends
   * nothing.
   */
  readonly unreadable?: true;
  /**
   * For an unreadable group with computed fields: name of another value of a read, which lists the possible groups. An
   * import stores them until the configuration selects one, so that its computed values are known in the plan.
   */
  readonly candidates?: string;
  /**
   * Resource kind of the candidates, whose objects have the object of the group as parent. The first candidate of a response counts
   * as the object of the group, so that lists for generated configurations leave it out.
   */
  readonly candidateKind?: string;
  /** Effect of adding or removing the group as a whole. Default: "replace". */
  readonly change?: "update" | "replace";
  readonly replaceReason?: Text;
  readonly usage?: Text;
}

/** Field of any type; its declaration has the exact type. */
// biome-ignore lint/suspicious/noExplicitAny: a field of any type; its own type is kept where it is declared.
export type Field = Leaf<any, FieldOptions<any>> | Computed<any> | Group<any, GroupOptions>;

/** Fields by name, in camelCase. */
export type Fields = { readonly [name: string]: Field };

/**
 * Defines a field that the user sets. Its schema makes it optional or gives it a default: `z.optional(…)`,
 * `z._default(…, value)`.
 * The sentence `about` is the description in every schema and on every page.
 *
 * `field(wholeNumber(1), "Size in GB.", { change: "update" })`
 */
export const field = <T, const O extends FieldOptions<NonNullable<T>> = Record<never, never>>(
  schema: z.ZodMiniType<T>,
  about: Text,
  options: O = {} as O,
): Leaf<T, O> => ({ kind: "field", schema, about, options });

/** Defines a field that only the API sets. */
export const computed = <T>(
  schema: z.ZodMiniType<T>,
  about: Text,
  options: ComputedOptions = {},
): Computed<T> => ({ kind: "computed", schema, about, options });

/**
 * Defines a group of nested fields. `{ optional: true }` makes the group as a whole optional.
 */
export const group = <const F extends Fields, const O extends GroupOptions = Record<never, never>>(
  fields: F,
  about: Text,
  options: O = {} as O,
): Group<F, O> => ({ kind: "group", fields, about, options });

/** Returns true if the API chooses the value when the user sets none. */
export const isSetByApi = (field: Exclude<Field, { kind: "group" }>): boolean =>
  field.kind === "computed" || field.options.computed === true;

/** Returns true if only the state contains the value: the API has no such field. */
export const isLocal = (field: Field): boolean => field.kind === "field" && field.options.local === true;

/** Returns true if only the response to the create contains the field. */
export const isShownOnce = ({ kind, options }: Field): boolean => kind === "computed" && "once" in options;

/** Returns the names of the computed fields that identify an object. */
const identifyingNames = memoize((fields: Fields): readonly string[] =>
  entriesOf(fields).flatMap(({ name, value: field }) =>
    field.kind === "computed" && field.options.identifies ? name : [],
  ),
);

/** Returns the values of the computed fields that identify an object; null for each value that `known` lacks. */
export const identifyingValues = (fields: Fields, known: object = {}): { [name: string]: Value } =>
  Object.fromEntries(identifyingNames(fields).map((name) => [name, (known as Values)[name] ?? null]));

/** Returns the names of the computed fields that a change of one of the named fields may affect. */
export const computedWith = (fields: Fields, changed: ReadonlySet<string>): string[] =>
  changed.size === 0
    ? []
    : entriesOf(fields).flatMap(({ name, value: field }) =>
        field.kind === "computed" && field.options.changesWith?.some((input) => changed.has(input))
          ? [name]
          : [],
      );

/** Returns the names of the fields that the create does not send. */
export const deferredFields = (fields: Fields): string[] =>
  entriesOf(fields).flatMap(({ name, value: field }) =>
    field.kind === "field" && field.options.deferred === true ? [name] : [],
  );

/** Returns the names of the fields whose change an update always sends. */
export const updatableFields = (fields: Fields): string[] =>
  entriesOf(fields).flatMap(({ name, value: field }) =>
    field.kind === "field" && field.options.change === "update" && !isLocal(field) ? [name] : [],
  );

/** Returns the names of the fields that contain the id of another object, without those in groups. */
export const referenceNames = memoize((fields: Fields): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.kind === "field" && field.options.references !== undefined ? [name] : [],
  ),
);
