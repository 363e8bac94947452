import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkWaivers, PolicyError, parsePolicy, policyFile, type Waiver } from "./policy.ts";

/**
 * Adds waivers, all with one last day, to the policy file of a folder and returns its path. Creates the file if it is missing.
 * Throws `PolicyError`.
 */
export function waive(folder: string, added: readonly Waiver[], today: string): string {
  const [first] = added;
  if (first !== undefined && first.until < today)
    throw new PolicyError(`--until ${first.until} is in the past`);
  const file = join(folder, policyFile);
  const policy = existsSync(file) ? parsePolicy(readFileSync(file, "utf8"), file) : {};
  const next = { ...policy, waivers: [...(policy.waivers ?? []), ...added] };
  checkWaivers({ waivers: [...added] }, today);
  const text = `${JSON.stringify(next, null, 2)}\n`;
  // Validates the result like any policy file.
  parsePolicy(text, file);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, text);
  return file;
}
