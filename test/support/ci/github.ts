import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { evaluate, type Values } from "./expression.ts";
import type { Environment, Machine, Ran } from "./machine.ts";
import { type Scalars, yamlOf } from "./yaml.ts";

/** Runs jobs of GitHub Actions: their steps in order, with the variables that the workflow gives them. */

/** Step of a job of GitHub. */
export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Scalars;
  readonly env?: Scalars;
  readonly "working-directory"?: string;
  readonly "continue-on-error"?: boolean;
}

/** Job of GitHub. */
export interface Job {
  readonly if?: string;
  readonly needs?: string;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly concurrency?: { readonly group: string; readonly "cancel-in-progress"?: boolean };
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly env?: Scalars;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export interface Workflow extends Pick<Job, "env" | "concurrency" | "permissions"> {
  readonly jobs: Readonly<Record<string, Job>>;
}

export const workflowOf = (text: string): Workflow => yamlOf(text) as Workflow;

/** Returns the steps of a composite action. */
export const actionOf = (text: string) =>
  yamlOf(text) as {
    readonly outputs: Readonly<Record<string, { readonly value: string }>>;
    readonly runs: { readonly steps: readonly Step[] };
  };

/** Replaces the expressions in a text by their values. */
export const evaluated = (text: unknown, values: Values): string =>
  String(text).replace(/\$\{\{ (.*?) \}\}/g, (_, expression) => evaluate(expression, values));

const allEvaluated = (texts: Scalars = {}, values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, evaluated(text, values)]));

/** Returns true if a condition holds. Without a function of the status, it needs the success of what comes before. */
export function holds(condition: string | undefined, values: Values, hasSucceeded: boolean): boolean {
  const expression = (condition ?? "success()").replace(/^\$\{\{ (.*) \}\}$/, "$1");
  const status = new Map(values).set("success()", hasSucceeded ? "true" : "");
  const isOwn = /\b(always|cancelled|failure|success)\(\)/.test(expression);
  return (isOwn || hasSucceeded) && evaluate(expression, status) !== "";
}

/** Surroundings of the jobs of a workflow. */
export interface GitHub {
  /** Values of expressions. `runJob` adds those of the job, and outputs of steps and jobs. */
  readonly values: Values;
  readonly machine: Machine;
  /** Folder of checkouts. */
  readonly workspace: string;
  /** Folder of temporary files, with the summary of the steps. */
  readonly temporary: string;
  /** Variables of the workflow. */
  readonly env?: Scalars;
  /** Variables that GitHub sets for each step. */
  readonly variables?: Environment;
  /** Runs an action. Without it, actions do nothing. */
  action?(step: ActionStep, github: GitHub): Promise<Ran>;
  /** Receives the variables of each step with a script. */
  onStep?(name: string, environment: Environment): void;
}

/** Step with an action, and the values of its inputs. */
export interface ActionStep {
  readonly id: string | undefined;
  readonly uses: string;
  readonly inputs: Environment;
}

/** Runs the steps of a job of GitHub in order. Returns the exit code of the first that fails, and the output of all. */
export async function runJob(
  name: string,
  job: Pick<Job, "steps" | "env" | "outputs">,
  github: GitHub,
): Promise<Ran> {
  const { values, workspace, temporary } = github;
  values.set("runner.temp", temporary).set("github.workspace", workspace);
  const env = { ...allEvaluated(github.env, values), ...allEvaluated(job.env, values) };
  for (const [key, value] of Object.entries(env)) values.set(`env.${key}`, value);
  let code = 0;
  let output = "";
  for (const [index, step] of job.steps.entries()) {
    if (!holds(step.if, values, code === 0)) continue;
    const ran = await runStep(step, `${name}-${index}`, { ...github, env });
    output += ran.output;
    if (step["continue-on-error"] !== true) code ||= ran.code;
  }
  for (const [key, text] of Object.entries(job.outputs ?? {}))
    values.set(`needs.${name}.outputs.${key}`, evaluated(text, values));
  return { code, output };
}

async function runStep(
  step: Step,
  key: string,
  github: GitHub & { readonly env: Environment },
): Promise<Ran> {
  const { values, machine, workspace, temporary, variables, env } = github;
  if (step.run === undefined) {
    const inputs = allEvaluated(step.with, values);
    const action: ActionStep = { id: step.id, uses: step.uses ?? "", inputs };
    return (await github.action?.(action, github)) ?? { code: 0, output: "" };
  }
  const outputs = join(temporary, `outputs-${key}`);
  const environment = { ...env, ...allEvaluated(step.env, values) };
  github.onStep?.(step.name ?? step.run, environment);
  const place = join(workspace, step["working-directory"] ?? ".");
  const ran = await machine.run(["bash", "-e", "-c"], step.run, place, {
    ...variables,
    ...environment,
    GITHUB_STEP_SUMMARY: join(temporary, "summary.md"),
    GITHUB_OUTPUT: outputs,
  });
  const results = existsSync(outputs) ? readFileSync(outputs, "utf8") : "";
  for (const [, name, value = ""] of results.matchAll(/^(\w+)=(.*)$/gm))
    values.set(`steps.${step.id}.outputs.${name}`, value);
  return ran;
}
