import { createCipheriv, createDecipheriv, pbkdf2Sync, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

/** Passphrases of Pulumi stacks: a salt holds an encrypted text by which the engine recognizes its passphrase. */

/** Passphrase, and the salt of its key. */
export interface Passphrase {
  readonly passphrase: string;
  readonly salt: string;
}

const cipher = "aes-256-gcm";
const tagBytes = 16;
const known = "pulumi";

const keyOf = (passphrase: string, salt: Buffer): Buffer =>
  pbkdf2Sync(passphrase, salt, 1_000_000, 32, "sha256");

/** Returns a new passphrase for a copy. */
export function newPassphrase(): Passphrase {
  const passphrase = randomBytes(24).toString("base64");
  const [salt, nonce] = [randomBytes(8), randomBytes(12)];
  const encryption = createCipheriv(cipher, keyOf(passphrase, salt), nonce);
  const encrypted = Buffer.concat([encryption.update(known), encryption.final(), encryption.getAuthTag()]);
  return {
    passphrase,
    salt: `v1:${salt.toString("base64")}:v1:${nonce.toString("base64")}:${encrypted.toString("base64")}`,
  };
}

/** Returns true if the salt is of this passphrase. */
export function isPassphraseOf({ passphrase, salt: text }: Passphrase): boolean {
  const [version, salt = "", inner, nonce = "", encrypted = ""] = text.split(":");
  if (version !== "v1" || inner !== "v1") return false;
  const bytes = Buffer.from(encrypted, "base64");
  if (bytes.length < tagBytes) return false;
  try {
    const key = keyOf(passphrase, Buffer.from(salt, "base64"));
    const decryption = createDecipheriv(cipher, key, Buffer.from(nonce, "base64"), {
      authTagLength: tagBytes,
    });
    decryption.setAuthTag(bytes.subarray(-tagBytes));
    const plain = Buffer.concat([decryption.update(bytes.subarray(0, -tagBytes)), decryption.final()]);
    return plain.toString() === known;
  } catch {
    // The authentication of the text fails with another key.
    return false;
  }
}

/** Returns the passphrase in the environment of Pulumi; undefined without one. Throws the error of a file that cannot be read. */
export function passphraseIn({
  PULUMI_CONFIG_PASSPHRASE: text,
  PULUMI_CONFIG_PASSPHRASE_FILE: file,
}: NodeJS.ProcessEnv): string | undefined {
  // An empty text is a passphrase.
  if (text !== undefined) return text;
  return file ? readFileSync(file, "utf8").trim() : undefined;
}
