import * as z from "zod/mini";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint } from "../../provider/definition/endpoint.ts";
import { maybeText } from "../../provider/definition/validator.ts";
import { storage } from "./bucket.ts";

/** Access keys as the API lists them (docs/contract.md#9.2). */

const key = z.object({
  access_key: z.string(),
  created_date: maybeText,
  region: maybeText,
});

const list = endpoint("read", "GET /kos/v1/access_keys", z.array(key), storage);

/** Lists every access key of the account, in all regions. */
export const listAccessKeys = (api: Api) => api.send(list);
