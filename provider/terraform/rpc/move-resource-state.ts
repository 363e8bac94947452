import { snakeCase, terraformType } from "../../core/name.ts";
import type { ResourceState } from "../../core/state.ts";
import { isRecord, type Plain, type Values } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";
import type { ObjectShape, Shape } from "../../definition/shape.ts";
import { relocated, type Stored } from "../../definition/upgrade.ts";
import { importedState } from "../../engine/import/import.ts";
import { DiagnosticError } from "../codec/diagnostic.ts";
import { identityOf } from "../codec/identity.ts";
import { resourceShape } from "../codec/schema.ts";
import { encodePrivate, fromState, parseStored } from "../codec/state.ts";
import { decodeJson, encode } from "../codec/value.ts";
import type { MoveResourceState_Request, MoveResourceState_Response } from "../tfplugin6/tfplugin6.ts";

/**
 * `moved` blocks from the older provider of this cloud (docs/contract.md#19). Its types are recognized by their suffix,
 * since the prefix is the name of that provider, and its states by their required attributes. Values that the API never
 * returns are copied from the state of that provider; a refresh reads the others.
 */

/** State of a resource in the older provider. */
interface MoveSource {
  /** Suffix of the type. */
  readonly suffix: string;
  /** Attributes that every state of the type has: types of other providers may have the same suffix. */
  readonly required: readonly string[];
  /** Paths of this provider by attribute names of the older one. */
  readonly renamed?: { readonly [from: string]: string };
}

const sources: { readonly [name: string]: MoveSource | undefined } = {
  vpc: {
    suffix: "_vpc",
    required: ["region", "name", "network_name"],
    renamed: {
      subnet_name: "primary_subnet.name",
      cidr: "primary_subnet.cidr",
      gateway_ip: "primary_subnet.gateway_ip",
      subnet_description: "primary_subnet.description",
      ingress: "primary_subnet.ingress",
      egress: "primary_subnet.egress",
      subnet_id: "primary_subnet.id",
    },
  },
  subnet: { suffix: "_subnet", required: ["region", "vpc_id", "network_id", "name", "cidr", "gateway_ip"] },
  instance: {
    suffix: "_instance",
    required: ["region", "name", "instance_type", "volume_type", "volume_name"],
    renamed: {
      image_krn: "boot_volume.image_krn",
      volume_name: "boot_volume.name",
      volume_size: "boot_volume.size_gb",
      volume_type: "boot_volume.volume_type",
      user_data: "user_data_base64",
    },
  },
  "floating-ip": {
    suffix: "_floating_ip",
    required: ["region", "name", "vpc_id"],
    renamed: { floating_ip: "address" },
  },
  "security-group": { suffix: "_security_group", required: ["region", "name", "vpc_id"] },
  "security-group-rule": {
    suffix: "_security_group_rule",
    required: ["region", "security_group_id", "vpc_id", "direction", "ethertype", "protocol"],
    renamed: { port_min_range: "port_range_min", port_max_range: "port_range_max" },
  },
  "ssh-key": {
    suffix: "_sshkey",
    required: ["region", "key_name", "public_key"],
    renamed: { key_name: "name" },
  },
  volume: {
    suffix: "_volume",
    required: ["name", "size", "volume_type", "k_tenant_id"],
    renamed: {
      size: "size_gb",
      k_tenant_id: "vpc_id",
      source_id: "source.id",
      source_type: "source.type",
      metadata_environment: "metadata.environment",
      metadata_team: "metadata.team",
    },
  },
};

const isGiven = (value: Plain | undefined): boolean => value !== undefined && value !== null && value !== "";

/** Converts the state of an object of the older provider to a state of this resource. */
export function moveResourceState(
  resource: Resource,
  { sourceTypeName = "", sourceState }: MoveResourceState_Request,
): MoveResourceState_Response {
  const state = movedState(resource, sourceTypeName, parseStored(sourceState));
  const values = fromState(state, null);
  return {
    targetState: encode(values, resourceShape(resource)),
    targetPrivate: encodePrivate(state),
    targetIdentity: identityOf(resource, values),
  };
}

/** Converts the state of the older provider. Throws `DiagnosticError` if it is not one of this resource kind. */
function movedState(resource: Resource, type: string, stored: Stored): ResourceState {
  const { name, parents = [] } = resource;
  const source = sources[name];
  const target = terraformType(name);
  const refuse = (why: string) =>
    new DiagnosticError("Unsupported move", `A ${type} cannot be moved to a ${target}: ${why}.`);
  if (source === undefined) throw refuse("moves to this type are not supported");
  if (!type.endsWith(source.suffix)) throw refuse(`only a type that ends in ${source.suffix} can`);
  const lacking = [...source.required, "id"].filter((name) => !isGiven(stored[name]));
  if (lacking.length > 0) throw refuse(`its state has no ${lacking.join(", ")}`);
  const shape = resourceShape(resource);
  const known = valuesOf(
    relocated(stored, source.renamed ?? {}, (name) => name),
    shape,
  );
  const missingParents = parents.filter((parent) => known[parent] === null).map(snakeCase);
  if (missingParents.length > 0)
    throw refuse(
      `its state has no ${missingParents.join(", ")}, by which it is found; import it by ${parents.map(snakeCase).join(",")},id`,
    );
  const { id, timeouts: _, ...values } = known;
  return importedState(resource, idOf(name, String(id)), values, values);
}

/** Returns the id of an object: for an SSH key the last part of its KRN, which the delete uses (docs/contract.md#1.4). */
const idOf = (name: string, id: string): string => (name === "ssh-key" ? (id.split(":").at(-1) ?? id) : id);

/** Returns the values of the older state in the shape of this resource. */
function valuesOf(stored: Stored, { fields }: ObjectShape): Values {
  const coercedEntries = Object.entries(fields).map(([name, { shape }]) => {
    const wire = snakeCase(name);
    return [wire, coerced(stored[wire], shape)];
  });
  const json = Buffer.from(JSON.stringify(Object.fromEntries(coercedEntries)));
  const values = decodeJson(json, { kind: "object", fields });
  return isRecord(values) ? values : {};
}

/**
 * Converts a value of the older provider, which stores some numbers as text and null as empty text. Returns null for a
 * group without its required fields.
 */
function coerced(value: Plain | undefined, shape: Shape): Plain {
  if (value === undefined || value === null || value === "") return null;
  if (shape.kind === "string" && typeof value === "number") return String(value);
  if (shape.kind !== "object" || typeof value !== "object") return value;
  const stored = value as Stored;
  const required = Object.entries(shape.fields).filter(([, { required }]) => required);
  return required.every(([name]) => isGiven(stored[snakeCase(name)])) ? emptyTextAsNull(stored) : null;
}

const emptyTextAsNull = (stored: Stored): Plain =>
  Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, value === "" ? null : value]));
