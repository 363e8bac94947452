import { seededDraw } from "../state/id.ts";

/** The one-time passwords that were given out. They are kept in memory: no file ever holds one. */
export type OneTimePasswords = {
  /** A new one, as a person gets it. */
  issue(now: number): string;
  /** Spends it, whatever comes of the request; why it is not good, or nothing. */
  spend(password: string, now: number, lifeMs: number): "is wrong" | "was used" | "has expired" | undefined;
  clear(): void;
};

/** Passwords fixed by the seed. `show` gets each; with it there is always one to take for whoever reads along. */
export function createOneTimePasswords(seed: string, show?: (password: string) => void): OneTimePasswords {
  let issued = 0;
  const valid = new Map<string, number>();
  const used = new Set<string>();

  function issue(now: number): string {
    issued += 1;
    const digits = Math.floor(seededDraw(seed, "one-time password", issued) * 1e8);
    const password = String(digits).padStart(8, "0");
    valid.set(password, now);
    show?.(password);
    return password;
  }

  function markUsed(password: string, now: number, lifeMs: number) {
    if (used.has(password)) return "was used";
    const issuedAt = valid.get(password);
    if (issuedAt === undefined) return "is wrong";
    valid.delete(password);
    used.add(password);
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
      used.clear();
    },
  };
}

/** A line for any shell that prints a new one of the emulator at this address. */
export const otpCommand = (url: string): string =>
  `"${process.execPath}" -e "fetch('${url}/_emulator/otp', { method: 'POST' }).then(async (answer) => console.log(await answer.text()))"`;
