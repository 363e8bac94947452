import * as z from "zod/mini";
import { ConfigError } from "../../provider/core/error.ts";
import { inOtherRegion } from "../../provider/core/krn.ts";
import { sameText } from "../../provider/core/string.ts";
import { attribute, wording } from "../../provider/core/wording.ts";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { maybeText } from "../../provider/definition/validator.ts";
import { everyRow } from "./page.ts";
import { listVpcs } from "./vpc.ts";

/** SSH keys in responses of the API: by name, or all keys of a customer (docs/contract.md#4). */

/** Schema of the ids of a key in a response. */
export const keyIds = { _id: maybeText, uuid: maybeText };
const keys = z.object({
  sshKeys: z.array(z.object({ ...keyIds, keyName: z.string(), publicKey: maybeText })),
});

/** Option of routes that send `k-customer-id` if the customer is known (docs/contract.md#17.1). */
export const customer = { customer: true };
/** Route that finds keys by name. */
export const search = endpoint("read", "GET /v2/sshkeys/search", keys, customer);
/** Route that lists the keys of a customer. */
export const list = endpoint("read", "GET /v2/sshkeys/{customer}", keys, customer);

/** Returns the id of a key: a delete accepts only the last part of its KRN (docs/contract.md#1.4). */
export const keyId = ({ _id: krn, uuid }: { _id?: string | undefined; uuid?: string | undefined }) =>
  uuid ?? krn?.split(":").at(-1);

/** Converts the keys of a response to rows with the field names of the definition; leaves out those of other regions. */
const observed = ({ sshKeys }: z.infer<typeof keys>, region: string) =>
  sshKeys
    .filter(({ _id: krn = "" }) => !inOtherRegion(krn, region))
    .map(({ keyName: name, publicKey, ...ids }) => ({
      id: keyId(ids) ?? "",
      name,
      publicKey,
      krn: ids._id,
    }));

/** Finds the keys with this name, at most one. The API also returns keys whose name only contains the text. */
export async function findKeys(api: Api, region: string, name: string) {
  const found = observed(await api.send(search, { query: { keyName: name } }), region);
  return found.filter((key) => sameText(key.name, name)).map((key) => ({ ...key, region }));
}

/** Lists every key of a region. Throws `ConfigError` if the customer is unknown, since no other route lists keys. */
export async function listKeys(api: Api, region: string) {
  const id = await customerOf(api, region);
  const rows = await everyRow({
    route: list,
    what: "SSH keys",
    full: 10, // Default page size (docs/contract.md#4).
    async ask(page) {
      const { sshKeys } = await api.send(list, { path: { customer: id }, query: { page } });
      return { rows: sshKeys };
    },
    keyOf: (row) => row,
  });
  return observed({ sshKeys: rows ?? [] }, region);
}

/** Returns the customer's UUID. No route returns it; the KRN of a VPC contains it (docs/contract.md#1.4). */
async function customerOf(api: Api, region: string): Promise<string> {
  if (api.customer() === undefined) await listVpcs(api, region);
  const id = api.customer();
  if (id !== undefined) return id;
  const problem = wording`is required to list SSH keys: set ${attribute("customerId")} (or SERVICE_CUSTOMER_ID), the fifth part of any full KRN`;
  throw new ConfigError([{ path: ["customerId"], problem }]);
}

/** Routes of an SSH key. */
export const sshKeyRoutes = {
  create: endpoint("create", "POST /v2/sshkeys", z.object(keyIds), {
    ...customer,
    body: json<{ keyName: string; publicKey: string }>(),
  }),
  delete: endpoint("delete", "DELETE /v2/sshkeys/{key}", undefined, customer),
};
