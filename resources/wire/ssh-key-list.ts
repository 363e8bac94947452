import * as z from "zod/mini";
import { ConfigError } from "../../provider/core/error.ts";
import { inOtherRegion } from "../../provider/core/krn.ts";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint } from "../../provider/definition/endpoint.ts";
import { maybeText } from "../../provider/definition/validator.ts";
import { listVpcs } from "./vpc.ts";

/** Keys as the cloud writes them: by their name, or all that a customer has (docs/contract.md#4). */

/** What an answer calls a key by. */
export const keyIds = { _id: maybeText, uuid: maybeText };
const keys = z.object({
  sshKeys: z.array(z.object({ ...keyIds, keyName: z.string(), publicKey: maybeText })),
});

/** `k-customer-id` goes along where it is known (docs/contract.md#17.1). */
export const customer = { customer: true };
const search = endpoint("read", "GET /v2/sshkeys/search", keys, customer);
const list = endpoint("read", "GET /v2/sshkeys/{customer}", keys, customer);

/** A delete takes no more than the last part of a KRN (docs/contract.md#1.4). */
export const keyId = ({ _id: krn, uuid }: { _id?: string | undefined; uuid?: string | undefined }) =>
  uuid ?? krn?.split(":").at(-1);

/** The keys of a region, in the definition's words. */
const observed = ({ sshKeys }: z.infer<typeof keys>, region: string) =>
  sshKeys
    .filter(({ _id: krn = "" }) => !inOtherRegion(krn, region))
    .map(({ keyName: name, publicKey, ...ids }) => ({
      id: keyId(ids) ?? "",
      name,
      publicKey,
      krn: ids._id,
    }));

/** The keys of a name, which is one at most: the cloud answers with those whose names hold it. */
export async function findKeys(api: Api, region: string, name: string) {
  const found = observed(await api.send(search, { query: { keyName: name } }), region);
  return found.filter((key) => key.name === name).map((key) => ({ ...key, region }));
}

/** Every key of a region. Throws `ConfigError` where the customer, by whom alone they are listed, is not known. */
export async function listKeys(api: Api, region: string) {
  const id = await customerOf(api, region);
  const rows = new Map<string, ReturnType<typeof observed>[number]>();
  // How large a page may be is not known, nor how many there are: an answer with nothing new ends it.
  for (let page = 1, before = -1; rows.size > before; page++) {
    before = rows.size;
    const answer = await api.send(list, { path: { customer: id }, query: { page } });
    for (const row of observed(answer, region)) rows.set(row.name, row);
  }
  return [...rows.values()];
}

/** No route tells who asks; the KRN of a VPC holds it (docs/contract.md#1.4). */
async function customerOf(api: Api, region: string): Promise<string> {
  if (api.customer() === undefined) await listVpcs(api, region);
  const id = api.customer();
  if (id !== undefined) return id;
  const problem =
    "is due to list SSH keys, and nothing has told it: set customer_id (or SERVICE_CUSTOMER_ID), the fifth part of any full KRN";
  throw new ConfigError([{ path: ["customerId"], problem }]);
}
