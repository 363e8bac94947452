/** SSH public keys in OpenSSH format: `type base64 comment`, on one line. */

const kinds = /^(ssh-(rsa|dss|ed25519)|ecdsa-sha2-nistp(256|384|521)|sk-[a-z0-9@.-]+)$/;

/** Returns type and key without surrounding whitespace and comment. */
const parts = (text: string): [kind: string, key: string] => {
  const [kind = "", key = ""] = text.trim().split(/[ \t]+/);
  return [kind, key];
};

/** Returns true for a public key of a known type, if the encoded key contains the same type. */
export function isPublicKey(text: string): boolean {
  const [kind, key] = parts(text);
  if (!kinds.test(kind) || /[\r\n]/.test(text.trim()) || !/^[A-Za-z0-9+/]+={0,2}$/.test(key)) return false;
  const bytes = Buffer.from(key, "base64");
  // The encoded key starts with the length of its type and the type (RFC 4253, 6.6).
  return bytes.length > 4 + kind.length && bytes.subarray(4, 4 + bytes.readUInt32BE()).toString() === kind;
}

/** Returns a key as it is sent: on one line, with single spaces, as the API rejects others. */
export const normalizedKey = (text: string): string => text.trim().replaceAll(/[ \t]+/g, " ");

/** Returns true for a text that is or contains a private key in a common format. */
export const isPrivateKey = (text: string): boolean =>
  /PRIVATE KEY|^\s*PuTTY-User-Key-File|b3BlbnNzaC1rZXktdjEA/.test(text);

/** Returns true if both are the same key, regardless of comment and whitespace. */
export function samePublicKey(a: string, b: string): boolean {
  return parts(a).join(" ") === parts(b).join(" ");
}
