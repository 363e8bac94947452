/** Returns an OpenSSH public key: type, length-prefixed parts in base64, comment. */
export function publicKey(seed: number, comment = "me@here", type = "ssh-ed25519"): string {
  const part = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  const key = Buffer.concat([part(Buffer.from(type)), part(Buffer.alloc(32, seed))]);
  return `${type} ${key.toString("base64")} ${comment}`;
}
