import * as z from "zod/mini";
import { InputError } from "../provider/core/error.ts";
import { field } from "../provider/definition/field.ts";
import { defineFunction } from "../provider/definition/function.ts";
import { text } from "../provider/definition/validator.ts";

const parts = ["service", "region", "account", "customer", "type", "uuid"] as const;

/**
 * Builds a full id in the layout of seven parts (docs/contract.md#1.4). Throws `InputError` for a part that is empty or
 * contains a colon.
 */
export function buildId(inputs: { readonly [K in (typeof parts)[number]]: string }): string {
  const wrong = parts.filter((name) => inputs[name] === "" || inputs[name].includes(":"));
  if (wrong.length > 0)
    throw new InputError(
      wrong.map((name) => ({ path: [name], problem: "must not be empty and must not contain a colon" })),
    );
  return ["krn", ...parts.map((name) => inputs[name])].join(":");
}

/** Definition of `buildId` for the adapters. */
export const buildIdFunction = defineFunction({
  name: "build-id",
  category: "provider",
  about: "Builds a full ID (KRN) from its parts.",
  fields: {
    service: field(text, "Service, such as `vpc`, `vm` or `kbs`."),
    region: field(text, "Region, such as `In-Bangalore-1`."),
    account: field(text, "ID of the account."),
    customer: field(text, "ID of the customer."),
    type: field(text, "Kind of the object, such as `instance`."),
    uuid: field(text, "ID of the object within its kind."),
  },
  result: z.string(),
})(buildId);
