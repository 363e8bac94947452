import { hash } from "node:crypto";
import { Refusal } from "../http/wire.ts";
import { type Cloud, existing, newResource } from "../model/cloud.ts";
import type { Resource } from "../state/store.ts";

/** Issued API key. Its value is returned once; only a digest is stored. */
export type ApiKey = Resource & { readonly digest: string };

type Keys = Pick<Cloud, "store" | "now">;

const apiKeyModel = ({ store }: Keys) => store.model<ApiKey>("api_key");
/** Returns the digest that is stored in place of a secret. */
export const digestOf = (secret: string) => hash("sha256", secret);

/** Returns true for the value of an issued key that still exists. */
export function isIssuedApiKey(cloud: Keys, secret: string): boolean {
  const resources = apiKeyModel(cloud).all();
  if (resources.length === 0) return false;
  const digest = digestOf(secret);
  return resources.some((resource) => resource.digest === digest && resource.goneAt === undefined);
}

/** Issues a key and returns its value, which is not readable later. */
export function issueApiKey(cloud: Cloud, name: string, region: string): string {
  if (existing(cloud, apiKeyModel(cloud).all()).some((resource) => resource.name === name))
    throw new Refusal(409, `API key ${name} already exists`);
  const secret = `emulator-key-${cloud.store.newUuid("secret")}`;
  apiKeyModel(cloud).insert({
    ...newResource(cloud, "iam", "apikey", region),
    name,
    parents: [],
    digest: digestOf(secret),
  });
  return secret;
}
