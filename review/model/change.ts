import type { Path, Values } from "../../provider/core/value.ts";
import type { Words } from "../../provider/core/wording.ts";
import type { Resource } from "../../provider/definition/resource.ts";

/** Engine that made a plan; "unknown" for an input that cannot be reviewed. */
export type EngineName = "terraform" | "opentofu" | "pulumi" | "unknown";

/** Names of the engines in texts. */
export const productOf = {
  terraform: "Terraform",
  opentofu: "OpenTofu",
  pulumi: "Pulumi",
  unknown: "Unknown",
} as const satisfies Record<EngineName, string>;

/** Returns the engine whose terms texts about the objects of an engine have. */
export const wordsOf = (engine: EngineName | undefined): Words =>
  engine === "pulumi" ? "pulumi" : "terraform";

/**
 * Effect of a plan on one object. "forget" removes it from the state only; "read" is a data source or an ephemeral resource;
 * "none" is an unchanged object, which may still be moved or imported.
 */
export type Action = "create" | "update" | "replace" | "delete" | "forget" | "read" | "none";

/** Reason for an action other than a changed attribute. */
export type Cause =
  | "tainted"
  | "requested"
  | "triggered"
  | "not configured"
  | "fewer instances"
  | "other provider"
  | "deposed";

/** Line of a program or configuration that declares an object; the column is unknown. */
export interface Source {
  readonly file: string;
  readonly line: number;
}

/** Object to whose value an expression refers, and the attribute if the plan shows it. */
export interface Origin {
  readonly address: string;
  readonly attribute?: string | undefined;
}

/** Planned effect on one object, the same for every engine. */
export interface Change {
  /** Name of the input that the change was read from. */
  readonly plan: string;
  readonly engine: EngineName;
  /**
   * Terraform address, or for Pulumi the URN after its project, with the types of the parents: `kcloud:index:Volume::data`,
   * `shop:index:Team$kcloud:index:Volume::data`.
   */
  readonly address: string;
  /** Type as the engine writes it. */
  readonly type: string;
  /** Definition of the resource; undefined for types of other providers. */
  readonly resource: Resource | undefined;
  /** Source of the provider of an object of this package's types, if it is not the source of this package. */
  readonly foreignSource?: string | undefined;
  readonly action: Action;
  /** Order of a replacement. */
  readonly order?: "create first" | "delete first" | undefined;
  readonly cause?: Cause | undefined;
  /** Name of the object in the cloud. */
  readonly name: string | undefined;
  /** Identifier in the cloud; undefined while the object does not exist. */
  readonly id: string | undefined;
  /**
   * Values of the object by the names of the definition, or of the engine for other providers; undefined if the object does not
   * exist at that time. Sensitive values are marked as secret.
   */
  readonly before: Values | undefined;
  readonly after: Values | undefined;
  /** Paths that force the replacement, as the engine names them. */
  readonly forcedBy: readonly Path[];
  /** Paths that the engine reports as changed. Needed because masked sensitive values look equal before and after. */
  readonly changedPaths?: readonly Path[];
  /**
   * Paths of planned values that look like secrets and that the input does not mark; in `before` and `after` they are marked.
   */
  readonly unmarkedSecrets?: readonly Path[];
  /** Address before a move. */
  readonly previousAddress?: string | undefined;
  /** Identifier of an import. */
  readonly importedId?: string | undefined;
  /** Set for the old object of an interrupted replacement. */
  readonly isDeposed?: true | undefined;
  /** Configuration of the provider that manages the object: a key of the configuration, or the address of a provider of Pulumi. */
  readonly provider?: string | undefined;
  /** Configured attributes whose values no plan holds, because the engine does not store them. */
  readonly writeOnly?: readonly string[] | undefined;
  /** Set if the engine rejects a delete of the object. */
  readonly isProtected?: true;
  /** Set if the change ends the protection of the object by the engine, or that a delete keeps it in the cloud. */
  readonly unprotects?: true;
  /** Addresses of the objects that this one depends on, as declared by the configuration or the program. */
  readonly dependsOn: readonly string[];
  /**
   * Returns the objects to which the expression of an attribute refers, none if it is not configured; undefined if the input
   * does not show all of them, as behind a local value.
   */
  readonly originsOf?: (attribute: string) => readonly Origin[] | undefined;
  /** Components or modules that the object belongs to, outermost first. */
  readonly parents: readonly string[];
  readonly source?: Source;
  /** Change as it was read, if rules see its sensitive values without their marks. */
  readonly asRead?: Change;
}

/** Returns the kind of the object: the name of its definition, or the type for another provider. */
export const kindOfChange = ({ resource, type }: Change): string => resource?.name ?? type;

/** Returns true if the change destroys the existing object. */
export const destroys = ({ action }: Change): boolean => action === "delete" || action === "replace";

/** Returns true if an object is created. */
export const creates = ({ action }: Change): boolean => action === "create" || action === "replace";

/** Returns true if the plan changes the object, in the cloud or in the state. */
export const isEffective = ({ action, previousAddress, importedId, unprotects }: Change): boolean =>
  (action !== "none" && action !== "read") ||
  previousAddress !== undefined ||
  importedId !== undefined ||
  unprotects === true;
