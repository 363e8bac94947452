import { hash } from "node:crypto";
import { Refusal } from "../http/wire.ts";
import type { Cloud } from "../model/cloud.ts";

/** Pre-signed addresses: whoever has one may do the one thing that it is for, as long as it is good. */

export type PresignedAction = {
  readonly method: "GET" | "PUT";
  readonly bucket: string;
  readonly key: string;
};

export const presignedPath = "/kos/content/{bucket}/{object}";

function signature({ store }: Cloud, { method, bucket, key }: PresignedAction, expires: string): string {
  const parts = [store.seed, "address", method, bucket, key, expires];
  return hash("sha256", parts.join("\0"));
}

/** An address at `origin`, on which the request came that asks for it. */
export function presignUrl(cloud: Cloud, origin: string, deed: PresignedAction): string {
  const expires = String(cloud.now + cloud.settings.assume.addressMs);
  const path = presignedPath
    .replace("{bucket}", encodeURIComponent(deed.bucket))
    .replace("{object}", encodeURIComponent(deed.key));
  const query = new URLSearchParams({ expires, token: signature(cloud, deed, expires) });
  return `${origin}${path}?${query}`;
}

/** Refuses what no good address asks for, as hosts of such addresses do. */
export function checkPresignedUrl(
  cloud: Cloud,
  deed: PresignedAction,
  { expires, token }: { readonly expires: string; readonly token: string },
): void {
  if (token !== signature(cloud, deed, expires)) throw new Refusal(403, "the signature does not match");
  if (cloud.now >= Number(expires)) throw new Refusal(403, "the address has expired");
}
