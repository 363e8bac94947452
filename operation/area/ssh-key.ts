import * as z from "zod/mini";
import { InputError } from "../../provider/core/error.ts";
import { field } from "../../provider/definition/field.ts";
import { text } from "../../provider/definition/validator.ts";
import { isPublicKey, normalizedKey } from "../../resources/wire/ssh-key.ts";
import { list, search, sshKeyRoutes } from "../../resources/wire/ssh-key-list.ts";
import { operation } from "../operation.ts";
import { limit, optionalText, page, requiredText } from "../parameter.ts";

const section = "4";

/** Operations of SSH keys. */
export const sshKey = {
  createSshKey: operation(sshKeyRoutes.create, {
    section,
    about: "Uploads the public key of an SSH key pair.",
    parameters: {
      keyName: requiredText("Name of the key, by which instances refer to it."),
      publicKey: field(
        z
          .string()
          .check(z.refine(isPublicKey, { error: "must be a public key in OpenSSH format, on one line" })),
        "Public key in OpenSSH format, such as `ssh-ed25519 AAAA…`.",
      ),
    },
    request: ({ keyName, publicKey }) => ({ body: { keyName, publicKey: normalizedKey(publicKey) } }),
  }),
  listSshKeys: operation(list, {
    section,
    about: "Lists the SSH keys of a customer, in pages.",
    parameters: {
      customerId: field(
        z.optional(text),
        "ID of the customer, a UUID. Default: the one of the client, or of the KRNs in responses.",
      ),
      sortBy: optionalText("Field by which the keys are sorted, such as `createdAt`."),
      sortOrder: field(z.optional(z.enum(["asc", "desc"])), "Order of the keys."),
      page,
      limit,
    },
    request({ customerId, ...query }, context) {
      const customer = customerId ?? context.customer;
      if (customer !== undefined) return { path: { customer }, query };
      const problem = "is required: no setting and no response has the ID of the customer";
      throw new InputError([{ path: ["customerId"], problem }]);
    },
    listing: { rows: ["sshKeys"], page: { number: "page" }, size: "limit" },
  }),
  searchSshKeys: operation(search, {
    section,
    about: "Lists the SSH keys whose name contains a text.",
    parameters: { keyName: optionalText("Part of the name.") },
    request: (query) => ({ query }),
    listing: { rows: ["sshKeys"] },
  }),
  deleteSshKey: operation(sshKeyRoutes.delete, {
    section,
    about: "Deletes an SSH key.",
    parameters: { uuid: requiredText("UUID of the key: the field `uuid`, not the KRN.") },
    request: ({ uuid }) => ({ path: { key: uuid } }),
  }),
};
