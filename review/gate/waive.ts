import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PolicyError, parsePolicy, policyFile, type Waiver } from "./policy.ts";

/** Adds a waiver to the policy file of a folder, which it creates if there is none; returns its path. Throws `PolicyError`. */
export function waive(folder: string, waiver: Waiver, today: string): string {
  if (waiver.until < today) throw new PolicyError(`--until ${waiver.until} has passed already`);
  const file = join(folder, policyFile);
  const policy = existsSync(file) ? parsePolicy(readFileSync(file, "utf8"), file) : {};
  const next = { ...policy, waivers: [...(policy.waivers ?? []), waiver] };
  const text = `${JSON.stringify(next, null, 2)}\n`;
  // The same checks as for a file that somebody wrote.
  parsePolicy(text, file);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, text);
  return file;
}
