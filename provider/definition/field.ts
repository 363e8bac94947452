import type * as z from "zod/mini";
import type { Value, Values } from "../core/value.ts";

/**
 * Fields of a definition: types and identity functions, no behaviour. The options are documented here; an editor shows
 * them where a definition is written. `docs/architecture.md` shows where each part of a definition is used.
 */

/**
 * Effect of changing a field: an update in place, a replacement of the object, or an error in the plan with
 * this sentence.
 */
export type ChangeEffect = "update" | "replace" | { readonly refuse: string };

/**
 * Meaning of a value for the review of planned changes. Flags: true discards data at a delete, keeps former versions,
 * makes content public, encrypts it, lets several objects use it at once. Texts: a range of addresses, or a program that runs at the first start only.
 */
export type FieldMeaning =
  | "discards data"
  | "keeps versions"
  | "is public"
  | "encrypts"
  | "is shared"
  | "address range"
  | "first start"
  | "content digest";

/** Options of a field that the user sets, in addition to its type and its description. */
export interface FieldOptions<T> {
  /**
   * Effect of changing the field, also as a function of the value before and after. Default: "replace".
   *
   * "update" needs the verb `update`, which finds the name of the field in `changed`.
   */
  readonly change?: ChangeEffect | ((before: T, after: T) => ChangeEffect);
  /** Replaces `Contract.replaceReason` for a change of this field. */
  readonly replaceReason?: string;
  /**
   * Further sentences for the description of the input: default of the API, conflicts, effect of a change in place.
   * Outputs and the data sources derived from a resource show `about` only.
   */
  readonly usage?: string;
  /**
   * Returns true for an update in place that deletes data, as shrinking a batch. Such a change is refused
   * while `deletionProtection` is on.
   */
  readonly destroysData?: (before: T, after: T) => boolean;
  /**
   * Never printed: masked in logs, errors and plans; stored encrypted by engines that can. Works inside
   * groups too.
   * Terraform also gets a write-only form of the field, `NAME_wo`. A list of objects with a secret member is
   * secret as a whole.
   */
  readonly secret?: true;
  /**
   * Resource kind whose id the field holds, as "vpc". An id of another kind is an error before anything is
   * sent.
   */
  readonly references?: string;
  /**
   * The API never returns the value: the state keeps the configured one, and drift is invisible. After an
   * import the first plan may show one update in place, which sends nothing.
   */
  readonly unreadable?: true;
  /**
   * For an unreadable field: name of the field whose value an import stores here until the configuration
   * gives another one.
   */
  readonly importFallback?: string;
  /**
   * The user may set it. If the user does not, the API or a provider setting chooses a value, and later plans
   * keep that value.
   */
  readonly computed?: true;
  /**
   * Derived from other fields, as the checksum of a file. A value that the user gives must equal the derived
   * one.
   */
  readonly calculated?: Calculation<T>;
  /**
   * Returns true for two spellings of the same value, as "::1" and "0:0:0:0:0:0:0:1". Equal values are no
   * change, and the state keeps the user's spelling.
   */
  readonly same?: (a: T, b: T) => boolean;
  /** Value that the API shows where none is set, as 0 for a limit: it is the same as no value. */
  readonly unset?: T;
  /** List whose order has no meaning: another order is no change. Terraform shows it as a set. */
  readonly unordered?: true;
  /**
   * Not part of the create: after the object exists and is ready, the verb `update` sends the field, unless
   * the API shows the requested value already.
   * The contract option `visibleThrough` may name such a field.
   */
  readonly deferred?: true;
  /**
   * A change of the field must not be sent twice. It is sent in a request of its own; after an ambiguous
   * response it counts as sent, and what the API shows decides (docs/reliability.md#3.2).
   */
  readonly once?: true;
  /**
   * Ends the error of a change that the API accepted but does not show within the timeout: names the likely
   * reason.
   */
  readonly notAppliedHint?: string;
  /** Stored in the state only: never sent, and never returned by the API. */
  readonly local?: true;
  /** Meaning of the value for the review of planned changes. */
  readonly meaning?: FieldMeaning;
  /**
   * Returns true for a change in place that interrupts the service of the object; `object` has all of its values before
   * and after.
   */
  readonly interrupts?: (
    before: T | null,
    after: T | null,
    object: { readonly before: Values; readonly after: Values },
  ) => boolean;
  /** The API may show zero though no configuration may contain it, as for a batch none of whose instances exists. */
  readonly showsZero?: true;
  /** Path of a file whose content the check reads; `Engine.prepare` reads it first. */
  readonly file?: true;
  /** Values that are known to work. Another value is a warning that names the nearest one, never an error. */
  readonly known?: readonly string[];
}

/**
 * Derives the value of a field from other fields of the same object. Runs at every check and sends no
 * request.
 */
export interface Calculation<T> {
  /** Fields that the calculation reads. While one of them is unknown, the result is unknown too. */
  readonly needs: readonly string[];
  /**
   * Returns the value; undefined if the inputs give none. Throws `InputError` for inputs that cannot be used.
   */
  readonly from: (inputs: never) => T | undefined;
}

/** Field that holds one value. */
export interface Leaf<T = unknown, O = FieldOptions<never>> {
  readonly kind: "field";
  readonly schema: z.ZodMiniType<T>;
  readonly about: string;
  readonly options: O;
}

/** Field that only the API sets. */
export interface Computed<T = unknown> {
  readonly kind: "computed";
  readonly schema: z.ZodMiniType<T>;
  readonly about: string;
  readonly options: ComputedOptions;
}

/** Options of a computed field. */
export interface ComputedOptions {
  /**
   * Inputs whose change may change it: a plan that changes one of them shows it as unknown. Any other plan keeps
   * the stored value, and the result of the update returns it, so that nothing that refers to it changes.
   */
  readonly changesWith?: readonly string[];
  /**
   * Part of what identifies the object: reads during an update get the stored value in `remembered`, beside the
   * inputs.
   */
  readonly identifies?: true;
  readonly secret?: true;
  /**
   * Only the response to the create shows it (`Receipt.once`), as the secret of an access key. The state
   * keeps it; after an import it is null.
   */
  readonly once?: true;
}

/** Group of fields, one level down. */
export interface Group<F extends Fields = Fields, O = GroupOptions> {
  readonly kind: "group";
  readonly fields: F;
  readonly about: string;
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
   * For an unreadable group with computed fields: name of a further value of a read, a list of the groups that it can
   * be. An import keeps them until the configuration selects one, so that its computed values are known in the plan.
   */
  readonly candidates?: string;
  /** Effect of adding or removing the group as a whole. Default: "replace". */
  readonly change?: "update" | "replace";
  readonly replaceReason?: string;
  readonly usage?: string;
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
  about: string,
  options: O = {} as O,
): Leaf<T, O> => ({ kind: "field", schema, about, options });

/** Defines a field that only the API sets. */
export const computed = <T>(
  schema: z.ZodMiniType<T>,
  about: string,
  options: ComputedOptions = {},
): Computed<T> => ({ kind: "computed", schema, about, options });

/**
 * Defines a group: fields that belong together, one level down. `{ optional: true }` makes the group as a
 * whole optional.
 */
export const group = <const F extends Fields, const O extends GroupOptions = Record<never, never>>(
  fields: F,
  about: string,
  options: O = {} as O,
): Group<F, O> => ({ kind: "group", fields, about, options });

/** Returns true if the API chooses the value when the user gives none. */
export const isSetByApi = (field: Exclude<Field, { kind: "group" }>): boolean =>
  field.kind === "computed" || field.options.computed === true;

/** Returns true if only the state holds the value, as the API does not know the field. */
export const isLocal = (field: Field): boolean => field.kind === "field" && field.options.local === true;

/** Returns true if only the response to the create shows the field. */
export const isShownOnce = ({ kind, options }: Field): boolean => kind === "computed" && "once" in options;

/** Returns the values of the computed fields that identify an object, null where it is not known or shows none. */
export const identifyingValues = (fields: Fields, known: object = {}): { [name: string]: Value } =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.kind === "computed" && field.options.identifies
        ? [[name, (known as Values)[name] ?? null] as const]
        : [],
    ),
  );

/** Returns the names of the fields that the create does not send. */
export const deferredFields = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.kind === "field" && field.options.deferred === true ? [name] : [],
  );

/** Returns the names of the fields whose change an update always sends. */
export const updatableFields = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.kind === "field" && field.options.change === "update" && !isLocal(field) ? [name] : [],
  );
