import { hash } from "node:crypto";
import type { Cloud } from "../model/cloud.ts";

type Signer = Pick<Cloud["store"], "seed">;

function tokenSignature(store: Signer, issuedAt: string, id: string): string {
  return hash("sha256", `${store.seed}\0access token\0${issuedAt}\0${id}`);
}

/** Issues an access token. It contains its time and a signature, so that it stays valid across restarts. */
export function issueToken(cloud: Cloud): string {
  const issuedAt = String(cloud.now);
  const id = cloud.store.newUuid("token");
  return ["token", issuedAt, id, tokenSignature(cloud.store, issuedAt, id)].join(".");
}

/** Returns the milliseconds since a token was issued; undefined for an unknown token. */
export function tokenAge(store: Signer, token: string, now: number): number | undefined {
  const [prefix, issuedAt = "", id = "", signed, ...more] = token.split(".");
  if (prefix !== "token" || more.length > 0 || signed !== tokenSignature(store, issuedAt, id))
    return undefined;
  return now - Number(issuedAt);
}
