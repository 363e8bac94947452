/** SSH keys as OpenSSH writes them: `type base64 comment`, on one line. */

const kinds = /^(ssh-(rsa|dss|ed25519)|ecdsa-sha2-nistp(256|384|521)|sk-[a-z0-9@.-]+)$/;

/** Kind and key, without spaces around and the comment behind. */
const parts = (text: string): [kind: string, key: string] => {
  const [kind = "", key = ""] = text.trim().split(/[ \t]+/);
  return [kind, key];
};

/** Whether it is a public key: of a known kind, and the key itself says so too. */
export function isPublicKey(text: string): boolean {
  const [kind, key] = parts(text);
  if (!kinds.test(kind) || /[\r\n]/.test(text.trim()) || !/^[A-Za-z0-9+/]+={0,2}$/.test(key)) return false;
  const bytes = Buffer.from(key, "base64");
  // The key begins with the length of its kind, and its kind (RFC 4253, 6.6).
  return bytes.length > 4 + kind.length && bytes.subarray(4, 4 + bytes.readUInt32BE()).toString() === kind;
}

/** Whether it is, or holds, a private key in one of the forms that key programs write. */
export const isPrivateKey = (text: string): boolean =>
  /PRIVATE KEY|^\s*PuTTY-User-Key-File|b3BlbnNzaC1rZXktdjEA/.test(text);

/** Whether both are the same key, whatever the comment and the spaces. */
export function samePublicKey(a: string, b: string): boolean {
  return parts(a).join(" ") === parts(b).join(" ");
}
