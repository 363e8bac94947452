import { constants, createPublicKey, publicEncrypt } from "node:crypto";
import * as z from "zod/mini";
import type { Api } from "../provider/client.ts";
import { endpoint } from "../provider/endpoint.ts";
import { maybe } from "../provider/type.ts";
import { storage } from "./bucket.wire.ts";

/** Access keys, as the cloud lists them (contract 9.2), and secrets for one recipient's eyes. */

const key = z.object({
  access_key: z.string(),
  created_date: maybe(z.string()),
  region: maybe(z.string()),
});

const list = endpoint("read", "GET /kos/v1/access_keys", z.array(key), storage);

/** Every key of the account, of all regions. */
export const listAccessKeys = (api: Api) => api.send(list);

/** SHA-256 takes so much of an RSA key that a secret fits from here on. */
const bits = 2048;

/** Whether it is an RSA public key in PEM, long enough to encrypt to. */
export function isRecipientKey(pem: string): boolean {
  if (!/^\s*-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem)) return false;
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem);
    return asymmetricKeyType === "rsa" && (asymmetricKeyDetails?.modulusLength ?? 0) >= bits;
  } catch {
    return false;
  }
}

/** Encrypts a text to a recipient by RSA-OAEP with SHA-256; base64. */
export const sealed = (secret: string, recipient: string): string =>
  publicEncrypt(
    { key: recipient, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" },
    Buffer.from(secret, "utf8"),
  ).toString("base64");
