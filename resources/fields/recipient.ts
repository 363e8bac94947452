import { constants, createPublicKey, publicEncrypt } from "node:crypto";

/** Encryption of a secret for one recipient. */

/**
 * Minimum size of an RSA key in bits: OAEP padding with SHA-256 needs 66 bytes, and a secret must fit into the rest.
 */
const bits = 2048;

/** Returns true for an RSA public key in PEM with at least the minimum size. */
export function isRecipientKey(pem: string): boolean {
  if (!/^\s*-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem)) return false;
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem);
    return asymmetricKeyType === "rsa" && (asymmetricKeyDetails?.modulusLength ?? 0) >= bits;
  } catch {
    // A text that cannot be parsed is not a key.
    return false;
  }
}

/** Encrypts a secret with the recipient's public key: RSA-OAEP with SHA-256, in base64. */
export const sealed = (secret: string, recipient: string): string =>
  publicEncrypt(
    { key: recipient, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" },
    Buffer.from(secret, "utf8"),
  ).toString("base64");
