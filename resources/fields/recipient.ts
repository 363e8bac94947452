import { constants, createPublicKey, publicEncrypt } from "node:crypto";

/** Secrets that one recipient alone can read. */

/** SHA-256 takes so much of an RSA key that a secret fits from here on. */
const bits = 2048;

/** Whether it is an RSA public key in PEM, long enough to encrypt to. */
export function isRecipientKey(pem: string): boolean {
  if (!/^\s*-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem)) return false;
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem);
    return asymmetricKeyType === "rsa" && (asymmetricKeyDetails?.modulusLength ?? 0) >= bits;
  } catch {
    // What cannot be read as a key is none.
    return false;
  }
}

/** Encrypts a text to a recipient by RSA-OAEP with SHA-256; base64. */
export const sealed = (secret: string, recipient: string): string =>
  publicEncrypt(
    { key: recipient, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" },
    Buffer.from(secret, "utf8"),
  ).toString("base64");
