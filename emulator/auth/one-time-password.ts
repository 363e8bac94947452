import { seededDraw } from "../state/id.ts";

/** The one-time passwords that were given out. They are kept in memory: no file ever holds one. */
export type OneTimePasswords = {
  /** A new one, as a person gets it. */
  issue(now: number): string;
  /** Spends it, whatever comes of the request; why it is not good, or nothing. */
  take(password: string, now: number, lifeMs: number): "is wrong" | "was used" | "has expired" | undefined;
  clear(): void;
};

/** Passwords fixed by the seed. `show` gets each; with it there is always one to take for whoever reads along. */
export function createOneTimePasswords(seed: string, show?: (password: string) => void): OneTimePasswords {
  let given = 0;
  const good = new Map<string, number>();
  const used = new Set<string>();

  function issue(now: number): string {
    given += 1;
    const digits = Math.floor(seededDraw(seed, "one-time password", given) * 1e8);
    const password = String(digits).padStart(8, "0");
    good.set(password, now);
    show?.(password);
    return password;
  }

  function spend(password: string, now: number, lifeMs: number) {
    if (used.has(password)) return "was used";
    const issuedAt = good.get(password);
    if (issuedAt === undefined) return "is wrong";
    good.delete(password);
    used.add(password);
    return now - issuedAt >= lifeMs ? "has expired" : undefined;
  }

  return {
    issue,
    take(password, now, lifeMs) {
      const problem = spend(password, now, lifeMs);
      const isGood = (issuedAt: number) => now - issuedAt < lifeMs;
      if (show && ![...good.values()].some(isGood)) issue(now);
      return problem;
    },
    clear() {
      good.clear();
      used.clear();
    },
  };
}

/** A line for any shell that prints a new one of the emulator at this address. */
export const otpCommand = (url: string): string =>
  `"${process.execPath}" -e "fetch('${url}/_emulator/otp', { method: 'POST' }).then(async (answer) => console.log(await answer.text()))"`;
