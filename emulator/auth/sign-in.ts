import * as z from "zod";
import { type OperationResponse, Refusal } from "../http/wire.ts";
import type { Cloud } from "../model/cloud.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { region, text } from "../model/schema.ts";
import { issueApiKey } from "./api-key.ts";
import { bearerOf } from "./auth.ts";
import { issueToken, tokenAge } from "./token.ts";

/** Response of both password sign-ins. With a second factor enabled it has no token (docs/contract.md#17.1). */
function signedIn(cloud: Cloud): OperationResponse {
  const { mfaEnabled } = cloud.settings.assume;
  const tokens =
    mfaEnabled === 0
      ? { access_token: issueToken(cloud), refresh_token: cloud.store.newUuid("refresh") }
      : { access_token: "", refresh_token: "" };
  return { status: 200, body: { message: "signed in", ...tokens, mfaEnabled } };
}

function checkPassword(cloud: Cloud, { email, password }: { email: string; password: string }): void {
  const { settings } = cloud;
  if (email !== settings.email || password !== settings.password)
    throw new Refusal(401, "wrong e-mail or password");
}

const signInRoot = operation({
  name: "sign_in_root",
  method: "POST",
  path: "/iam/v1/signInAsRootUser",
  section: "1.2",
  source: "seed",
  open: true,
  body: z.strictObject({ email: text, password: text }),
  handle(cloud, { body }) {
    checkPassword(cloud, body);
    return signedIn(cloud);
  },
});

const signInUser = operation({
  name: "sign_in_user",
  method: "POST",
  path: "/iam/v1/signInAsIAMUser",
  section: "1.2",
  source: "client",
  open: true,
  body: z.strictObject({ email: text, password: text, accountId: text }),
  handle(cloud, { body }) {
    if (body.accountId !== cloud.settings.account)
      throw new Refusal(401, "wrong account, e-mail or password");
    checkPassword(cloud, body);
    return signedIn(cloud);
  },
});

const signInProgrammatic = operation({
  name: "sign_in_programmatic",
  method: "POST",
  path: "/iam/v1/signinProgrammaticUser",
  section: "1.2",
  source: "client",
  open: true,
  body: z.strictObject({ accountId: text, accessKey: text, secretKey: text }),
  handle(cloud, { body }) {
    const { account, accessKey, secretKey, assume } = cloud.settings;
    if (body.accountId !== account || body.accessKey !== accessKey || body.secretKey !== secretKey)
      throw new Refusal(401, "wrong account, access key or secret key");
    return { status: 200, body: { [assume.programmaticToken]: issueToken(cloud) } };
  },
});

const createApiKey = operation({
  name: "create_api_key",
  method: "POST",
  path: "/iam/v1/apikey",
  section: "1.2",
  source: "client",
  headers: z.object({ "x-region": region, authorization: text }),
  body: z.strictObject({ apiKeyName: text }),
  handle(cloud, { headers, body }) {
    const credential = bearerOf(headers.authorization) ?? "";
    if (tokenAge(cloud.store, credential, cloud.now) === undefined)
      throw new Refusal(403, "an API key is created with an access token, not with an API key");
    return { status: 201, body: { secretKey: issueApiKey(cloud, body.apiKeyName, headers["x-region"]) } };
  },
});

/** Operations that issue credentials. */
export const signInKind: ResourceKind = {
  name: "sign_in",
  operations: [signInRoot, signInUser, signInProgrammatic, createApiKey],
};
