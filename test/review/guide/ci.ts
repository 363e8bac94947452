import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { evaluate } from "../../support/ci/expression.ts";
import {
  type ActionStep,
  actionOf,
  evaluated,
  type GitHub,
  holds,
  type Job,
  runJob,
  workflowOf,
} from "../../support/ci/github.ts";
import {
  environmentOf,
  gitlabArtifacts,
  gitlabPipelineOf,
  gitlabVariables,
  runGitLabJob,
} from "../../support/ci/gitlab.ts";
import type { Environment, Machine, Ran } from "../../support/ci/machine.ts";

/** Runs the workflows and pipelines that `kcloud init review` writes as their hosts do: each job on a machine of its own. */

/** Repository and machines of a CI system. */
export interface Site {
  /** Folder for the checkouts of all jobs. */
  readonly folder: string;
  /** Bare repository. */
  readonly bare: string;
  machine(): Machine;
}

/** Result of the jobs of an event. */
export interface Run {
  /** Exit codes of the jobs that ran, by their names, such as "plan (net)". */
  readonly jobs: Record<string, number>;
  output: string;
  /** Summary of all steps, on GitHub. */
  summary: string;
  /** Variables of each job, or of each of its steps, by the name, such as "plan (net): Plan". */
  readonly variables: Record<string, Environment>;
  /** Folder of the artifacts: on GitHub one folder for each, by its name. */
  readonly artifacts: string;
}

const openRun = ({ folder }: Site): Run => ({
  jobs: {},
  output: "",
  summary: "",
  variables: {},
  artifacts: mkdtempSync(join(folder, "artifacts-")),
});

/** Runs a shell script, which must succeed. Returns the output. */
export async function script(machine: Machine, place: string, ...lines: readonly string[]): Promise<string> {
  const author = { GIT_AUTHOR_NAME: "ann", GIT_AUTHOR_EMAIL: "ann@example.com" };
  const committer = { GIT_COMMITTER_NAME: "ann", GIT_COMMITTER_EMAIL: "ann@example.com" };
  const { code, output } = await machine.run(["sh", "-e", "-c"], lines.join("\n"), place, {
    ...author,
    ...committer,
    GIT_CONFIG_GLOBAL: "/dev/null",
  });
  if (code !== 0) throw new Error(`${lines.join("\n")}\n${output}`);
  return output.trim();
}

const checkOut = ({ folder, bare, machine }: Site, place: string, revision: string) =>
  script(
    machine(),
    folder,
    `git clone -q ${bare} ${place}`,
    `git -C ${place} checkout -q --detach ${revision}`,
  );

/** Returns all combinations of the values of a matrix; one empty combination without a matrix. */
const combinations = (matrix: Readonly<Record<string, readonly string[]>> = {}): Environment[] =>
  Object.entries(matrix).reduce<Record<string, string>[]>(
    (rows, [name, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  );

const nameIn = (job: string, combination: Environment): string =>
  [job, ...Object.values(combination).map((value) => `(${value})`)].join(" ");

/** Event of GitHub, and the settings of the repository. */
export interface GitHubEvent {
  /** Values of expressions, as `github.event_name`. */
  readonly values: Environment;
  /** Secrets of the repository; those of an environment begin with its name, as `production.API_KEY`. */
  readonly secrets: Environment;
  /** Revision of the event. */
  readonly revision: string;
  /** Base URL of the API. */
  readonly api?: string;
  /** Token of jobs that may write to pull requests. */
  readonly token?: string;
  /** Pull request of the event. */
  readonly request?: { readonly number: number; readonly head: { readonly sha: string } };
}

/** Runs the jobs of a workflow for an event. */
export async function runWorkflow(site: Site, text: string, event: GitHubEvent): Promise<Run> {
  const workflow = workflowOf(text);
  const run = openRun(site);
  const shared = new Map(
    Object.entries({
      "github.server_url": "https://github.example",
      "github.repository": "acme/infra",
      "github.run_id": "1",
      ...event.values,
    }),
  );
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const needed = job.needs === undefined ? "success" : shared.get(`needs.${job.needs}.result`);
    if (!holds(job.if, shared, needed === "success")) {
      shared.set(`needs.${name}.result`, "skipped");
      continue;
    }
    const results: number[] = [];
    for (const combination of combinations(job.strategy?.matrix)) {
      const key = nameIn(name, combination);
      const code = await runGitHubJob(site, {
        name,
        key,
        job,
        event,
        combination,
        env: workflow.env ?? {},
        shared,
        run,
      });
      run.jobs[key] = code;
      results.push(code);
    }
    shared.set(`needs.${name}.result`, results.every((code) => code === 0) ? "success" : "failure");
  }
  return run;
}

async function runGitHubJob(
  site: Site,
  {
    name,
    key,
    job,
    event,
    combination,
    env,
    shared,
    run,
  }: {
    readonly name: string;
    readonly key: string;
    readonly job: Job;
    readonly event: GitHubEvent;
    readonly combination: Environment;
    readonly env: NonNullable<Job["env"]>;
    readonly shared: Map<string, string>;
    readonly run: Run;
  },
): Promise<number> {
  const place = mkdtempSync(join(site.folder, "job-"));
  const [workspace, temporary] = [join(place, "checkout"), join(place, "temporary")];
  for (const one of [workspace, temporary]) mkdirSync(one);
  const values = new Map(shared);
  for (const [axis, value] of Object.entries(combination)) values.set(`matrix.${axis}`, value);
  const secrets = [...text(job).matchAll(/secrets\.(\w+)/g)].map(([, secret = ""]) => secret);
  for (const secret of secrets)
    values.set(
      `secrets.${secret}`,
      event.secrets[`${job.environment}.${secret}`] ?? event.secrets[secret] ?? "",
    );
  const canWrite = job.permissions?.["pull-requests"] === "write";
  values.set("github.token", canWrite ? (event.token ?? "") : "token-that-only-reads");
  const eventPath = join(place, "event.json");
  writeFileSync(eventPath, JSON.stringify(event.request ? { pull_request: event.request } : {}));
  const { code, output } = await runJob(name, job, {
    values,
    machine: site.machine(),
    workspace,
    temporary,
    env,
    variables: {
      GITHUB_REPOSITORY: "acme/infra",
      GITHUB_SHA: event.revision,
      GITHUB_EVENT_PATH: eventPath,
      ...(event.api !== undefined && { GITHUB_API_URL: event.api }),
    },
    action: (step, github) =>
      action(site, { step, github, revision: event.revision, artifacts: run.artifacts }),
    onStep(step, environment) {
      run.variables[`${key}: ${step}`] = environment;
    },
  });
  for (const [output, value] of values) if (output.startsWith(`needs.${name}.`)) shared.set(output, value);
  run.output += output;
  const summary = join(temporary, "summary.md");
  if (existsSync(summary)) run.summary += readFileSync(summary, "utf8");
  return code;
}

const text = (value: unknown): string => JSON.stringify(value);

/** Runs an action of the workflows. */
async function action(
  site: Site,
  {
    step,
    github,
    revision,
    artifacts,
  }: { step: ActionStep; github: GitHub; revision: string; artifacts: string },
): Promise<Ran> {
  const { workspace, values } = github;
  const { name = "", path = "" } = step.inputs;
  switch (step.uses.replace(/@.*/, "")) {
    case "actions/checkout":
      await checkOut(site, join(workspace, step.inputs.path ?? "."), step.inputs.ref || revision);
      break;
    case "actions/upload-artifact": {
      const isMissing = !existsSync(path);
      if (isMissing)
        return { code: step.inputs["if-no-files-found"] === "ignore" ? 0 : 1, output: `no file ${path}` };
      mkdirSync(join(artifacts, name));
      copyFileSync(path, join(artifacts, name, basename(path)));
      break;
    }
    case "actions/download-artifact": {
      // By its name, into the folder; by a pattern, into a folder of its name there, and none is no error.
      const source = join(artifacts, name || (step.inputs.pattern ?? ""));
      if (!existsSync(source)) return { code: name === "" ? 0 : 1, output: `no artifact ${name}` };
      const target = name === "" ? join(path, basename(source)) : path;
      mkdirSync(target, { recursive: true });
      for (const file of readdirSync(source)) copyFileSync(join(source, file), join(target, file));
      break;
    }
    case "github/codeql-action/upload-sarif":
      JSON.parse(readFileSync(step.inputs.sarif_file ?? "", "utf8"));
      break;
    case "./review/action": {
      const composite = actionOf(readFileSync(join(workspace, step.uses, "action.yml"), "utf8"));
      const inner = new Map(values);
      for (const [key, value] of Object.entries(step.inputs)) inner.set(`inputs.${key}`, value);
      const ran = await runJob("action", composite.runs, { ...github, values: inner });
      for (const [key, { value }] of Object.entries(composite.outputs))
        values.set(`steps.${step.id}.outputs.${key}`, evaluated(value, inner));
      return ran;
    }
    case "actions/setup-node":
    case "hashicorp/setup-terraform":
    case "opentofu/setup-opentofu":
    case "pulumi/actions":
      break;
    default:
      throw new Error(`unknown action ${step.uses}`);
  }
  return { code: 0, output: "" };
}

/** Variable of a project of GitLab. */
export interface ProjectVariable {
  readonly name: string;
  readonly value: string;
  /** Environments whose jobs get it; undefined for all jobs. */
  readonly scopes?: readonly string[];
}

/** Pipeline of GitLab. */
export interface GitLabEvent {
  /** Variables that GitLab sets, and those of a person who starts the pipeline. */
  readonly variables: Environment;
  readonly project: readonly ProjectVariable[];
  readonly revision: string;
}

/** Runs the jobs of a pipeline of GitLab, manual ones too. */
export async function runPipeline(site: Site, text: string, event: GitLabEvent): Promise<Run> {
  const pipeline = gitlabPipelineOf(text);
  const run = openRun(site);
  const conditions = new Map(Object.entries(event.variables).map(([name, value]) => [`$${name}`, value]));
  const names = Object.keys(pipeline.jobs).toSorted(
    (a, b) =>
      pipeline.stages.indexOf(pipeline.jobs[a]?.stage ?? "") -
      pipeline.stages.indexOf(pipeline.jobs[b]?.stage ?? ""),
  );
  const failed = new Set<string>();
  for (const name of names) {
    const job = pipeline.jobs[name];
    const rule = job?.rules?.find((one) => evaluate(one.if, conditions) !== "");
    if (job === undefined || rule === undefined) continue;
    const isSkipped = rule.when !== "always" && (job.needs ?? [...failed]).some((one) => failed.has(one));
    if (isSkipped) continue;
    for (const combination of combinations(job.parallel?.matrix[0])) {
      const scope = environmentOf(job);
      const project = event.project.filter(
        ({ scopes }) => scopes === undefined || scopes.includes(scope ?? ""),
      );
      const given = gitlabVariables(
        pipeline,
        { ...job, variables: { ...job.variables, ...combination } },
        {
          ...Object.fromEntries(project.map((one) => [one.name, one.value])),
          ...event.variables,
        },
      );
      const key = nameIn(name, combination);
      run.variables[key] = given;
      const checkout = mkdtempSync(join(site.folder, "job-"));
      await checkOut(site, checkout, event.revision);
      if (job.needs !== undefined)
        for (const file of readdirSync(run.artifacts))
          copyFileSync(join(run.artifacts, file), join(checkout, file));
      const { code, output } = await runGitLabJob(job, {
        machine: site.machine(),
        checkout,
        variables: given,
      });
      gitlabArtifacts(job, { checkout, variables: given, code, to: run.artifacts });
      run.jobs[key] = code;
      run.output += output;
      if (code !== 0) failed.add(name);
    }
  }
  return run;
}
