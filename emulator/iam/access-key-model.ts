import { digestOf } from "../auth/api-key.ts";
import { type Cloud, existing } from "../model/cloud.ts";
import type { Resource } from "../state/store.ts";

/**
 * Created access key; its name is the key id. Its secret is returned once and stored as a digest; its display name is
 * never returned.
 */
export type AccessKey = Resource & { readonly digest: string; readonly keyName: string };

export const accessKeyModel = (cloud: Cloud) => cloud.store.model<AccessKey>("access_key");

/** Returns true for the key pair of the settings or of an existing access key. */
export function isValidKeyPair(cloud: Cloud, accessKey: string, secretKey: string): boolean {
  const { settings } = cloud;
  if (accessKey === settings.accessKey) return secretKey === settings.secretKey;
  const created = existing(cloud, accessKeyModel(cloud).all());
  return created.some(({ name, digest }) => name === accessKey && digest === digestOf(secretKey));
}
