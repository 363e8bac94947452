import * as z from "zod/mini";
import { isOtherRegion } from "../provider/core/krn.ts";
import { attribute, attributeCode, wording } from "../provider/core/wording.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { text } from "../provider/definition/validator.ts";
import { isRecipientKey, sealed } from "./fields/recipient.ts";
import { listAccessKeys, accessKeyRoutes as routes } from "./wire/access-key.ts";
import { toTier } from "./wire/bucket.ts";
import { isPrivateKey } from "./wire/ssh-key.ts";

export const accessKey = defineResource({
  name: "access-key",
  category: "identity",
  about:
    "An access key of the object storage. Only the create returns its secret. Deleting it requires a one-time password.",
  otpDelete: true,
  grants: "secret",
  replaceReason: "Clients of the old key must switch to the new key before the old key is deleted.",
  requires: ["accountId"],
  timeouts: { create: 120, read: 120, update: 120, delete: 600 },
  fields: {
    name: field(text, "Name of the access key. The API never returns it.", {
      unreadable: true,
    }),
    recipientPublicKey: field(
      z.optional(
        z.string().check(
          // Accepts a private key, which the rule below rejects with an empty path: engines print the value at the path
          // of an error.
          z.refine((value) => isRecipientKey(value) || isPrivateKey(value), {
            error: "must be an RSA public key of at least 2048 bits in PEM (-----BEGIN PUBLIC KEY-----)",
          }),
        ),
      ),
      "RSA public key in PEM, at least 2048 bits, that encrypts the secret: the state then contains only the encrypted secret.",
      { unreadable: true },
    ),
    rotateWhenChanged: field(
      z.optional(z.record(z.string(), z.string())),
      "Arbitrary keys and values, such as a date: change them to rotate the key.",
      { unreadable: true },
    ),
    secretKey: computed(
      z.string(),
      wording`Secret of the access key. Null with ${attributeCode("recipientPublicKey")} and after an import.`,
      {
        secret: true,
        once: true,
      },
    ),
    encryptedSecretKey: computed(
      z.string(),
      wording`Secret encrypted with ${attributeCode("recipientPublicKey")}: RSA-OAEP with SHA-256, in Base64.`,
      { once: true },
    ),
    createdAt: computed(z.string(), "Creation time, as reported by the API."),
  },
  rules: [
    {
      needs: ["recipientPublicKey"],
      check: ({ recipientPublicKey }) =>
        recipientPublicKey !== undefined && isPrivateKey(recipientPublicKey)
          ? {
              path: [],
              problem: wording`${attribute("recipientPublicKey")}: contains a private key: set the public key instead`,
            }
          : undefined,
    },
  ],
})({
  whole: true,
  async list({ api, region }) {
    return (await listAccessKeys(api))
      .filter((key) => !isOtherRegion(key.region ?? "", region))
      .map((key) => ({ ...key, region }));
  },

  // The listing has no names, so a row cannot be recognized as the requested key.
  matches: () => false,

  async create({ api, region, inputs: { name, recipientPublicKey } }) {
    const { access_key: id, secret_key: secret } = await api.send(routes.create, {
      headers: toTier(region, undefined),
      body: { key_name: name, region },
    });
    return {
      id,
      once:
        recipientPublicKey === undefined
          ? { secretKey: secret }
          : { encryptedSecretKey: sealed(secret, recipientPublicKey) },
    };
  },

  async delete({ api, id, region, otp }) {
    const call = { path: { key: id }, headers: toTier(region, undefined) };
    const password = await otp();
    await api.send(routes.delete, password === undefined ? call : { ...call, body: { otp: password } });
  },
});
