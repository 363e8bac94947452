import { hash } from "node:crypto";
import { Refusal } from "../http/wire.ts";
import { type Cloud, live, newRow } from "../model/cloud.ts";
import type { Row } from "../state/store.ts";

/** An API key that was made: its value is told once and kept only as a digest. */
export type ApiKey = Row & { readonly digest: string };

type Keys = Pick<Cloud, "store" | "now">;

const apiKeyTable = ({ store }: Keys) => store.table<ApiKey>("api_key");
/** What is kept of a secret in its place. */
export const digestOf = (secret: string) => hash("sha256", secret);

/** Whether the value is that of a key that was made and still exists. */
export function isMadeKey(cloud: Keys, secret: string): boolean {
  const rows = apiKeyTable(cloud).all();
  if (rows.length === 0) return false;
  const digest = digestOf(secret);
  return rows.some((row) => row.digest === digest && row.goneAt === undefined);
}

/** Makes a key; its value, which is told only now. */
export function makeApiKey(cloud: Cloud, name: string, region: string): string {
  if (live(cloud, apiKeyTable(cloud).all()).some((row) => row.name === name))
    throw new Refusal(409, `API key ${name} already exists`);
  const secret = `emulator-key-${cloud.store.newUuid("secret")}`;
  apiKeyTable(cloud).insert({
    ...newRow(cloud, "iam", "apikey", region),
    name,
    parents: [],
    digest: digestOf(secret),
  });
  return secret;
}
