import type { Held } from "../../core/error.ts";
import { snakeCase, terraformType } from "../../core/name.ts";
import { isRecord, type Plain, type Values } from "../../core/value.ts";
import type { Resource } from "../../definition/resource.ts";
import type { Shape } from "../../definition/shape.ts";
import { relocated, type Stored } from "../../definition/upgrade.ts";
import { firstSeen } from "../../engine/import/import.ts";
import { RefusalError } from "../codec/diagnostic.ts";
import { type ObjectShape, resourceShape } from "../codec/schema.ts";
import { decodeJson } from "../codec/value.ts";

/**
 * `moved` from the older provider of this cloud: its types are known by their endings, since they begin with a name of
 * its own, and its states by the attributes that each has (contract 19). What it kept of what the cloud never shows is
 * taken over; the rest is read.
 */

/** What the older provider kept of a resource: under which names, where they are not ours. */
interface Source {
  /** How its type ends. */
  readonly suffix: string;
  /** What every state of it has: the type of another provider may end alike. */
  readonly due: readonly string[];
  /** Its names, by ours. */
  readonly renamed?: { readonly [from: string]: string };
}

const sources: { readonly [noun: string]: Source | undefined } = {
  vpc: {
    suffix: "_vpc",
    due: ["region", "name", "network_name"],
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
  subnet: { suffix: "_subnet", due: ["region", "vpc_id", "network_id", "name", "cidr", "gateway_ip"] },
  instance: {
    suffix: "_instance",
    due: ["region", "name", "instance_type", "volume_type", "volume_name"],
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
    due: ["region", "name", "vpc_id"],
    renamed: { floating_ip: "address" },
  },
  "security-group": { suffix: "_security_group", due: ["region", "name", "vpc_id"] },
  "security-group-rule": {
    suffix: "_security_group_rule",
    due: ["region", "security_group_id", "vpc_id", "direction", "ethertype", "protocol"],
    renamed: { port_min_range: "port_range_min", port_max_range: "port_range_max" },
  },
  "ssh-key": {
    suffix: "_sshkey",
    due: ["region", "key_name", "public_key"],
    renamed: { key_name: "name" },
  },
  volume: {
    suffix: "_volume",
    due: ["name", "size", "volume_type", "k_tenant_id"],
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

/** The object of a state that another provider left. Throws `RefusalError` for what cannot be one of this resource. */
export function movedObject(resource: Resource, type: string, stored: Stored): Held {
  const { name: noun, parents = [] } = resource;
  const source = sources[noun];
  const target = terraformType(noun);
  const refuse = (why: string) =>
    new RefusalError("Not movable", `A ${type} cannot be moved to a ${target}: ${why}.`);
  if (source === undefined) throw refuse("no other provider's state is known for it");
  if (!type.endsWith(source.suffix)) throw refuse(`only a type that ends in ${source.suffix} can`);
  const lacking = [...source.due, "id"].filter((name) => !isGiven(stored[name]));
  if (lacking.length > 0) throw refuse(`its state has no ${lacking.join(", ")}`);
  const shape = resourceShape(resource);
  const known = valuesOf(
    relocated(stored, source.renamed ?? {}, (name) => name),
    shape,
  );
  const homeless = parents.filter((parent) => known[parent] === null).map(snakeCase);
  if (homeless.length > 0)
    throw refuse(
      `its state has no ${homeless.join(", ")}, by which it is found; import it by ${parents.map(snakeCase).join(",")},id`,
    );
  const { id, timeouts: _, ...values } = known;
  return firstSeen(resource, idOf(noun, String(id)), values, values);
}

/** A key is deleted by the last part of its KRN (contract 1.4), which is its id here. */
const idOf = (noun: string, id: string): string => (noun === "ssh-key" ? (id.split(":").at(-1) ?? id) : id);

/** The values of a foreign state in our shape. */
function valuesOf(stored: Stored, { fields }: ObjectShape): Values {
  const fit = Object.entries(fields).map(([name, { shape }]) => {
    const wire = snakeCase(name);
    return [wire, fitted(stored[wire], shape)];
  });
  const json = Buffer.from(JSON.stringify(Object.fromEntries(fit)));
  const values = decodeJson(json, { kind: "object", fields });
  return isRecord(values) ? values : {};
}

/**
 * Another provider may write a number as a text, or none as an empty one. A group that lacks what it cannot be without
 * is none.
 */
function fitted(value: Plain | undefined, shape: Shape): Plain {
  if (value === undefined || value === null || value === "") return null;
  if (shape.kind === "string" && typeof value === "number") return String(value);
  if (shape.kind !== "object" || typeof value !== "object") return value;
  const given = value as Stored;
  const due = Object.entries(shape.fields).filter(([, { required }]) => required);
  return due.every(([name]) => isGiven(given[snakeCase(name)])) ? emptied(given) : null;
}

const emptied = (given: Stored): Plain =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value === "" ? null : value]));
