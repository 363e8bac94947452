import * as z from "zod/mini";
import { InputError } from "../provider/core/error.ts";
import { field } from "../provider/definition/field.ts";
import { defineFunction } from "../provider/definition/function.ts";
import { described } from "../provider/definition/shape.ts";
import { text } from "../provider/definition/validator.ts";

/** Parts of a full id (docs/contract.md#1.4). For public images `account` and `customer` are `default`. */
export interface IdParts {
  readonly service: string;
  readonly region: string;
  readonly account: string;
  /** Missing in the compact layout. */
  readonly customer?: string;
  readonly type: string;
  readonly uuid: string;
}

/**
 * Splits a full id into its parts: `krn:<service>:<region>:<account>:<customer>:<type>:<uuid>`, or the compact layout
 * whose last part is `<type>/<uuid>`. Throws `InputError` for any other text.
 */
export function parseId(id: string): IdParts {
  const parts = id.split(":");
  const [scheme, ...rest] = parts;
  const whole = rest.every((part) => part !== "");
  if (scheme === "krn" && whole && rest.length === 6) {
    const [service = "", region = "", account = "", customer = "", type = "", uuid = ""] = rest;
    return { service, region, account, customer, type, uuid };
  }
  const [, service = "", region = "", account = "", last = ""] = rest;
  const [type = "", uuid = "", ...more] = last.split("/");
  if (scheme === "krn" && whole && rest.length === 5 && type !== "" && uuid !== "" && more.length === 0)
    return { service, region, account, type, uuid };
  const problem = "must be of the form krn:<service>:<region>:<account>:<customer>:<type>:<uuid>";
  throw new InputError([{ path: ["id"], problem }]);
}

/** Definition of `parseId` for the adapters. */
export const parseIdFunction = defineFunction({
  name: "parse-id",
  category: "provider",
  about: "Splits a full ID (KRN) into its parts.",
  fields: { id: field(text, "Full ID, such as `krn:vpc:In-Bangalore-1:1:2:vpc:3`.") },
  result: z.object({
    service: described(z.string(), "Service, such as `vpc`."),
    region: described(z.string(), "Region, such as `In-Bangalore-1`."),
    account: described(z.string(), "ID of the account."),
    customer: described(z.optional(z.string()), "ID of the customer; null for an ID in the compact layout."),
    type: described(z.string(), "Kind of the object, such as `instance`."),
    uuid: described(z.string(), "ID of the object within its kind."),
  }),
})(({ id }) => parseId(id));
