import { spawnSync } from "node:child_process";
import * as z from "zod";
import { PolicyError, settingsOf } from "../gate/policy.ts";
import type { RuleFile } from "../gate/policy-folder.ts";
import type { Plan } from "../model/plan.ts";
import { say } from "../model/sentence.ts";
import { onOneLine, visible } from "../report/value.ts";
import { rules as builtIn } from "../rule/catalogue.ts";
import { type Hit, type RuleHits, type RuleSettings, ruleId, severities } from "../rule/rule.ts";
import { changesOf, contextJson } from "./context.ts";
import { nodeOfRules } from "./node.ts";
import type { RunnerInput } from "./runner.ts";
import { mostHits } from "./sandbox.ts";

/**
 * Runs the rules of a policy. Each file runs in a separate process without environment and without permission for files and
 * processes, in a context without the globals of Node. This protects against accidents only; rules of an unapproved
 * revision do not run.
 */

/** Timeout of one file, in milliseconds. */
const defaultLimit = 10_000;
const megabyte = 1024 ** 2;
/** Maximum heap of the process that runs a file, in megabytes: a base for the rules, and room for the plans as values. */
const heapFor = (context: string): number => 256 + Math.ceil((context.length * 12) / megabyte);
/** Maximum memory of that process, in megabytes. */
const memoryFor = (context: string): number => 2 * heapFor(context);
/** Maximum size of a result, and of the standard error, in bytes. */
const largest = 64 * megabyte;
/** Maximum number of rules of one file. */
const mostRules = 1_000;

const sentence = z.string().min(1).max(2_000);
const severity = z.enum(severities);
const confidence = z.enum(["proven", "likely", "needs a live check"]);

const description = z.strictObject({
  id: z.string().max(64).regex(ruleId, "must be capital letters, digits and hyphens, as in ACME-01"),
  title: z.string().min(1).max(200),
  severity,
  confidence,
  about: sentence,
  remedy: sentence,
});

const hit = z.strictObject({
  change: z.int().min(0).optional(),
  plan: z.string().optional(),
  path: z
    .array(z.union([z.string().max(4_096), z.number()]))
    .max(100)
    .optional(),
  text: sentence,
  severity: severity.optional(),
  confidence: confidence.optional(),
  remedy: sentence.optional(),
});

const runnerResult = z.union([
  z.strictObject({ error: z.string() }),
  z.strictObject({
    rules: z.array(z.strictObject({ rule: description, hits: z.array(hit).max(mostHits) })).max(mostRules),
  }),
]);

/** Families of built-in ids. A custom rule of such a family could collide with a built-in one of a later version. */
const families: ReadonlySet<string> = new Set([
  ...builtIn.map(({ id }) => familyOf(id)),
  ...["COST", "META"],
]);

function familyOf(id: string): string {
  return id.slice(0, id.indexOf("-"));
}

/**
 * Runs the rules of these files over redacted plans. Throws `PolicyError` with the file, and the rule if it is known, if a rule
 * cannot be loaded, fails, exceeds a limit, or returns anything but hits.
 */
export const runCustomRules = (
  files: readonly RuleFile[],
  plans: readonly Plan[],
  settings: RuleSettings,
  limit = defaultLimit,
): Promise<RuleHits[]> => load(files, { plans, settings, limit, isChecked: true });

/** Returns the rules of these files without checking a plan. Throws `PolicyError` as `runCustomRules` does. */
export const describeCustomRules = (files: readonly RuleFile[]): Promise<RuleHits[]> =>
  load(files, { plans: [], settings: settingsOf({}), limit: defaultLimit, isChecked: false });

interface Run {
  readonly plans: readonly Plan[];
  readonly settings: RuleSettings;
  /** Maximum time of a file in ms. */
  readonly limit: number;
  /** False if the rules are only described. */
  readonly isChecked: boolean;
}

async function load(
  files: readonly RuleFile[],
  { plans, settings, limit, isChecked }: Run,
): Promise<RuleHits[]> {
  if (files.length === 0) return [];
  const node = nodeOfRules();
  if ("reason" in node) throw new PolicyError(`${files[0]?.path}: ${node.reason}`);
  const { constants } = await import("./constant.ts");
  const { runner, api, sandbox } = await constants();
  const context = contextJson(plans, settings);
  const changes = changesOf(plans);
  const known = new Map<string, string>();
  return files.flatMap(({ path, text }) => {
    const isTypeScript = path.endsWith(".ts");
    const input: RunnerInput = {
      api,
      sandbox,
      rule: text,
      isTypeScript,
      context,
      isChecked,
      memory: memoryFor(context) * megabyte,
    };
    const found = runFile({ node: node.path, path, program: runner, limit }, input);
    return found.map(({ rule, hits }): RuleHits => {
      const other = known.get(rule.id);
      if (other !== undefined)
        throw new PolicyError(`${path}: ${rule.id} is the id of another rule, in ${other}`);
      if (families.has(familyOf(rule.id)))
        throw new PolicyError(
          `${path}: ${rule.id} begins with ${familyOf(rule.id)}-, as built-in rules do: choose another prefix`,
        );
      known.set(rule.id, path);
      const { title, about, remedy } = rule;
      return {
        rule: { ...rule, title: onOneLine(title), about: onOneLine(about), remedy: onOneLine(remedy) },
        hits: hits.map((row) => hitOf(row, `${path}: ${rule.id}`, changes, plans)),
      };
    });
  });
}

/** Runs one file to its end; returns its rules and hits. */
function runFile(
  {
    node,
    path,
    program,
    limit,
  }: { readonly node: string; readonly path: string; readonly program: string; readonly limit: number },
  input: RunnerInput,
): Found {
  const heap = heapFor(input.context);
  const flags = [
    "--permission",
    // The worker watches the memory; rules cannot start one.
    "--allow-worker",
    "--experimental-vm-modules",
    "--disallow-code-generation-from-strings",
    "--no-warnings",
    `--max-old-space-size=${heap}`,
    "--input-type=module",
  ];
  const { status, signal, error, stdout, stderr } = spawnSync(node, [...flags, "--eval", program], {
    input: JSON.stringify(input),
    env: {},
    encoding: "utf8",
    timeout: limit,
    killSignal: "SIGKILL",
    maxBuffer: largest,
    windowsHide: true,
  });
  const place = placeOf(path, stderr);
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === "ETIMEDOUT") throw new PolicyError(`${place} did not finish within ${limit / 1000} s`);
  if (code === "ENOBUFS") throw new PolicyError(`${place} wrote more than ${largest} bytes`);
  if (code !== undefined && code !== "EPIPE")
    throw new PolicyError(`${path}: ${node} cannot be started: ${error?.message}`);
  if (/out of memory/.test(stderr))
    throw new PolicyError(`${place} needs more than ${signal === "SIGKILL" ? 2 * heap : heap} MB`);
  if (status !== 0 || stdout === "")
    throw new PolicyError(`${place} ended without a result (${signal ?? `status ${status}`})`);
  return parsed(path, place, stdout);
}

/** Returns the file, and the rule that ran last: its id is the last line of the standard error that is JSON. */
function placeOf(path: string, stderr: string): string {
  const id = /^"((?:[^"\\]|\\.)*)"$/m.exec(
    stderr.split("\n").findLast((line) => /^".*"$/.test(line)) ?? "",
  )?.[1];
  return id === undefined ? path : `${path}: ${visible(id).slice(0, 64)}`;
}

type Found = Extract<z.infer<typeof runnerResult>, { rules: unknown }>["rules"];

/** Returns the result of a file. Throws `PolicyError` for an error of a rule, and for a value that is no list of rules and hits. */
function parsed(path: string, place: string, output: string): Found {
  const value: unknown = JSON.parse(output);
  const { success, data, error } = runnerResult.safeParse(value);
  if (!success) throw new PolicyError(visible(problemIn(path, value, error)));
  if ("error" in data) throw new PolicyError(`${place}: ${visible(data.error.slice(0, 500))}`);
  return data.rules;
}

/** Maximum number of problems of a result in an error. */
const mostProblems = 3;

/** Returns the first problems of an invalid result, with the id of the rule of the first one. */
function problemIn(path: string, value: unknown, error: z.ZodError): string {
  const issues = error.issues
    .flatMap((issue) => (issue.code === "invalid_union" ? issue.errors.flat() : [issue]))
    .filter(({ path: [name] }) => name === "rules");
  const ruleIndex = issues[0]?.path[1];
  const { rules } = value as { readonly rules?: readonly { readonly rule?: { readonly id?: unknown } }[] };
  const id = typeof ruleIndex === "number" ? rules?.[ruleIndex]?.rule?.id : undefined;
  const place = typeof id === "string" ? `${path}: ${id.slice(0, 64)}` : path;
  const problems = issues
    .slice(0, mostProblems)
    .map(({ path: steps, message }) => `${steps.slice(1).join(".")}: ${message}`.slice(0, 200));
  const rest = issues.length - problems.length;
  return `${place} must return rules and hits: ${problems.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`;
}

function hitOf(
  { change: changeIndex, plan, ...row }: z.infer<typeof hit>,
  place: string,
  changes: ReturnType<typeof changesOf>,
  plans: readonly Plan[],
): Hit {
  const change = changeIndex === undefined ? undefined : changes[changeIndex];
  if (changeIndex !== undefined && change === undefined)
    throw new PolicyError(`${place} returned an unknown change`);
  if (change === undefined && !plans.some(({ name }) => name === plan))
    throw new PolicyError(`${place} returned a hit with neither a change nor the name of a plan`);
  const { path: steps, severity: hitSeverity, confidence: certainty, remedy, text } = row;
  return {
    text: say`${text}`,
    ...(change === undefined ? {} : { change }),
    ...(plan === undefined ? {} : { plan }),
    ...(steps === undefined ? {} : { path: steps }),
    ...(hitSeverity === undefined ? {} : { severity: hitSeverity }),
    ...(certainty === undefined ? {} : { confidence: certainty }),
    ...(remedy === undefined ? {} : { remedy }),
  };
}
