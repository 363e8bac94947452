import { constants, generateKeyPairSync, privateDecrypt } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createEmulator } from "../../../emulator/emulator.ts";
import { account } from "../../../emulator/state/id.ts";

/** Searches files and outputs of an engine for secrets of object storage: planted ones and those that the emulator issues. */

const pair = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

/** Key pair of the recipient of secrets. Tests also pass the private key, like a user who confuses the two. */
export const recipient = { publicKey: pair.publicKey, privateKey: pair.privateKey };

/** Decrypts a secret that was encrypted for the recipient. */
export const opened = (sealed: string): string =>
  privateDecrypt(
    { key: pair.privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" },
    Buffer.from(sealed, "base64"),
  ).toString();

export const wrongPassword = "87654321";
const planted = { apiKey: "canary-api-key", secretKey: "canary-secret-key" };

/** Secrets that the emulator issues: session tokens, signatures of pre-signed URLs, secret keys. */
const given = [
  /(?:session|refresh)-[\da-f]{8}-[\da-f]{4}-/,
  /token=[\da-f]{64}/,
  /emulator-secret-[\da-f]{8}/,
] as const;

/** Text, and the place where it was found. */
export type Found = readonly [place: string, text: string];

/** Opens a cloud that records every secret that it issues, and returns the search for them. */
export async function openLeakSearch() {
  const passwords = [wrongPassword];
  const lines: string[] = [];
  const emulator = createEmulator({
    taskMs: 50,
    ...planted,
    showPassword: (password) => passwords.push(password),
    write: (line) => lines.push(line),
  });
  const { url, close } = await emulator.listen();
  // Every line of a private key in PEM has this length, except for the last.
  const ofPrivateKey = pair.privateKey.split("\n").filter((line) => line.length === 64);
  const raw = [...Object.values(planted), ...ofPrivateKey];
  const inBase64 = raw.map((secret) => Buffer.from(secret).toString("base64").replace(/.?=*$/, ""));
  return {
    emulator,
    url,
    close,
    settings: {
      SERVICE_BASE_URL: url,
      SERVICE_API_KEY: planted.apiKey,
      SERVICE_ACCOUNT_ID: account,
      SERVICE_REGION: "In-Bangalore-1",
      SERVICE_MAX_REQUESTS_PER_SECOND: "0",
      SERVICE_ACCESS_KEY: "emulator-access-key",
      SERVICE_SECRET_KEY: planted.secretKey,
    },
    /** Returns the places of these texts, and of the emulator's own output and log, that contain a secret. */
    leaks(texts: readonly Found[]): string[] {
      const own: Found[] = [
        ["the emulator's lines", lines.join("\n")],
        ["the emulator's log", JSON.stringify(emulator.log.entries())],
      ];
      const isOne = (text: string) =>
        [...raw, ...inBase64].some((secret) => text.includes(secret)) ||
        given.some((pattern) => pattern.test(text)) ||
        passwords.some((password) => new RegExp(`(?<!\\d)${password}(?!\\d)`).test(text));
      return [...texts, ...own].filter(([, text]) => isOne(text)).map(([place]) => place);
    },
    /** Returns the numbers of sessions that were opened and of those that are not ended. */
    sessions: () => ({
      opened: emulator.log.count({ operation: "activate_session" }),
      left: emulator.inventory.list().filter(({ kind }) => kind === "object_session").length,
    }),
  };
}

/** Reads every file below a folder, except files and folders with one of these names. */
export async function filesIn(folder: string, but: readonly string[]): Promise<Found[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(
      (file) =>
        !file
          .slice(folder.length + 1)
          .split("/")
          .some((part) => but.includes(part)),
    );
  return Promise.all(
    files.map(
      async (file): Promise<Found> => [file.slice(folder.length + 1), await readFile(file, "latin1")],
    ),
  );
}
