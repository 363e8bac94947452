import { digestOf } from "../auth/api-key.ts";
import { type Cloud, existing } from "../model/cloud.ts";
import type { Resource } from "../state/store.ts";

/**
 * An access key that was made; its name is the key. Its secret is told once and kept only as a digest; what its maker
 * calls it is told nowhere.
 */
export type AccessKey = Resource & { readonly digest: string; readonly keyName: string };

export const accessKeyModel = (cloud: Cloud) => cloud.store.model<AccessKey>("access_key");

/** Whether they are a pair: that of the catalogue, which the settings name, or one that was made and still exists. */
export function isValidKeyPair(cloud: Cloud, accessKey: string, secretKey: string): boolean {
  const { settings } = cloud;
  if (accessKey === settings.accessKey) return secretKey === settings.secretKey;
  const made = existing(cloud, accessKeyModel(cloud).all());
  return made.some(({ name, digest }) => name === accessKey && digest === digestOf(secretKey));
}
