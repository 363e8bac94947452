import * as z from "zod/mini";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint } from "../../provider/definition/endpoint.ts";
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

const list = endpoint("read", "GET /kos/v1/access_keys", z.array(key), storage);

/** Lists every access key of the account, in all regions. */
export const listAccessKeys = (api: Api) => api.send(list);
