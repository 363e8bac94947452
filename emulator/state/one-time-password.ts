import { seededDraw } from "./id.ts";

/** Issued one-time passwords, which are stored in memory only. */
export type OneTimePasswords = {
  /** Issues a password. */
  issue(now: number): string;
  /** Consumes a password, even if the request fails later. Returns the problem of an invalid password. */
  spend(password: string, now: number, lifeMs: number): "is wrong" | "was used" | "has expired" | undefined;
  clear(): void;
};

/**
 * Creates passwords derived from the seed. `show` receives each. If `show` is set, `spend` issues a new password when no valid
 * one is left.
 */
export function createOneTimePasswords(seed: string, show?: (password: string) => void): OneTimePasswords {
  let issued = 0;
  const valid = new Map<string, number>();
  const spent = new Set<string>();

  function issue(now: number): string {
    issued += 1;
    const digits = Math.floor(seededDraw(seed, "one-time password", issued) * 1e8);
    const password = String(digits).padStart(8, "0");
    valid.set(password, now);
    show?.(password);
    return password;
  }

  function markUsed(password: string, now: number, lifeMs: number) {
    if (spent.has(password)) return "was used";
    const issuedAt = valid.get(password);
    if (issuedAt === undefined) return "is wrong";
    valid.delete(password);
    spent.add(password);
    return now - issuedAt >= lifeMs ? "has expired" : undefined;
  }

  return {
    issue,
    spend(password, now, lifeMs) {
      const problem = markUsed(password, now, lifeMs);
      const isGood = (issuedAt: number) => now - issuedAt < lifeMs;
      if (show && ![...valid.values()].some(isGood)) issue(now);
      return problem;
    },
    clear() {
      valid.clear();
      spent.clear();
    },
  };
}
