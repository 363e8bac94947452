import * as z from "zod/mini";
import { sameText } from "../provider/core/string.ts";
import { attribute } from "../provider/core/wording.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineLookup } from "../provider/definition/function.ts";
import { text } from "../provider/definition/validator.ts";
import { listKeys } from "../resources/wire/ssh-key-list.ts";

const row = {
  id: z.string(),
  name: z.string(),
  publicKey: z.optional(z.string()),
  krn: z.optional(z.string()),
};

/** Lookup of the SSH keys of a region, filtered by a name if one is given. */
export const sshKeys = defineLookup({
  name: "ssh-keys",
  about: `Lists the SSH keys of a region. The cloud lists them by customer: see the setting ${attribute("customerId")}.`,
  fields: {
    name: field(z.optional(text), "Only those with this name."),
    sshKeys: computed(z.array(z.object(row)), "The SSH keys, in the cloud's order."),
  },
})(async ({ api, region, inputs: { name }, share }) => {
  const all = await share("ssh keys", () => listKeys(api, region));
  return { sshKeys: all.filter((key) => name === undefined || sameText(key.name, name)) };
});
