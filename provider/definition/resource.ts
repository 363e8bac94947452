import * as z from "zod/mini";
import { spellRegion } from "../core/krn.ts";
import type { Plain, Values } from "../core/value.ts";
import { attributeCode, type Text, wording } from "../core/wording.ts";
import type { Api } from "./api.ts";
import type { Category } from "./category.ts";
import { computed, type Fields, field, isShownOnce } from "./field.ts";
import type { Inputs, State } from "./inference.ts";
import type { Verbs } from "./verb.ts";

/** Rule over several fields, which runs once all fields in `needs` are known. */
export interface Rule<F extends Fields> {
  /** Fields that the rule reads. The rule does not run while one of them is unknown. */
  readonly needs: readonly (keyof F & string)[];
  /**
   * Returns the path and the problem; undefined if the inputs are valid. `isWritten` returns true for a field that the user
   * has set, whose value is no default.
   */
  readonly check: (
    inputs: Inputs<F>,
    isWritten: (name: keyof F & string) => boolean,
  ) => { readonly path: readonly (string | number)[]; readonly problem: Text } | undefined;
}

/**
 * Status values that the API uses; case is ignored. Any other value is unknown: it is tolerated for a short time, then ends
 * the wait with an error that contains the value. Without a lifecycle an object that exists is ready.
 */
export interface Lifecycle<N extends string> {
  /** Field with the status. */
  readonly field: N;
  /** Statuses in which the object is usable, so that a create or an update is done. */
  readonly ready: readonly string[];
  /** Statuses during which a wait continues. */
  readonly pending: readonly string[];
  /**
   * Statuses that end a wait with an error. An object that failed during its create is replaced, except with
   * `repairable`.
   */
  readonly failed: readonly string[];
  /** Statuses that count as "does not exist", in listings as well as in reads. */
  readonly gone?: readonly string[];
  /** Fields that a ready object must have. While one of them is missing, a ready status counts as pending. */
  readonly shows?: readonly N[];
  /** Field, or other value of a read, with the reason of a failed status. */
  readonly reason?: string;
  /** Field with the progress, which replaces the status in messages of a wait. */
  readonly progress?: N;
  /**
   * A deadline during the create is a warning, and the object stays in the state with its pending status: an error would
   * lead to a replacement, which would be billed again.
   */
  readonly late?: "kept";
}

/** Statuses of work that runs and is billed from its create until it ends or is cancelled. */
export interface Work<N extends string> {
  /** Field with the status. */
  readonly status: N;
  /** Field with the statuses that a create waits for. Without a value the create does not wait. */
  readonly waitFor: N;
  /** Field with the statuses that end this wait with a warning. */
  readonly waitFailed: N;
  /** Statuses of cancelled work; case is ignored. */
  readonly cancelled: readonly string[];
}

/**
 * Default deadlines of the operations, in seconds. Users override them: `timeouts` in Terraform,
 * `customTimeouts` in Pulumi.
 */
export interface Timeouts {
  readonly create: number;
  readonly read: number;
  readonly update: number;
  readonly delete: number;
}

/** Traffic that an object allows. */
export interface Opening {
  readonly direction: "ingress" | "egress";
  /** "tcp", "udp", "icmp" or "all". */
  readonly protocol: string;
  readonly firstPort: number;
  readonly lastPort: number;
  /** Range of addresses at the other end, in CIDR form. */
  readonly range: string;
  /** Service of the object that receives it: "a Jupyter notebook"; undefined for a rule that allows traffic to others. */
  readonly service?: string;
}

/** Data that a delete destroys depending on the values of the object. */
export interface ConditionalLoss<F extends Fields> {
  readonly text: string;
  readonly when: (values: State<F>) => boolean;
  /** Exception for descriptions, as the end of a sentence: "the volume is kept". */
  readonly unless: string;
}

/** Names and sentences of a resource, for schemas, pages and plans. */
interface Description {
  /**
   * Resource kind: singular, kebab-case. Also the base name of its files. `kcloud_volume` and `kcloud:index:Volume` are
   * derived from it.
   */
  readonly name: string;
  /** Group on the pages of a registry. */
  readonly category: Category;
  /** Term for the object in descriptions, if it differs from the name: "document job". */
  readonly noun?: string;
  /** Description for schemas and pages, as a full sentence. */
  readonly about: Text;
  /**
   * Sentence for the plans of replacements and for the descriptions of the fields that cause them: consequences of a
   * replacement in addition to the loss of data. `FieldOptions.replaceReason` replaces it.
   */
  readonly replaceReason?: Text;
  /** Sentence on the costs of the object, for plans that create it. */
  readonly billed?: string;
}

/** Identification of an object: region, parents and id. */
interface Identification<F extends Fields, P extends keyof F & string> {
  /** False for objects of the whole account. Default: true, which adds the field `region`. */
  readonly regional?: boolean;
  /**
   * Fields that locate an object together with its id, such as the VPC of a subnet. In this order they precede the
   * id in an import id: `vpcId,id`.
   */
  readonly parents?: readonly P[];
  /** Fields whose value can replace the id in an import. Default: `name`, if a listing shows it. */
  readonly importedBy?: readonly (keyof F & string)[];
  /**
   * Field that is the id, for objects whose id the user chooses, such as a bucket: the search before a create reads this
   * id instead of a listing.
   * If the field changes in place, the id of the object changes with it.
   */
  readonly idField?: keyof F & string;
  /**
   * Fields that distinguish an object from a later one with the same id, for ids that the user or a parent determines. A
   * delete with an ambiguous response is sent again only while a read shows their recorded values.
   */
  readonly sameBy?: readonly (keyof F & string)[];
}

/**
 * Limits of what reads and listings show, which decide what proves that an object exists or is gone. Without these options, a read
 * shows one object and a listing all objects of a scope.
 */
interface Visibility<F extends Fields, P extends keyof F & string> {
  /**
   * Parents that select a listing, if one listing shows the objects of all values of the other parents. Default: all
   * parents.
   */
  readonly listedIn?: readonly P[];
  /**
   * A scope has at most one object, and its listing sends the request of the read, so a listing proves no more than a read.
   */
  readonly listedByRead?: true;
  /**
   * The verb `read` searches a listing or another object, which may show this one late: for `settle_seconds` after the
   * create, a miss proves nothing.
   * Not needed for a resource without the verb `read`.
   */
  readonly readByListing?: true;
  /**
   * Name of the only `deferred` field through which the API shows the object, such as the security group of a rule. While
   * the API does not show the object, its existence is unknown: the state stays, and the next apply deletes and creates
   * the object.
   */
  readonly shownThrough?: keyof F & string;
  /**
   * For objects that no documented route reads: the values of a new object. The verb `read` is still called, and its
   * result is used if there is one. Otherwise the state stays unchanged, and one warning per run states that drift cannot
   * be detected. The object is never reported as deleted and cannot be imported.
   */
  readonly unreadable?: Partial<State<F>>;
}

/** Visibility of an object in the API, and the resources that set a part of it. */
interface Presence<F extends Fields, P extends keyof F & string> {
  readonly visibility?: Visibility<F, P>;
  /**
   * List of an object that resources of several kinds can set, such as the security groups of a port: the field with the list,
   * the fields with the ids of the objects (default: the object itself), their kind for messages, and the plans that set the list.
   * A resource that creates the object sets the list only with a change in place. Plans that set different lists are an error.
   */
  readonly sharedList?: {
    readonly list: string;
    readonly of?: readonly string[];
    readonly kind: string;
    readonly setBy: "change" | "plan";
  };
  /**
   * The object exists only in the state: the response to the create is the whole object (`Receipt.values`). Read and
   * delete send nothing; there is no import, no identity, no listing and no search.
   */
  readonly stateOnly?: true;
  /**
   * Returns true for an object that the API made together with another one and deletes with it, such as the port of an
   * instance: an export of the account leaves it out. `valuesOf` returns the values of another object of the account.
   * Returns undefined if it depends on an object that was not read.
   */
  readonly isPart?: (
    values: State<F>,
    valuesOf: (kind: string, id: string | undefined) => Values | undefined,
  ) => boolean | undefined;
}

/** Statuses and deadlines of an object. */
interface Progress<F extends Fields> {
  /** Status values of the API. Without them an object that exists is ready. */
  readonly lifecycle?: Lifecycle<keyof F & string>;
  /**
   * For a resource without a lifecycle: the field with the status, and the statuses during a change in place. The wait for
   * a change continues while the object has one of them; any other status counts as ready.
   */
  readonly transition?: { readonly field: keyof F & string; readonly statuses: readonly string[] };
  /**
   * Work that a create starts and a delete cancels. Once the id is known, the create succeeds: a failed status, a deadline
   * or an error becomes a warning, since a failed create would be replaced, which cancels the work. The request that
   * cancels has the semantics "cancel". It is sent once: an accepted request proves the object gone regardless of reads,
   * and after an ambiguous response reads decide.
   * Adds the field `keepWhenGone`.
   */
  readonly work?: Work<keyof F & string>;
  /**
   * For an object of many parts, such as a batch of instances: an update creates the parts that failed. A failed
   * create does not cause a replacement.
   */
  readonly repairable?: true;
  /** Default deadlines. */
  readonly timeouts: Timeouts;
}

/** Objects of another kind that are deleted with an object, such as a boot volume, or by a change of it. */
export interface DeletedToo<F extends Fields> {
  readonly kind: string;
  /** Returns their ids, which contain UUIDs; with `after`, those that the change to these values deletes. */
  readonly ids?: (values: State<F>, after?: State<F>) => readonly (string | undefined)[];
  /** Set if the object consists of these objects and nothing else, as a batch of its instances. */
  readonly isWhole?: true;
  /** Returns true if a delete deletes all that have the object as a parent. */
  readonly contents?: (values: State<F>) => boolean;
}

/** Consequences and conditions of replacing and deleting an object. */
interface Removal<F extends Fields> {
  /**
   * Data that deleting or replacing the object destroys, as a sentence for plans and descriptions. Adds the field
   * `deletionProtection`. See `FieldOptions.destroysData` for changes in place.
   */
  readonly holdsData?: string | ConditionalLoss<F>;
  /** Objects of other kinds that are deleted with the object. */
  readonly deletesToo?: readonly DeletedToo<F>[];
  /** True if the delete of a parent can delete the object: `deletesToo` of the parent has `contents` of this kind. */
  readonly deletedWithParent?: true;
  /**
   * The object runs a service or work, which ends when the object is deleted or replaced. `FieldOptions.interrupts` finds
   * the changes in place that interrupt it.
   */
  readonly interrupts?: true;
  /**
   * The new object of a replacement cannot exist at the same time as the old one, even under another name: the old one is
   * deleted first.
   */
  readonly exclusive?: true;
  /**
   * A delete requires a one-time password. The verb `delete` requests it (`otp()`) immediately before its request and
   * sends it once, with an endpoint of semantics "guarded-delete".
   */
  readonly otpDelete?: true;
}

/** Properties of an object for the review of planned changes. */
interface ReviewFacts<F extends Fields> {
  /** Returns the traffic that the object allows, for the review of planned changes. */
  readonly opens?: (values: State<F>) => readonly Opening[];
  /** Field with a public address, which is lost with the object. */
  readonly publicAddress?: keyof F & string;
  /** Field with the id of the object to which this one, or the volume of an attachment, is attached. */
  readonly attachedTo?: keyof F & string;
  /** Other objects are inside this one: replacing this one replaces them. */
  readonly contains?: true;
  /** Other objects are created from this one and cannot be created again without it. */
  readonly template?: true;
  /** Access that the object grants: rights of an account or a bucket, a secret, or a login to machines. */
  readonly grants?: "rights" | "secret" | "login";
}

/**
 * First part of a definition: names, fields and properties of the resource. The second part, `Verbs`, holds the
 * requests that create, read, update and delete it.
 */
export interface Contract<F extends Fields, P extends keyof F & string>
  extends Description,
    Identification<F, P>,
    Presence<F, P>,
    Progress<F>,
    Removal<F>,
    ReviewFacts<F> {
  /**
   * Fields that the user sets or reads. If one of them is `tags`, `tagsAll` is added, which includes the provider's
   * `default_tags`. If tags can change in place, changed `default_tags` are applied to existing objects too.
   */
  readonly fields: F;
  /** Rules over several fields, checked in validation and plan. */
  readonly rules?: readonly Rule<F>[];
  /**
   * Field that should have another value in each object with the same value of `within`. A plan that creates a second object
   * with the value has a warning.
   */
  readonly distinct?: { readonly field: keyof F & string; readonly within: keyof F & string };
  /**
   * Settings of the provider that the requests need. If one is missing, the plan of a create has a problem; for
   * `objectKeys` only a warning, since the same run may create the keys.
   */
  readonly requires?: readonly ("accountId" | "objectKeys" | "user")[];
  /**
   * Changes between released versions, oldest first. The number of entries is the version of the schema.
   */
  readonly upgrades?: readonly Upgrade[];
}

const region = field(
  z.optional(z.string()),
  "Region, such as `In-Bangalore-1`. Default: the region of the provider.",
  { computed: true, same: (one: string, other: string) => spellRegion(one) === spellRegion(other) },
);

/** Field that every regional definition has in addition to its own. */
export type Region = { readonly region: typeof region };

/** Returns the fields of a definition, with `region` if it is regional. */
export const regionalFields = ({ regional, fields }: { regional?: boolean; fields: Fields }): Fields =>
  regional === false ? fields : { ...fields, region };

const deletionProtection = field(
  z.optional(z.boolean()),
  "If true, deleting or replacing the object is an error. To delete or replace it, first set this to `false` in a run of its own. Default: `false`.",
  { change: "update", unreadable: true, local: true },
);
const keepWhenGone = field(
  z.optional(z.boolean()),
  "If true, the resource stays in the state after the API no longer returns it, instead of being created again. Default: `false`.",
  { change: "update", unreadable: true, local: true, usage: "Takes effect once it is stored in the state." },
);
const tagsAll = computed(
  z.record(z.string(), z.string()),
  wording`All tags: those of the object and ${attributeCode("defaultTags")} of the provider.`,
);

/**
 * Returns the fields of a resource with those that its options add: `region`, `deletionProtection` with `holdsData`,
 * `keepWhenGone` with `work`, `tagsAll` with `tags`.
 */
const resourceFields = (contract: {
  regional?: boolean;
  fields: Fields;
  holdsData?: unknown;
  work?: unknown;
}): Fields => ({
  ...regionalFields(contract),
  ...(contract.holdsData === undefined ? {} : { deletionProtection }),
  ...(contract.work === undefined ? {} : { keepWhenGone }),
  ...(Object.hasOwn(contract.fields, "tags") ? { tagsAll } : {}),
});

/** Definition of a resource for the engine and the adapters, without the exact types of its fields. */
export interface Resource extends Contract<Fields, string> {
  readonly verbs: Verbs<Fields, string>;
}

/**
 * Defines a resource in two calls, `defineResource(contract)(verbs)`: TypeScript infers the exact types of
 * the verbs from the fields of the contract.
 *
 * `resources/subnet.ts` is a complete example in one file.
 */
export const defineResource =
  <const F extends Fields, const P extends keyof F & string = never>(contract: Contract<F, P>) =>
  (verbs: Verbs<F & Region, P>): Resource =>
    ({ ...contract, fields: resourceFields(contract), verbs }) as unknown as Resource;

/**
 * Defines a resource that exists only in the state, in two calls: the contract, then the request whose response is the
 * whole object.
 */
export const defineResult =
  <const F extends Fields>(contract: Omit<Contract<F, never>, "stateOnly" | "regional">) =>
  (request: (call: { api: Api; inputs: Inputs<F> }) => Promise<State<F>>): Resource =>
    defineResource({ ...contract, regional: false, stateOnly: true } as Contract<Fields, never>)({
      create: async ({ api, inputs }) => ({ values: await request({ api, inputs: inputs as Inputs<F> }) }),
      read: async () => undefined,
      delete: async () => {},
    });

/**
 * Changes of a definition in one released version, in the names of the definition. States of every released version can
 * be read.
 */
export interface Upgrade {
  /** New name of a field by its old name. Dots separate nested names: `size: "bootVolume.sizeGb"`. */
  readonly renamed?: { readonly [from: string]: string };
  /** New value by the new name of a field, as a function of the old value. Not called for null. */
  readonly changed?: { readonly [name: string]: (value: NonNullable<Plain>) => Plain };
}

/** Returns the parents that select a listing. */
export const listingParents = ({ parents = [], visibility }: Resource): readonly string[] =>
  visibility?.listedIn ?? parents;

/** Returns the fields that select a listing: the parents, which are required, and the region, which is optional. */
export function scopeFields(resource: Resource): Fields {
  const { fields, regional } = resource;
  const names = [...listingParents(resource), ...(regional === false ? [] : ["region"])];
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

/**
 * Returns true if the user or a parent determines the id, such as that of a bucket policy: a later object can have the id
 * of an earlier one.
 */
export const hasGivenId = ({ idField, sameBy }: Resource): boolean =>
  idField !== undefined || sameBy !== undefined;

/** Returns true if the id is any text that the user chooses, such as the key of an object: it has a single spelling. */
export function hasFreeId({ idField = "", fields }: Resource): boolean {
  const chosen = fields[idField];
  return chosen?.kind === "field" && chosen.options.computed !== true;
}

/**
 * Returns true if only the create response contains a part of the object: after a lost response such an object cannot be
 * used (docs/reliability.md#3.5).
 */
export const hasShownOnce = ({ fields }: Resource): boolean => Object.values(fields).some(isShownOnce);

/** Returns the id from the values, if a field of the resource is its id; otherwise undefined. */
export function idIn({ idField }: Pick<Resource, "idField">, values: Values): string | undefined {
  const id = idField === undefined ? undefined : values[idField];
  return typeof id === "string" ? id : undefined;
}
