import * as z from "zod/mini";
import type { Plain } from "../core/value.ts";
import { attributeCode } from "../core/wording.ts";
import type { Api } from "./api.ts";
import { computed, type Fields, field, isShownOnce } from "./field.ts";
import type { Inputs, State } from "./inference.ts";
import type { Verbs } from "./verb.ts";

/** Rule over several fields. It runs as soon as all fields that it reads are known. */
export interface Rule<F extends Fields> {
  /** Fields that the rule reads. It does not run while one of them is unknown. */
  readonly needs: readonly (keyof F & string)[];
  /** Returns the path and the problem; undefined if the inputs are valid. */
  readonly check: (
    inputs: Inputs<F>,
  ) => { readonly path: readonly (string | number)[]; readonly problem: string } | undefined;
}

/**
 * Status values that the API uses, compared without case. Any other value is unknown: it is tolerated for a
 * short time, then ends the wait with an error that names the value.
 * Without a lifecycle an object that exists is ready.
 */
export interface Lifecycle<N extends string> {
  /** Field that holds the status. */
  readonly field: N;
  /** Statuses in which the object is usable: a create or an update is done. */
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
  /** Fields that a ready object shows. While one of them is missing, a ready status counts as pending. */
  readonly shows?: readonly N[];
  /** Field, or further value of a read, that holds the reason of a failed status. */
  readonly reason?: string;
  /** Field that holds the progress. It replaces the status in messages of a wait. */
  readonly progress?: N;
  /**
   * A deadline during the create is a warning, and the object stays in the state with its pending status: an error would
   * lead to a replacement, which would be billed again.
   */
  readonly late?: "kept";
}

/** Statuses of work that runs and is billed from its create on, until it ends by itself or is cancelled. */
export interface Work<N extends string> {
  /** Field that holds the status. */
  readonly status: N;
  /** Field that holds the statuses that a create waits for; without a value it does not wait. */
  readonly waitFor: N;
  /** Field that holds the statuses that end this wait with a warning. */
  readonly waitFailed: N;
  /** Statuses of cancelled work, compared without case. */
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

/** Traffic that an object lets through. */
export interface Opening {
  readonly direction: "ingress" | "egress";
  /** "tcp", "udp", "icmp" or "all". */
  readonly protocol: string;
  readonly firstPort: number;
  readonly lastPort: number;
  /** Range of addresses at the other end, in CIDR form. */
  readonly range: string;
  /** Service of the object that answers, as "a Jupyter notebook"; undefined for a rule that opens the way to others. */
  readonly service?: string;
}

/** Data that a delete destroys only if the values of the object say so. */
export interface ConditionalLoss<F extends Fields> {
  readonly text: string;
  readonly when: (values: State<F>) => boolean;
  /** Exception in the words of a description, as the end of a sentence: "the volume is kept". */
  readonly unless: string;
}

/**
 * First part of a definition: names, fields and properties of the resource. The second part, `Verbs`, holds the
 * requests that create, read, update and delete it.
 */
export interface Contract<F extends Fields, P extends keyof F & string> {
  /**
   * Resource kind: singular, kebab-case. Also the base name of its file in every folder. `kcloud_volume` and
   * `kcloud:index:Volume` are derived from it.
   */
  readonly name: string;
  /** Description for schemas and pages, as a full sentence. */
  readonly about: string;
  /**
   * Fields that locate an object together with its id, as the VPC of a subnet. In this order they precede the
   * id in an import id: `vpc,subnet`.
   */
  readonly parents?: readonly P[];
  /**
   * Parents that one listing covers, if it also shows the objects below all other parents. Default: all
   * parents.
   */
  readonly listedIn?: readonly P[];
  /** Fields whose value can replace the id in an import. Default: `name`, if a listing shows it. */
  readonly importedBy?: readonly (keyof F & string)[];
  /**
   * Field that is the id, for objects that the user names, as a bucket: the search before a create reads this
   * id instead of a listing.
   * If the field changes in place, the id of the object changes with it.
   */
  readonly idField?: keyof F & string;
  /**
   * Fields that distinguish an object from a later one of the same id, for objects that the user names. A delete with an
   * ambiguous response is sent again only while they are the recorded ones.
   */
  readonly sameBy?: readonly (keyof F & string)[];
  /**
   * A scope holds at most one object, and its listing sends the request of the read: it proves nothing that the read does
   * not.
   */
  readonly listedByRead?: true;
  /** False for objects of the whole account. Default: true, which adds the field `region`. */
  readonly regional?: boolean;
  /**
   * Fields that the user sets or reads. If one of them is `tags`, `tagsAll` is added, which includes the provider's
   * `default_tags`. Tags that can change in place follow `default_tags`; others keep those of the create.
   */
  readonly fields: F;
  /**
   * Changes of each released version to the one before, oldest first. The number of entries is the version of
   * the schema.
   */
  readonly upgrades?: readonly Upgrade[];
  /** Rules over several fields, checked in validation and plan. */
  readonly rules?: readonly Rule<F>[];
  /** Status values of the API. Without them an object that exists is ready. */
  readonly lifecycle?: Lifecycle<keyof F & string>;
  /**
   * For a resource without a lifecycle: the field that holds the status, and the statuses that an object passes through
   * while it changes in place. The wait for a change continues during them; any other status counts as ready.
   */
  readonly transition?: { readonly field: keyof F & string; readonly statuses: readonly string[] };
  /** Default deadlines. */
  readonly timeouts: Timeouts;
  /**
   * A replacement cannot exist at the same time as the old object, even under another name: the old one is deleted
   * first.
   */
  readonly exclusive?: true;
  /**
   * Name of the only `deferred` field through which the API shows the object, as the security group of a rule. While
   * the API does not show the object, its existence is unknown: the state stays, and the next apply deletes and creates
   * the object.
   */
  readonly visibleThrough?: keyof F & string;
  /**
   * The verb `read` searches a listing, or another object that shows this one late: for `settle_seconds` after the create,
   * a read that finds nothing proves nothing.
   * A kind without this verb needs no such mark.
   */
  readonly readByListing?: true;
  /**
   * For objects that no documented route reads: the values of a new object. A read is still sent, and its result is
   * used if there is one.
   * If there is none, the state stays as it is, and one warning per run says that drift is invisible. The object is
   * never reported as deleted and cannot be imported.
   */
  readonly notReadable?: Partial<State<F>>;
  /**
   * For an object of many parts, as a batch of instances: an update creates the parts that failed. A failed
   * create does not lead to a replacement.
   */
  readonly repairable?: true;
  /** Term for the object in descriptions, where it differs from the name: "document job". */
  readonly noun?: string;
  /**
   * Sentence for the plans of replacements and for the descriptions of the fields that cause them: what a replacement
   * entails in addition to the loss of data. `FieldOptions.replaceReason` replaces it.
   */
  readonly replaceReason?: string;
  /**
   * Data that deleting or replacing the object destroys, as a sentence for plans and descriptions. Adds the field
   * `deletionProtection`. See `FieldOptions.destroysData` for changes in place.
   */
  readonly holdsData?: string | ConditionalLoss<F>;
  /**
   * A delete requires a one-time password. The verb `delete` requests it (`otp()`) immediately before its request and
   * sends it once, with an endpoint of semantics "guarded-delete".
   */
  readonly otpDelete?: true;
  /** Remedy for a delete that conflicts with the object's own content. */
  readonly emptiedBy?: "set-force-destroy";
  /**
   * The object runs a service, or work, which deleting or replacing it ends. `FieldOptions.interrupts` names the changes
   * in place that interrupt it.
   */
  readonly interrupts?: true;
  /** Traffic that the object lets through, for the review of planned changes. */
  readonly opens?: (values: State<F>) => readonly Opening[];
  /** Field with a public address, which is lost with the object. */
  readonly publicAddress?: keyof F & string;
  /** Other objects live in it: replacing it replaces them. */
  readonly contains?: true;
  /** Other objects are created from it, and cannot be created again without it. */
  readonly template?: true;
  /** Access that the object gives: rights of an account or a bucket, a secret, or a login to machines. */
  readonly grants?: "rights" | "secret" | "login";
  /** Sentence for plans that create the object: what is billed. */
  readonly billed?: string;
  /**
   * Work that a create starts and a delete cancels. Once its id is known, nothing fails the create: a failed status, a
   * deadline or an error is a warning, since a failed create would be replaced and so cancelled. The request that
   * cancels has the semantics "cancel". It is sent once: an accepted one proves the object gone, whatever a read shows,
   * and after an ambiguous response reads decide.
   * Adds the field `keepWhenGone`.
   */
  readonly work?: Work<keyof F & string>;
  /**
   * The object exists in the state only: the response to the create is the whole object (`Receipt.values`). Read and
   * delete send nothing; there is no import, no identity, no listing and no search.
   */
  readonly stateOnly?: true;
  /**
   * Settings of the provider that the requests need. The plan of a create without one of them has a problem; without
   * `objectKeys` a warning, since they may be created by the same run.
   */
  readonly requires?: readonly ("accountId" | "objectKeys" | "user")[];
}

const region = field(
  z.optional(z.string()),
  "Region, such as `In-Bangalore-1`. Default: the region of the provider.",
  { computed: true },
);

/** Field that every regional definition has in addition to its own. */
export type Region = { readonly region: typeof region };

/** Fields of a definition, with `region` if it is regional. */
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
  `All tags: those of the object and ${attributeCode("defaultTags")} of the provider.`,
);

/**
 * Fields of a resource with those that follow from its options: `region`, `deletionProtection` with
 * `holdsData`, `keepWhenGone` with `work`, `tagsAll` with `tags`.
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

/** Definition of a resource as engine and adapters use it, without the exact types of its fields. */
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
 * Defines a resource that exists in the state only, in two calls: the contract, then the request whose response is the
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
 * Changes of one released version of a definition to the version before, in the names of the definition.
 * States of every released version are read.
 */
export interface Upgrade {
  /** New name of a field by its old name. Dots lead into groups: `size: "bootVolume.sizeGb"`. */
  readonly renamed?: { readonly [from: string]: string };
  /** New value by the new name of a field, as a function of the old value. Not called for null. */
  readonly changed?: { readonly [name: string]: (value: NonNullable<Plain>) => Plain };
}

/** Fields that select a listing: the parents, which are required, and the region, which is optional. */
export function scopeFields({ fields, parents = [], listedIn = parents, regional }: Resource): Fields {
  const names = [...listedIn, ...(regional === false ? [] : ["region"])];
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

/** Returns true if a listing shows new objects of this kind. */
export const listsNew = ({ verbs, visibleThrough }: Resource): boolean =>
  verbs.list !== undefined && visibleThrough === undefined;

/**
 * Returns true if the user or a parent determines the id, as that of a bucket policy: a later object can have the id of an
 * earlier one.
 */
export const hasGivenId = ({ idField, sameBy }: Resource): boolean =>
  idField !== undefined || sameBy !== undefined;

/**
 * Returns true if only the create response shows a part of the object: after a lost response such an object is of no
 * use (docs/reliability.md#3.5).
 */
export const hasShownOnce = ({ fields }: Resource): boolean => Object.values(fields).some(isShownOnce);
