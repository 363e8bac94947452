import * as z from "zod/mini";
import { asRoot, asUser } from "../../provider/client/auth/sign-in.ts";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { maybeText } from "../../provider/definition/validator.ts";
import { operation } from "../operation.ts";
import { messageFields, requiredText } from "../parameter.ts";

const section = "1.2";

const email = requiredText("E-mail address of the user.");
const password = requiredText("Password of the user.", { secret: true });
const accountId = requiredText("Number of the account.");

const asProgram = endpoint(
  "sign-in",
  "POST /iam/v1/signinProgrammaticUser",
  z.object({ token: maybeText, access_token: maybeText }),
  {
    region: false,
    anonymous: true,
    secrets: ["token", "access_token"],
    body: json<{ accountId: string; accessKey: string; secretKey: string }>(),
  },
);
const createKey = endpoint("create", "POST /iam/v1/apikey", z.object({ secretKey: z.string() }), {
  secrets: ["secretKey"],
  body: json<{ apiKeyName: string }>(),
});

/** Operations that return a credential. They do not change the credential of the client, which signs in by itself. */
export const signIn = {
  signInRoot: operation(asRoot, {
    section,
    about: "Signs in as the root user and returns an access token, which is valid for 5 minutes.",
    parameters: { email, password },
    request: (body) => ({ body }),
    also: messageFields,
  }),
  signInUser: operation(asUser, {
    section,
    about: "Signs in as a user of the account and returns an access token, which is valid for 5 minutes.",
    parameters: { email, password, accountId },
    request: (body) => ({ body }),
    also: messageFields,
  }),
  signInProgrammatic: operation(asProgram, {
    section,
    about: "Signs in with an access key of a user and returns an access token, which is valid for 5 minutes.",
    parameters: {
      accountId,
      accessKey: requiredText("Access key of the user."),
      secretKey: requiredText("Secret of the access key.", { secret: true }),
    },
    request: (body) => ({ body }),
  }),
  createApiKey: operation(createKey, {
    section,
    about: "Creates an API key, which only a client that signs in with email and password may do.",
    parameters: { apiKeyName: requiredText("Name of the API key.") },
    request: (body) => ({ body }),
  }),
};
