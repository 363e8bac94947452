import * as z from "zod/mini";
import { attributeCode, wording } from "../provider/core/wording.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineEphemeral } from "../provider/definition/function.ts";
import { text } from "../provider/definition/validator.ts";

/**
 * Ephemeral token from a sign-in (docs/contract.md#1.2). The token expires; no known route renews or revokes it.
 */
export const accessToken = defineEphemeral({
  name: "access-token",
  category: "provider",
  about: "A token for the API, obtained by a sign-in. It is valid for five minutes and stored in no state.",
  regional: false,
  fields: {
    email: field(
      z.optional(text),
      wording`Email of the user that signs in. Requires ${attributeCode("password")}. Default: the login of the provider.`,
    ),
    password: field(
      z.optional(text),
      wording`Password of the user that signs in. Requires ${attributeCode("email")}.`,
      { secret: true },
    ),
    accountId: field(
      z.optional(text),
      wording`ID of the account of the user. Requires ${attributeCode("email")}. Default: the user is a root user.`,
    ),
    token: computed(z.string(), "Token for the header `Authorization: Bearer`.", { secret: true }),
  },
  rules: [
    {
      needs: ["email", "password", "accountId"],
      check({ email, password, accountId }) {
        if (password !== undefined && email === undefined)
          return { path: ["email"], problem: "is required with a password" };
        if (email !== undefined && password === undefined)
          return { path: ["password"], problem: "is required with an email" };
        return accountId !== undefined && email === undefined
          ? { path: ["email"], problem: "is required with an account" }
          : undefined;
      },
    },
  ],
})({
  async open({ inputs: { email, password, accountId }, signIn }) {
    const hasCredentials = email !== undefined && password !== undefined;
    const login = hasCredentials ? { email, password, account: accountId } : undefined;
    return { values: { token: await signIn(login) } };
  },
});
