import * as z from "zod/mini";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { maybeText } from "../../provider/definition/validator.ts";
import { storage } from "./bucket.ts";

/** Access keys in listings of the API (docs/contract.md#9.2). */

const keyFacts = { created_date: maybeText, created_at: maybeText, region: maybeText };
/** Schema of a key in either spelling (docs/contract.md#16). */
const key = z.pipe(
  z.union([
    z.object({ ...keyFacts, access_key: z.string() }),
    z.object({ ...keyFacts, access_key_id: z.string() }),
  ]),
  z.transform((row) => ({
    id: "access_key" in row ? row.access_key : row.access_key_id,
    createdAt: row.created_date ?? row.created_at,
    region: row.region,
  })),
);

/** Route that lists the access keys of the account. */
export const accessKeyList = endpoint("read", "GET /kos/v1/access_keys", z.array(key), storage);

/** Lists every access key of the account, in all regions. */
export const listAccessKeys = (api: Api) => api.send(accessKeyList);

const createdKey = z.object({ access_key: z.string(), secret_key: z.string() });

/** Routes of an access key. */
export const accessKeyRoutes = {
  create: endpoint("create", "POST /kos/v1/access_keys", createdKey, {
    ...storage,
    secrets: ["secret_key"],
    body: json<{ key_name: string; region: string }>(),
  }),
  delete: endpoint("guarded-delete", "DELETE /kos/v1/access_keys/{key}", undefined, {
    ...storage,
    body: json<{ otp?: string }>(),
  }),
};

/** Route that deletes every access key of the account (docs/contract.md#9.2). */
export const deleteAllKeys = endpoint(
  "account-wide",
  "DELETE /internal/kos/v1/access_keys_all",
  undefined,
  storage,
);
