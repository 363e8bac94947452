import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReleaseError } from "./platform.ts";

/** Signs the checksums of a release with the key of its owner, as Terraform's registry requires. */

/** Environment variables with the private key in ASCII armour, and its passphrase if it has one. */
export const signingKey = "KCLOUD_SIGNING_KEY";
const signingPassphrase = "KCLOUD_SIGNING_PASSPHRASE";

/** Key algorithms that Terraform's registry accepts, by their numbers in OpenPGP: RSA and DSA. */
const accepted = ["1", "17"];

/** Signature of a text, with the key that verifies it. */
export interface Signature {
  /** Detached signature in the binary format of OpenPGP. */
  readonly signature: Buffer;
  /** Public key in ASCII armour, which the owner registers. */
  readonly publicKey: Buffer;
}

/**
 * Signs a text; undefined if the environment has no key. Uses a temporary keyring. Throws a `ReleaseError` if the key cannot
 * sign for the registry.
 */
export function sign(text: string, environment: NodeJS.ProcessEnv): Signature | undefined {
  const { [signingKey]: key, [signingPassphrase]: passphrase = "", ...rest } = environment;
  if (!key) return undefined;
  // The path of the agent's socket in this folder must be short.
  const home = mkdtempSync(join(tmpdir(), "kcloud-gpg-"));
  const gpg = (args: readonly string[], input: string): Buffer =>
    execFileSync("gpg", ["--batch", "--homedir", home, "--pinentry-mode", "loopback", ...args], {
      input,
      env: rest,
      stdio: ["pipe", "pipe", "pipe"],
    });
  try {
    gpg(["--import"], key);
    const listed = gpg(["--list-secret-keys", "--with-colons"], "").toString();
    const algorithm = /^sec:[^:]*:[^:]*:(\d+):/m.exec(listed)?.[1] ?? "";
    if (!accepted.includes(algorithm))
      throw new ReleaseError(`${signingKey}: Terraform's registry accepts only RSA and DSA keys`);
    // The passphrase is the first line of the input, the rest is signed.
    const detached = ["--passphrase-fd", "0", "--detach-sign", "--output", "-"];
    return {
      signature: gpg(detached, `${passphrase}\n${text}`),
      publicKey: gpg(["--armor", "--export"], ""),
    };
  } catch (error) {
    if (error instanceof ReleaseError) throw error;
    const { stderr, message } = error as Error & { stderr?: Buffer };
    const reason = String(stderr ?? message)
      .trim()
      .split("\n")
      .at(-1);
    throw new ReleaseError(`${signingKey}: gpg cannot sign: ${reason}`);
  } finally {
    try {
      execFileSync("gpgconf", ["--homedir", home, "--kill", "gpg-agent"], { stdio: "ignore" });
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }
}
