import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PolicyError, parsePolicy, policyFile, type Waiver } from "./policy.ts";

/**
 * Adds a waiver to the policy file of a folder and returns its path. Creates the file if it is missing. Throws `PolicyError`.
 */
export function waive(folder: string, waiver: Waiver, today: string): string {
  if (waiver.until < today) throw new PolicyError(`--until ${waiver.until} is in the past`);
  const file = join(folder, policyFile);
  const policy = existsSync(file) ? parsePolicy(readFileSync(file, "utf8"), file) : {};
  const next = { ...policy, waivers: [...(policy.waivers ?? []), waiver] };
  const text = `${JSON.stringify(next, null, 2)}\n`;
  // Validates the result like any policy file.
  parsePolicy(text, file);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, text);
  return file;
}
