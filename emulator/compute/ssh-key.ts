import * as z from "zod";
import { refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import { catalogueKey } from "../model/catalogue.ts";
import { type Cloud, deleteResource, existing, listed, newResource } from "../model/cloud.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { count, optionalText, page, region, text } from "../model/schema.ts";
import { uuidOf } from "../state/id.ts";
import type { Resource } from "../state/store.ts";

export type SshKey = Resource & { readonly publicKey: string };

const sshKeyModel = (cloud: Cloud) => cloud.store.model<SshKey>("ssh_key");

/** Returns the created keys of a region, preceded by the catalogue's key; without a region, the created keys of all regions. */
function keysOf({ settings }: Cloud, created: readonly SshKey[], place: string | undefined): SshKey[] {
  const inRegion = created.filter((key) => place === undefined || key.region === place);
  return [...(place === undefined ? [] : [catalogueKey(settings, place)]), ...inRegion];
}

/** Returns the key of a name, as instances refer to it (docs/contract.md#6); else 404. */
export function requireSshKey(cloud: Cloud, name: string, place: string): SshKey {
  const key = keysOf(cloud, existing(cloud, sshKeyModel(cloud).all()), place).find(
    (resource) => resource.name === name,
  );
  if (!key) throw new Refusal(404, `SSH key ${name} not found`);
  return key;
}

const renderSshKey = (key: SshKey) => ({
  _id: key.krn,
  uuid: uuidOf(key.krn),
  keyName: key.name,
  publicKey: key.publicKey,
  region: key.region,
});

/** Validates the customer header when present; sources disagree about it (docs/contract.md#16). */
function checkCustomer(cloud: Cloud, customer: string | undefined): void {
  if (customer === undefined && cloud.decide("sshKeyNeedsCustomer"))
    throw new Refusal(400, "header k-customer-id: required");
  if (customer !== undefined && customer !== cloud.settings.customer)
    throw new Refusal(403, "header k-customer-id: another account's");
}

const customerHeader = { "k-customer-id": text.optional() };
const regionalOfCustomer = z.object({ "x-region": region, ...customerHeader });
const publicKey = text.regex(
  /^(ssh-(rsa|dss|ed25519)|ecdsa-sha2-nistp(256|384|521)|sk-[a-z0-9@.-]+) [A-Za-z0-9+/]+={0,2}(\s.*)?$/,
  "must be an OpenSSH public key such as ssh-ed25519 AAAA...",
);

const createSshKey = operation({
  name: "create_ssh_key",
  method: "POST",
  path: "/v2/sshkeys",
  section: "4",
  source: "client",
  headers: regionalOfCustomer,
  body: z.strictObject({ keyName: text, publicKey }),
  handle(cloud, { headers, body }) {
    checkCustomer(cloud, headers["k-customer-id"]);
    refuseByName(body.keyName);
    const place = headers["x-region"];
    const existingKeys = keysOf(cloud, existing(cloud, sshKeyModel(cloud).all()), place);
    // Instances refer to keys by name, so names are unique regardless of `equalNames` (docs/contract.md#4).
    if (existingKeys.some((key) => key.name === body.keyName))
      throw new Refusal(409, `SSH key ${body.keyName} already exists`);
    const key = sshKeyModel(cloud).insert({
      ...newResource(cloud, "ssh", "sshkey", place),
      name: body.keyName,
      parents: [],
      publicKey: body.publicKey,
    });
    return { status: 201, body: renderSshKey(key) };
  },
});

const listSshKeys = operation({
  name: "list_ssh_keys",
  method: "GET",
  path: "/v2/sshkeys/{customer}",
  section: "4",
  source: "client",
  headers: regionalOfCustomer,
  query: z.strictObject({
    sortBy: z.literal("createdAt").optional(),
    sortOrder: z.enum(["asc", "desc"]).default("desc"),
    page: count.optional(),
    limit: count.optional(),
  }),
  handle(cloud, { headers, query, path }) {
    checkCustomer(cloud, path.customer);
    checkCustomer(cloud, headers["k-customer-id"]);
    const keys = keysOf(cloud, listed(cloud, sshKeyModel(cloud).all()), headers["x-region"]);
    if (query.sortOrder === "desc") keys.reverse();
    return {
      status: 200,
      body: { sshKeys: page(keys, { page: query.page, size: query.limit }).rows.map(renderSshKey) },
    };
  },
});

const searchSshKeys = operation({
  name: "search_ssh_keys",
  method: "GET",
  path: "/v2/sshkeys/search",
  section: "4",
  source: "client",
  headers: z.object({ "x-region": region.optional(), ...customerHeader }),
  query: z.strictObject({ keyName: optionalText }),
  handle(cloud, { headers, query }) {
    const keys = keysOf(cloud, listed(cloud, sshKeyModel(cloud).all()), headers["x-region"]);
    const matching = keys.filter((key) => key.name.includes(query.keyName ?? ""));
    return { status: 200, body: { sshKeys: matching.map(renderSshKey) } };
  },
});

const deleteSshKey = operation({
  name: "delete_ssh_key",
  method: "DELETE",
  path: "/v2/sshkeys/{uuid}",
  section: "4",
  source: "client",
  headers: regionalOfCustomer,
  handle(cloud, { headers, path: { uuid } }) {
    checkCustomer(cloud, headers["k-customer-id"]);
    if (uuid.includes(":")) throw new Refusal(400, "uuid: must be the bare UUID, not a KRN");
    const place = headers["x-region"];
    if (uuid === uuidOf(catalogueKey(cloud.settings, place).krn))
      throw new Refusal(403, `SSH key ${catalogueKey(cloud.settings, place).name} belongs to the catalogue`);
    const key = existing(cloud, sshKeyModel(cloud).all()).find((resource) => uuidOf(resource.krn) === uuid);
    if (key?.region !== place) throw new Refusal(404, `SSH key ${uuid} not found`);
    deleteResource(cloud, key, 0);
    return { status: 204 };
  },
});

/** SSH keys of the account. */
export const sshKeyKind: ResourceKind = {
  name: "ssh_key",
  operations: [createSshKey, listSshKeys, searchSshKeys, deleteSshKey],
};
