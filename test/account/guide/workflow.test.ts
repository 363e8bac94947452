import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createEmulator, realClock } from "../../../emulator/emulator.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { environment } from "../../adapter/lifecycle/lifecycle.ts";
import { text } from "../../repository/repository.ts";
import { runJob, workflowOf } from "../../support/ci/github.ts";
import { gitlabPipelineOf, gitlabVariables, runGitLabJob } from "../../support/ci/gitlab.ts";
import { type Machine, machines } from "../../support/ci/machine.ts";
import { required } from "../../support/engine/terraform.ts";
import { make } from "../../support/large-account.ts";

/** Runs the workflows in examples/account in an empty folder with a checkout. */

const workflow = text("examples/account/github/account.yml");
const pipeline = text("examples/account/gitlab-ci.yml");
const limit = 60_000;

const clock = realClock();
/** Time in ms by which the clock of the API is ahead. */
let ahead = 0;
const emulator = createEmulator({ taskMs: 20, clock: { ...clock, now: () => clock.now() + ahead } });
const terraform = await ensureEngine("terraform");
let server: Awaited<ReturnType<typeof emulator.listen>>;
let folder: string;
/** Folder with a state of all objects of the account. */
let origin: string;
let machine: () => Machine;

beforeAll(async () => {
  server = await emulator.listen();
  folder = await mkdtemp(join(tmpdir(), "kcloud-workflow-"));
  origin = join(folder, "origin");
  await mkdir(join(origin, "infra"), { recursive: true });
  await mkdir(join(origin, "review"));
  for (const name of ["package.json", "package-lock.json"])
    await writeFile(join(origin, "review", name), "{}");
  machine = machines(folder, [terraform.path]);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Result of a pipeline: its exit code, and the files that it publishes by name. */
interface Result {
  readonly code: number;
  readonly output: string;
  readonly files: Readonly<Record<string, string>>;
}

const filesIn = (place: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const path = join(place, name);
      return existsSync(path) ? [[name, readFileSync(path, "utf8")]] : [];
    }),
  );

/** Runs the jobs of the workflow of GitHub in a checkout. */
async function runGitHub(checkout: string, temporary: string): Promise<Result> {
  const { read = { steps: [] }, publish = { steps: [] } } = workflowOf(workflow).jobs;
  const { SERVICE_BASE_URL = "", SERVICE_REGION = "" } = environment(server.url);
  const values = new Map([
    ["github.server_url", "https://github.example"],
    ["github.repository", "ana/shop"],
    ["github.run_id", "1"],
    ["vars.SERVICE_BASE_URL", SERVICE_BASE_URL],
    ["vars.SERVICE_REGION", SERVICE_REGION],
    ["secrets.READ_ONLY_API_KEY", "emulator-key"],
  ]);
  const github = { values, machine: machine(), workspace: checkout, temporary };
  let result = await runJob("read", read, github);
  if (result.code === 0) {
    const { code, output } = await runJob("publish", publish, { ...github, machine: machine() });
    result = { code, output: result.output + output };
  }
  return { ...result, files: published(temporary) };
}

const published = (temporary: string) =>
  filesIn(temporary, ["summary.md", "report/orphans.txt", "report/drift.html", "report/drift.sarif"]);

/** Runs the script of the job of GitLab in a checkout. */
async function runGitLab(checkout: string): Promise<Result> {
  const parsed = gitlabPipelineOf(pipeline);
  const { account = {} } = parsed.jobs;
  const variables = gitlabVariables(parsed, account, environment(server.url));
  const { code, output } = await runGitLabJob(account, { machine: machine(), checkout, variables });
  const names = [...pipeline.matchAll(/(?:codequality|junit): (\S+)/g)].map(([, name = ""]) => name);
  return { code, output, files: filesIn(checkout, ["orphans.txt", "drift.html", ...names]) };
}

const configuration = {
  ...required,
  resource: {
    kcloud_vpc: { shop: { name: "shop" } },
    kcloud_volume: {
      orders: { vpc_id: `\${kcloud_vpc.shop.id}`, name: "orders", size_gb: 20, volume_type: "ssd" },
    },
  },
};

/** Applies the configuration in an emulator without objects. */
async function applyStack(): Promise<void> {
  emulator.reset();
  const infra = join(origin, "infra");
  await rm(infra, { recursive: true });
  await mkdir(infra);
  await writeFile(join(infra, "main.tf.json"), JSON.stringify(configuration));
  const applied = await machine().run(
    ["sh", "-e", "-c"],
    "npm ci --ignore-scripts --prefix ../review && ../review/node_modules/.bin/kcloud install terraform --write && terraform init && terraform apply -auto-approve",
    infra,
    environment(server.url),
  );
  await rm(join(origin, "review/node_modules"), { recursive: true });
  expect(applied).toMatchObject({ code: 0 });
}
/** Situations of an account with the verdict: changes the account, returns words of the orphans and of the differences. */
const situations = {
  "nothing else and nothing different": { code: 0, prepare: async () => {} },
  "an object that no state has": {
    code: 3,
    prepare: () => make([{ name: "stray", resource: "vpc", inputs: { name: "stray `vpc`" } }], server.url),
  },
  "an object that was changed": {
    code: 3,
    prepare: async () => change("volume", { size: 40 }),
  },
  "an object that was deleted": {
    code: 3,
    prepare: async () => {
      ahead += 600_000;
      emulator.inventory.remove(krnOf("volume"));
    },
  },
  "a state without objects, as that of another workspace": {
    code: 4,
    prepare: () =>
      writeFile(
        join(origin, "infra/terraform.tfstate"),
        '{"version":4,"terraform_version":"1.16.0","serial":9,"lineage":"a","outputs":{},"resources":[]}',
      ),
  },
  "a listing that is refused": {
    code: 4,
    prepare: async () => emulator.faults.add({ target: "get_vpc_list", kind: "403" }),
  },
} as const;

const krnOf = (kind: string) => emulator.inventory.list().find((item) => item.kind === kind)?.krn ?? "";
const change = (kind: string, fields: Record<string, unknown>) =>
  emulator.inventory.change(krnOf(kind), fields);

const cases = Object.entries(situations).map(([name, situation]) => [name, situation] as const);

test.each(cases)(
  "an account with %s has its verdict on both hosts, and nothing is changed",
  async (name, { code, prepare }) => {
    await applyStack();
    await prepare();
    const before = JSON.stringify(emulator.inventory.list());
    emulator.log.clear();
    const [onGitHub, onGitLab] = await Promise.all(["github", "gitlab"].map((host) => checkedOut(host)));
    const results = [
      await runGitHub(onGitHub?.checkout ?? "", onGitHub?.temporary ?? ""),
      await runGitLab(onGitLab?.checkout ?? ""),
    ];
    expect(results.map((result) => [result.code, result.code === code ? "" : result.output])).toEqual([
      [code, ""],
      [code, ""],
    ]);
    const [github, gitlab] = results;
    const { "summary.md": summary = "", "report/drift.sarif": sarif = "{}" } = github?.files ?? {};
    expect(Object.keys(github?.files ?? {})).toHaveLength(4);
    expect(Object.keys(gitlab?.files ?? {})).toHaveLength(4);
    expect(summary).toMatch(/^## Orphans\n\n {4}\S/);
    const orphans = gitlab?.files["orphans.txt"] ?? "";
    if (name === "an object that no state has") {
      expect(orphans).toContain("stray `vpc`");
      // Every line with a name is code.
      for (const line of summary.split("\n")) if (line.includes("stray")) expect(line).toMatch(/^ {4}/);
    }
    expect(JSON.parse(sarif).runs[0].results.length > 0).toBe(/changed|deleted|without objects/.test(name));
    // The state holds secrets.
    for (const { files } of results)
      for (const content of Object.values(files)) expect(content).not.toContain('"lineage"');
    expect(JSON.stringify(emulator.inventory.list())).toBe(before);
    const methods = new Set(emulator.log.entries().map(({ method, operation }) => `${method} ${operation}`));
    expect([...methods].filter((request) => !/^GET |POST get_vpc$/.test(request))).toEqual([]);
  },
  limit,
);

/** Returns a new copy of the repository with its state, and a folder for temporary files. */
async function checkedOut(host: string) {
  const place = await mkdtemp(join(folder, `${host}-`));
  const checkout = join(place, "checkout");
  await cp(origin, checkout, { recursive: true, verbatimSymlinks: true });
  const temporary = join(place, "temporary");
  await mkdir(temporary);
  return { checkout, temporary };
}

test(
  "a state that cannot be read is an error, and not a verdict",
  async () => {
    await applyStack();
    await writeFile(join(origin, "infra/terraform.tfstate"), "{}");
    const [onGitHub, onGitLab] = await Promise.all(["github", "gitlab"].map((host) => checkedOut(host)));
    const codes = [
      await runGitHub(onGitHub?.checkout ?? "", onGitHub?.temporary ?? ""),
      await runGitLab(onGitLab?.checkout ?? ""),
    ].map(({ code }) => code);
    expect(codes).toEqual([1, 1]);
  },
  limit,
);

test("the workflow is valid by the schema of its host, and its actions are pinned by commit", () => {
  const { context } = parseWorkflow({ name: "account.yml", content: workflow }, new NoOperationTraceWriter());
  expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
  const used = [...workflow.matchAll(/uses: (.*)/g)].map(([, action]) => action);
  expect(used).toHaveLength(7);
  for (const action of used) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test("the job with credentials cannot write, the other one has none, and the state stays in the first", () => {
  expect(workflow).toMatch(/^permissions: \{\}$/m);
  const [, read = "", publish = ""] = workflow.split(/^ {2}(?=(?:read|publish):$)/m);
  expect(read).toMatch(/secrets\.READ_ONLY_API_KEY/);
  expect(read).not.toMatch(/: write|GITHUB_TOKEN|github\.token/);
  expect(publish).toMatch(/security-events: write/);
  expect(publish).not.toMatch(/secrets\.|npm|node/);
  for (const job of [read, publish])
    for (const step of job.split("uses: actions/checkout@").slice(1))
      expect(step.split("- ")[0]).toMatch(/persist-credentials: false/);
  const { steps = [] } = workflowOf(workflow).jobs.read ?? {};
  expect(steps.filter(({ run = "" }) => run.includes("${{"))).toEqual([]);
  expect(/upload-artifact[\s\S]*?path: (.*)/.exec(read)?.[1]).toBe("${{ runner.temp }}/report");
  expect(read).toContain("STATE: ${{ runner.temp }}/state.json\n");
});
