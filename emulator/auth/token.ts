import { hash } from "node:crypto";
import type { Cloud } from "../model/cloud.ts";

type Signer = Pick<Cloud["store"], "seed">;

function signature(store: Signer, issuedAt: string, id: string): string {
  return hash("sha256", `${store.seed}\0access token\0${issuedAt}\0${id}`);
}

/** A new access token. It bears its time and proves itself, so that it outlives a restart as objects do. */
export function issueToken(cloud: Cloud): string {
  const issuedAt = String(cloud.now);
  const id = cloud.store.newUuid("token");
  return ["token", issuedAt, id, signature(cloud.store, issuedAt, id)].join(".");
}

/** Milliseconds since the token was issued; undefined for what is no token of ours. */
export function tokenAge(store: Signer, token: string, now: number): number | undefined {
  const [word, issuedAt = "", id = "", signed, ...more] = token.split(".");
  if (word !== "token" || more.length > 0 || signed !== signature(store, issuedAt, id)) return undefined;
  return now - Number(issuedAt);
}
