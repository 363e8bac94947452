import { hash } from "node:crypto";
import { Refusal } from "../http/wire.ts";
import type { Cloud } from "../model/cloud.ts";

/** Pre-signed URLs: each permits one action on one object until it expires. */

export type PresignedAction = {
  readonly method: "GET" | "PUT";
  readonly bucket: string;
  readonly key: string;
};

export const presignedPath = "/kos/content/{bucket}/{object}";

function urlSignature({ store }: Cloud, { method, bucket, key }: PresignedAction, expires: string): string {
  const parts = [store.seed, "address", method, bucket, key, expires];
  return hash("sha256", parts.join("\0"));
}

/** Signs a URL at `origin`, the origin of the current request. */
export function presignUrl(cloud: Cloud, origin: string, action: PresignedAction): string {
  const expires = String(cloud.now + cloud.settings.assume.addressMs);
  const path = presignedPath
    .replace("{bucket}", encodeURIComponent(action.bucket))
    .replace("{object}", encodeURIComponent(action.key));
  const query = new URLSearchParams({ expires, token: urlSignature(cloud, action, expires) });
  return `${origin}${path}?${query}`;
}

/** Rejects a request whose signature is wrong or expired: 403. */
export function checkPresignedUrl(
  cloud: Cloud,
  action: PresignedAction,
  { expires, token }: { readonly expires: string; readonly token: string },
): void {
  if (token !== urlSignature(cloud, action, expires)) throw new Refusal(403, "the signature does not match");
  if (cloud.now >= Number(expires)) throw new Refusal(403, "the address has expired");
}
