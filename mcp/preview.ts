import { createHmac, randomBytes } from "node:crypto";
import type { PreviewRecord } from "./operation/operations.ts";

/**
 * Previews of destructions in a session, by their digests. A digest is valid for ten minutes and for one call, and nothing but this store knows
 * it: that of another session is unknown.
 */

/** Preview of a destruction, and whether its digest was used. */
export interface Previewed {
  readonly record: PreviewRecord;
  /** "asking" while the user of the client is asked. */
  state: "fresh" | "asking" | "used";
}

export interface Previews {
  /** Adds a preview and returns its digest. */
  add(record: PreviewRecord): string;
  /** Returns the preview of a digest, or the problem of the digest as a sentence. */
  find(digest: string): Previewed | { readonly problem: string };
}

/** Time in ms for which a digest is valid, and the maximum number of previews. The oldest one is removed first. */
export const [validMs, mostPreviews] = [600_000, 500];

/** Creates the previews of a session. `now` is a monotonic clock, in ms. */
export function createPreviews(now: () => number = () => performance.now()): Previews {
  const key = randomBytes(32);
  const known = new Map<string, Previewed & { readonly at: number }>();
  let count = 0;
  return {
    add(record) {
      count += 1;
      const digest = createHmac("sha256", key)
        .update(JSON.stringify([count, record.request, record.object]))
        .digest("base64url");
      known.set(digest, { record, state: "fresh", at: now() });
      const [oldest] = known.keys();
      if (known.size > mostPreviews && oldest !== undefined) known.delete(oldest);
      return digest;
    },
    find(digest) {
      const preview = known.get(digest);
      if (preview === undefined) return { problem: "The digest is that of no preview of this session." };
      if (now() - preview.at > validMs)
        return { problem: "The digest has expired: it is valid for ten minutes." };
      if (preview.state === "used") return { problem: "The digest was used: it is valid for one call." };
      return preview;
    },
  };
}
