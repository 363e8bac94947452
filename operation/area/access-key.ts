import * as z from "zod/mini";
import { maybeText } from "../../provider/definition/validator.ts";
import { accessKeyList, accessKeyRoutes, deleteAllKeys } from "../../resources/wire/access-key.ts";
import { toTier } from "../../resources/wire/bucket.ts";
import { operation } from "../operation.ts";
import { messageFields, optionalText, requiredText } from "../parameter.ts";

const section = "9.2";

const listedKey = { created_date: maybeText, created_at: maybeText, region: maybeText };

/** Operations of the access keys of the object storage. */
export const accessKey = {
  listAccessKeys: operation(accessKeyList, {
    section,
    about: "Lists the access keys of the account, without their secrets.",
    // The spelling of the documents, or that of an older client (docs/contract.md#16).
    answer: z.array(
      z.union([
        z.object({ access_key: z.string(), ...listedKey }),
        z.object({ access_key_id: z.string(), ...listedKey }),
      ]),
    ),
    listing: { rows: [] },
  }),
  createAccessKey: operation(accessKeyRoutes.create, {
    section,
    about: "Creates an access key and returns its secret, which no later response has.",
    parameters: { keyName: requiredText("Name of the access key.") },
    request: ({ keyName }, { region }) => ({
      headers: toTier(region, undefined),
      body: { key_name: keyName, region },
    }),
    also: messageFields,
  }),
  deleteAccessKey: operation(accessKeyRoutes.delete, {
    section,
    about: "Deletes an access key, with a one-time password.",
    parameters: {
      accessKey: requiredText("Access key."),
      otp: optionalText(
        "One-time password. Default: a password of the settings of the client, as of `otpCommand`.",
        { secret: true },
      ),
    },
    request: ({ accessKey, otp }, { region }) => ({
      path: { key: accessKey },
      headers: toTier(region, undefined),
      ...(otp === undefined ? {} : { body: { otp } }),
    }),
  }),
  deleteAllAccessKeys: operation(deleteAllKeys, {
    section,
    about: "Deletes every access key of the account, including those of other users.",
  }),
};
