import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "../repository/repository.ts";

/**
 * Runs workflows of GitHub Actions and pipelines of GitLab: the scripts of their jobs in order, on machines with only git, Node, an
 * engine and the tools of a shell on PATH.
 */

export interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Machine of one job, with a home folder of its own. */
export interface Machine {
  /** Runs a script with a shell, as `["sh", "-e", "-c"]`. */
  run(
    shell: readonly string[],
    script: string,
    place: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<Ran>;
}

/** Tools of every shell that the scripts use. */
const tools = ["bash", "sh", "cat", "sed", "head", "mkdir", "mktemp", "env", "rm", "cp", "tar", "git"];

const whereIs = (name: string) =>
  spawnSync("sh", ["-c", `command -v ${name}`])
    .stdout.toString()
    .trim();

/** The npm of the machines: `npm ci` of a folder with a lock file installs only the command, which is that of `dist/`. */
const npm = `#!/bin/sh
set -eu
[ "$1 $2 $3" = "ci --ignore-scripts --prefix" ]
cat "$4/package.json" "$4/package-lock.json" > /dev/null
mkdir -p "$4/node_modules/.bin"
cp -P "$0.kcloud" "$4/node_modules/.bin/kcloud"
`;

/** Returns a function that makes a machine, with programs by their paths on its PATH. */
export function machines(folder: string, programs: readonly string[]): () => Machine {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (const path of [...programs, process.execPath, ...tools.map(whereIs)])
    symlinkSync(path, join(bin, basename(path)));
  writeFileSync(join(bin, "npm"), npm, { mode: 0o755 });
  symlinkSync(join(root, "dist/kcloud"), join(bin, "npm.kcloud"));
  return () => {
    const home = mkdtempSync(join(folder, "home-"));
    return {
      run: ([command = "sh", ...args], script, cwd, environment) =>
        new Promise((resolve) => {
          const env = { PATH: bin, HOME: home, CHECKPOINT_DISABLE: "1", ...environment };
          execFile(command, [...args, script], { cwd, env }, (error, stdout, stderr) => {
            const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
            resolve({ code, output: `${stdout}${stderr}` });
          });
        }),
    };
  };
}

/** Values of expressions by name, as `runner.temp`. */
export type Values = Map<string, string>;

/** Evaluates an expression of a workflow: names, texts, `==`, `!=`, `&&` and `||`. */
function evaluate(expression: string, values: Values): string {
  // From the operator that binds least to the one that binds most.
  for (const operator of [" || ", " && ", " == ", " != "]) {
    const at = expression.indexOf(operator);
    if (at < 0) continue;
    const left = evaluate(expression.slice(0, at), values);
    const right = () => evaluate(expression.slice(at + operator.length), values);
    if (operator === " || ") return left || right();
    if (operator === " && ") return left && right();
    return (left === right()) === (operator === " == ") ? "true" : "";
  }
  const literal = /^'(.*)'$/.exec(expression)?.[1];
  const value = literal ?? values.get(expression);
  // The other kinds of events have no such value.
  if (value === undefined && !expression.startsWith("github.event."))
    throw new Error(`no value of ${expression}`);
  return value ?? "";
}

/** Replaces the expressions in a text by their values. */
export const evaluated = (text: string, values: Values): string =>
  text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression) => evaluate(expression, values));

/** Step of a job. */
export interface Step {
  readonly id: string | undefined;
  readonly place: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly script: string | undefined;
  /** Action of a step without a script, and its inputs. */
  readonly uses: string | undefined;
  readonly inputs: Readonly<Record<string, string>>;
}

/** Returns the entries of a mapping below a key of a step. */
function entriesBelow(step: string, key: string): Record<string, string> {
  const block = new RegExp(`^(?: {8})?${key}:\\n((?: {10}.*\\n)+)`, "m").exec(step)?.[1] ?? "";
  const pairs = [...block.matchAll(/^ {10}([\w-]+): (.*)$/gm)];
  return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, value]));
}

/** Returns the steps of a job, a text with `steps:` at the indentation of workflows. */
export function stepsOf(job: string): Step[] {
  return job
    .slice(job.indexOf("    steps:\n"))
    .split(/^ {6}- /m)
    .slice(1)
    .map((step): Step => {
      const lines = `${step}\n`;
      const block = /^(?: {8})?run: \|\n((?: {10}.*\n|\n)+)/m.exec(lines)?.[1];
      return {
        id: /^(?: {8})?id: (.*)$/m.exec(lines)?.[1],
        place: /^ {8}working-directory: (.*)$/m.exec(lines)?.[1],
        env: entriesBelow(lines, "env"),
        script: block?.replace(/^ {10}/gm, "") ?? /^(?: {8})?run: (.*)$/m.exec(lines)?.[1],
        uses: /^(?: {8})?uses: (\S+)/m.exec(lines)?.[1],
        inputs: entriesBelow(lines, "with"),
      };
    });
}

/** Returns the jobs of a workflow by their names. */
export const jobsOf = (workflow: string): Record<string, string> =>
  Object.fromEntries(
    workflow
      .slice(workflow.indexOf("\njobs:"))
      .split(/^ {2}(?=[\w-]+:$)/m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf(":")), part]),
  );

/** Surroundings of the jobs of a workflow. */
export interface GitHub {
  /** Values of expressions. `runJob` adds those of the job, and outputs of steps and jobs. */
  readonly values: Values;
  readonly machine: Machine;
  /** Folder of checkouts. */
  readonly workspace: string;
  /** Folder of temporary files, with the summary of the steps. */
  readonly temporary: string;
  /** Runs an action. Without it, actions do nothing. */
  action?(step: Step, github: GitHub): Promise<Ran>;
}

/** Returns true if a job runs for the event in the values. */
export const isRun = (job: string, values: Values): boolean => {
  const condition = /^ {4}if: (.*)$/m.exec(job)?.[1];
  return condition === undefined || evaluate(condition, values) !== "";
};

/** Runs the steps of a job of GitHub in order, up to the first that fails. */
export async function runJob(name: string, job: string, github: GitHub): Promise<Ran> {
  const { values, machine, workspace, temporary } = github;
  values.set("runner.temp", temporary).set("github.workspace", workspace);
  let all = "";
  for (const [index, step] of stepsOf(job).entries()) {
    const inputs = Object.entries(step.inputs).map(([key, text]) => [key, evaluated(text, values)] as const);
    const outputs = join(temporary, `${name}-${index}`);
    const { code, output } =
      step.script === undefined
        ? ((await github.action?.({ ...step, inputs: Object.fromEntries(inputs) }, github)) ?? succeeded)
        : await machine.run(["bash", "-e", "-c"], step.script, join(workspace, step.place ?? "."), {
            ...Object.fromEntries(
              Object.entries(step.env).map(([key, text]) => [key, evaluated(text, values)]),
            ),
            GITHUB_STEP_SUMMARY: join(temporary, "summary.md"),
            GITHUB_OUTPUT: outputs,
          });
    all += output;
    const results = existsSync(outputs) ? readFileSync(outputs, "utf8") : "";
    for (const [, key, value = ""] of results.matchAll(/^(\w+)=(.*)$/gm))
      values.set(`steps.${step.id}.outputs.${key}`, value);
    if (code !== 0) return { code, output: all };
  }
  const outputs = /^ {4}outputs:\n((?: {6}.*\n)+)/m.exec(job)?.[1] ?? "";
  for (const [, key, text = ""] of outputs.matchAll(/^ {6}(\w+): (.*)$/gm))
    values.set(`needs.${name}.outputs.${key}`, evaluated(text, values));
  return { code: 0, output: all };
}

const succeeded: Ran = { code: 0, output: "" };

/** Runs a job of a pipeline of GitLab in a checkout, with variables of the project and of the pipeline. */
export function runGitLabJob(
  pipeline: string,
  name: string,
  { machine, checkout, variables }: { machine: Machine; checkout: string; variables: Record<string, string> },
): Promise<Ran> {
  const sections = new Map(
    pipeline.split(/^(?=[.\w-]+:)/m).map((part) => [part.slice(0, part.indexOf(":")), part]),
  );
  const job = sections.get(name) ?? "";
  const base = sections.get(/^ {2}extends: (.*)$/m.exec(job)?.[1] ?? "") ?? "";
  const defined = [...`${sections.get("variables") ?? ""}${job}`.matchAll(/^ +([A-Z_]+): "?([^"\n]*)"?$/gm)];
  const lines = [linesBelow(base, "before_script"), linesBelow(job, "script")].flat();
  if (lines.length === 0) throw new Error(`the pipeline has no job ${name}`);
  return machine.run(["sh", "-e", "-c"], lines.join("\n"), checkout, {
    ...Object.fromEntries(defined.map(([, key = "", value = ""]) => [key, value])),
    CI_PROJECT_DIR: checkout,
    ...variables,
  });
}

/** Returns the commands below a key of a job. */
function linesBelow(job: string, key: string): string[] {
  const block = new RegExp(`^ {2}${key}:\\n((?: {4}.*\\n)+)`, "m").exec(`${job}\n`)?.[1] ?? "";
  return [...block.matchAll(/^ {4}- (.*)$/gm)].map(([, line = ""]) => line);
}
