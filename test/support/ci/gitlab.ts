import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment, Machine, Ran } from "./machine.ts";
import { type Scalars, yamlOf } from "./yaml.ts";

/** Runs jobs of GitLab: their scripts, with the variables that the pipeline gives them. */

/** Job of GitLab. */
export interface GitLabJob {
  readonly stage?: string;
  readonly extends?: string;
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
  readonly after_script?: readonly string[];
  readonly variables?: Scalars;
  readonly environment?: string | { readonly name: string };
  readonly needs?: readonly string[];
  readonly parallel?: { readonly matrix: readonly Readonly<Record<string, readonly string[]>>[] };
  readonly rules?: readonly { readonly if: string; readonly when?: string }[];
  readonly resource_group?: string;
  readonly interruptible?: boolean;
  readonly artifacts?: {
    readonly when?: string;
    readonly paths?: readonly string[];
    readonly reports?: Readonly<Record<string, string>>;
  };
}

export interface GitLabPipeline {
  readonly stages: readonly string[];
  readonly variables: Readonly<Record<string, string | { readonly value?: string }>>;
  /** Jobs by their names, with the parts of the job that they extend. */
  readonly jobs: Readonly<Record<string, GitLabJob>>;
}

export function gitlabPipelineOf(text: string): GitLabPipeline {
  const { stages, variables, ...others } = yamlOf(text) as Readonly<Record<string, GitLabJob>> &
    Partial<Pick<GitLabPipeline, "stages" | "variables">>;
  const jobs = Object.entries(others)
    .filter(([name]) => !name.startsWith("."))
    .map(([name, job]): [string, GitLabJob] => [name, { ...others[job.extends ?? ""], ...job }]);
  return { stages: stages ?? [], variables: variables ?? {}, jobs: Object.fromEntries(jobs) };
}

/** Returns the name of the environment of a job; variables of the project may be limited to it. */
export const environmentOf = ({ environment }: GitLabJob): string | undefined =>
  typeof environment === "object" ? environment.name : environment;

/** Returns the variables that a file gives to a job, with those in `variables`, which are stronger. */
export function gitlabVariables(
  { variables: defaults }: GitLabPipeline,
  job: GitLabJob,
  variables: Environment,
): Record<string, string> {
  const texts = Object.entries({ ...defaults, ...job.variables }).map(
    ([name, value]) => [name, String(typeof value === "object" ? (value.value ?? "") : value)] as const,
  );
  const all = { ...Object.fromEntries(texts), ...variables };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, expanded(value, all)]));
}

/** Replaces the variables in a text of a pipeline by their values. */
export const expanded = (text: string, variables: Environment): string =>
  text.replace(/\$([A-Z_]+)/g, (_, name) => variables[name] ?? "");

/** Runs the scripts of a job of GitLab in a checkout, also the one after it, and with the variables of the job. */
export async function runGitLabJob(
  job: GitLabJob,
  { machine, checkout, variables }: { machine: Machine; checkout: string; variables: Environment },
): Promise<Ran> {
  const environment = { ...variables, CI_PROJECT_DIR: checkout };
  const run = (lines: readonly string[]) =>
    machine.run(["sh", "-e", "-c"], lines.join("\n"), checkout, environment);
  const { code, output } = await run([...(job.before_script ?? []), ...(job.script ?? [])]);
  const after = job.after_script === undefined ? undefined : await run(job.after_script);
  return { code, output: output + (after?.output ?? "") };
}

/** Copies the artifacts of a job of GitLab by their patterns: `paths`, and those of reports. */
export function gitlabArtifacts(
  { artifacts = {} }: GitLabJob,
  { checkout, variables, code, to }: { checkout: string; variables: Environment; code: number; to: string },
): void {
  if (code !== 0 && artifacts.when !== "always") return;
  for (const path of [...(artifacts.paths ?? []), ...Object.values(artifacts.reports ?? {})]) {
    const name = expanded(path, variables);
    if (existsSync(join(checkout, name))) copyFileSync(join(checkout, name), join(to, name));
  }
}
