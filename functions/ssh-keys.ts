import * as z from "zod/mini";
import { sameText } from "../provider/core/string.ts";
import { attributeCode, wording } from "../provider/core/wording.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineLookup } from "../provider/definition/function.ts";
import { described } from "../provider/definition/shape.ts";
import { text } from "../provider/definition/validator.ts";
import { listKeys } from "../resources/wire/ssh-key-list.ts";

const row = {
  id: described(z.string(), "ID of the SSH key."),
  name: described(z.string(), "Name of the SSH key."),
  publicKey: described(z.optional(z.string()), "Public key in OpenSSH format."),
  krn: described(z.optional(z.string()), "KRN of the SSH key."),
};

/** Lookup of the SSH keys of a region, filtered by a name if one is given. */
export const sshKeys = defineLookup({
  name: "ssh-keys",
  category: "compute",
  about: wording`Lists the SSH keys of a region that belong to the customer of the provider (${attributeCode("customerId")}).`,
  fields: {
    name: field(z.optional(text), "Returns only SSH keys with this name."),
    sshKeys: computed(z.array(z.object(row)), "SSH keys, in the order of the API."),
  },
})(async ({ api, region, inputs: { name }, share }) => {
  const all = await share("ssh keys", () => listKeys(api, region));
  return { sshKeys: all.filter((key) => name === undefined || sameText(key.name, name)) };
});
