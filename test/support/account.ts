import * as z from "zod/mini";
import { field, group } from "../../provider/definition/field.ts";
import { defineResource, type Resource } from "../../provider/definition/resource.ts";

/** Resource with secrets in a group of fields, which no resource of the provider has, and its in-memory API. */

const secret = { secret: true, unreadable: true } as const;

export interface Accounts {
  readonly account: Resource;
  /** The `login` values of each request. */
  readonly sent: object[];
}

export function openAccounts(): Accounts {
  const sent: object[] = [];
  const users = new Map<string, string | undefined>();
  const account = defineResource({
    name: "account",
    category: "identity",
    about: "Account of a user.",
    regional: false,
    timeouts: { create: 60, read: 60, update: 60, delete: 60 },
    fields: {
      name: field(z.string(), "Name of the account."),
      login: group(
        {
          user: field(z.string(), "Name of the user."),
          password: field(z.string().check(z.minLength(8)), "Password of the user.", {
            ...secret,
            change: "update",
          }),
          seed: field(z.optional(z.string()), "Seed of the one-time passwords.", secret),
        },
        "Credentials of the user.",
        { change: "update" },
      ),
    },
  })({
    async create({ inputs: { name, login } }) {
      sent.push(login);
      users.set(name, login.user);
      return { id: name };
    },
    read: async ({ id }) =>
      users.has(id) ? { name: id, login: { user: users.get(id) }, region: undefined } : undefined,
    async update({ inputs }) {
      sent.push(inputs.login);
    },
    async delete({ id }) {
      users.delete(id);
    },
  });
  return { account, sent };
}
