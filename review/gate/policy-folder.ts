import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { ownEntry, type Policy, PolicyError, parsePolicy, policyFile } from "./policy.ts";

/** Reads the folder of a policy: `kcloud-review.json` and the files of custom rules in `rules/`, each optional. */

/** File with custom rules. */
export interface RuleFile {
  readonly path: string;
  readonly text: string;
}

export interface PolicyFolder {
  readonly policy: Policy;
  /** Sorted by name. */
  readonly rules: readonly RuleFile[];
}

/** Maximum size of a file of a policy, in bytes. */
const largest = 1024 * 1024;

/** Reads a policy folder. Throws `PolicyError` if the folder or a file in it cannot be read, or if it contains no policy. */
export function readPolicyFolder(folder: string): PolicyFolder {
  const names = namesIn(folder);
  const hasRules = names.includes("rules");
  if (!names.includes(policyFile) && !hasRules)
    throw new PolicyError(`${folder} contains neither ${policyFile} nor rules/`);
  const file = join(folder, policyFile);
  return {
    policy: names.includes(policyFile) ? parsePolicy(readRegular(file), file) : {},
    rules: hasRules ? ruleFilesIn(join(folder, "rules")) : [],
  };
}

function ruleFilesIn(folder: string): RuleFile[] {
  if (lstatSync(folder).isSymbolicLink()) throw new PolicyError(`${folder} is a symbolic link`);
  return namesIn(folder)
    .filter((name) => /\.[cm]?[jt]sx?$/i.test(name) && !/\.(?:d|test)\.[^.]+$/.test(name))
    .map((name) => {
      const path = join(folder, name);
      // An ignored file would look like a rule in force.
      if (!/\.(?:m?js|ts)$/.test(name))
        throw new PolicyError(`${path}: the name of a rule file must end with .js, .mjs or .ts`);
      return { path, text: readRegular(path) };
    });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/**
 * Reads a regular file. Rejects a link: in the folder of a reviewed revision, its target could be any file of this machine, or
 * an endless device.
 */
function readRegular(path: string): string {
  try {
    if (!lstatSync(path).isFile()) throw new PolicyError(`${path} is not a regular file`);
    if (statSync(path).size > largest) throw new PolicyError(`${path} has more than ${largest} bytes`);
    return readFileSync(path, "utf8");
  } catch (error) {
    throw error instanceof PolicyError ? error : unreadable(path, error);
  }
}

const unreadable = (path: string, error: unknown): PolicyError =>
  new PolicyError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);

/** Returns the differences between the policy in force and the policy of the reviewed revision, each as a sentence. */
export function policyChanges(base: PolicyFolder, head: PolicyFolder): string[] {
  return [
    ...waiverChanges(base.policy, head.policy),
    ...profileChanges(base.policy, head.policy),
    ...ruleChanges(base.rules, head.rules),
  ];
}

const quoted = (value: unknown): string => JSON.stringify(value);

function waiverChanges({ waivers: base = [] }: Policy, { waivers: head = [] }: Policy): string[] {
  const added = without(head, base).map(
    ({ rule, address, plan, owner, until, reason }) =>
      `Adds a waiver of ${rule} for ${quoted(address)}${plan === undefined ? "" : ` of ${quoted(plan)}`} by ${quoted(owner)} until ${until}: ${quoted(reason)}.`,
  );
  const removed = without(base, head).map(
    ({ rule, address }) => `Removes the waiver of ${rule} for ${quoted(address)}.`,
  );
  return [...added, ...removed];
}

/** Returns the items of a list that the other list does not contain. */
function without<T>(list: readonly T[], other: readonly T[]): T[] {
  const known = new Set(other.map(quoted));
  return list.filter((item) => !known.has(quoted(item)));
}

function profileChanges({ profiles: base = {} }: Policy, { profiles: head = {} }: Policy): string[] {
  const names = [...new Set([...Object.keys(base), ...Object.keys(head)])].toSorted();
  return names.flatMap((name) => {
    const [old, next] = [ownEntry(base, name), ownEntry(head, name)];
    if (old === undefined) return [`Adds the profile ${quoted(name)}: ${quoted(next)}.`];
    if (next === undefined) return [`Removes the profile ${quoted(name)}.`];
    const fields = [
      ...new Set([...Object.keys(old), ...Object.keys(next)]),
    ].toSorted() as (keyof typeof old)[];
    return fields
      .filter((field) => quoted(old[field]) !== quoted(next[field]))
      .map(
        (field) =>
          `Changes ${field} of the profile ${quoted(name)} from ${quoted(old[field] ?? null)} to ${quoted(next[field] ?? null)}.`,
      );
  });
}

function ruleChanges(base: readonly RuleFile[], head: readonly RuleFile[]): string[] {
  const digests = (files: readonly RuleFile[]) =>
    new Map(
      files.map(
        ({ path, text }) => [basename(path), createHash("sha256").update(text).digest("hex")] as const,
      ),
    );
  const [old, next] = [digests(base), digests(head)];
  return [...new Set([...old.keys(), ...next.keys()])].toSorted().flatMap((name) => {
    if (old.get(name) === next.get(name)) return [];
    const verb = !old.has(name) ? "Adds" : !next.has(name) ? "Removes" : "Changes";
    return [`${verb} the rule file ${quoted(name)}.`];
  });
}
