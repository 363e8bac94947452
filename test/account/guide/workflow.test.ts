import { execFile, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createEmulator } from "../../../emulator/emulator.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { environment } from "../../adapter/lifecycle/lifecycle.ts";
import { text } from "../../repository/repository.ts";
import { openFolder, required } from "../../support/engine/terraform.ts";
import { make } from "../../support/large-account.ts";

/**
 * Runs the scripts of the workflows in examples/account, in order, in an empty folder with a checkout, with only git, node, the
 * engine and the tools of the shell on PATH. The step that installs the package is left out: the command is that of `dist/`.
 */

const root = join(import.meta.dirname, "../../..");
const workflow = text("examples/account/github/account.yml");
const pipeline = text("examples/account/gitlab-ci.yml");
const limit = 60_000;

const emulator = createEmulator({ taskMs: 20 });
const terraform = await ensureEngine("terraform");
let server: Awaited<ReturnType<typeof emulator.listen>>;
let folder: string;
/** Folder with a state of all objects of the account, and with the commands of PATH. */
let origin: string;

beforeAll(async () => {
  server = await emulator.listen();
  folder = await mkdtemp(join(tmpdir(), "kcloud-workflow-"));
  origin = join(folder, "origin");
  await mkdir(join(origin, "infra"), { recursive: true });
  const bin = join(folder, "bin");
  await mkdir(bin);
  for (const path of [terraform.path, process.execPath, whereIs("git"), ...tools.map(whereIs)])
    await symlink(path, join(bin, path.split("/").at(-1) ?? ""));
  await mkdir(join(origin, "review/node_modules/.bin"), { recursive: true });
  await symlink(join(root, "dist/kcloud"), join(origin, "review/node_modules/.bin/kcloud"));
  const home = join(folder, "home");
  await mkdir(home);
  await openFolder(terraform, home, {});
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Tools of every shell that the scripts use. */
const tools = ["bash", "sh", "cat", "sed", "head", "mkdir", "mktemp", "env"];
const whereIs = (name: string) =>
  spawnSync("sh", ["-c", `command -v ${name}`])
    .stdout.toString()
    .trim();

/** Variables that every script gets: those of the runner, and the credentials. */
const variables = (): Record<string, string> => ({
  PATH: join(folder, "bin"),
  HOME: join(folder, "home"),
  TF_CLI_CONFIG_FILE: join(folder, "home/.mirror/engine.rc"),
  CHECKPOINT_DISABLE: "1",
  ...environment(server.url),
});

/** Runs a script. Returns the exit code and the output. */
const run = (
  shell: readonly string[],
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const [command = "sh", ...args] = shell;
    const options = { cwd, env: { ...variables(), ...env } };
    execFile(command, [...args, script], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });

/** Step of a job with a script. */
interface Step {
  readonly id: string | undefined;
  readonly place: string | undefined;
  readonly env: readonly (readonly [name: string, value: string])[];
  readonly script: string;
}

/** Returns the steps of a job that have a script. */
function stepsOf(job: string): Step[] {
  return job
    .slice(job.indexOf("    steps:\n"))
    .split(/^ {6}- /m)
    .slice(1)
    .flatMap((step): Step[] => {
      const block = /^(?: {8})?run: \|\n((?: {10}.*\n|\n)+)/m.exec(step)?.[1];
      const script = block?.replace(/^ {10}/gm, "") ?? /^(?: {8})?run: (.*)$/m.exec(step)?.[1];
      if (script === undefined) return [];
      const env = /^(?: {8})?env:\n((?: {10}.*\n)+)/m.exec(step)?.[1] ?? "";
      const pairs = [...env.matchAll(/^ {10}(\w+): (.*)$/gm)];
      return [
        {
          id: /^ {8}id: (.*)$/m.exec(step)?.[1],
          place: /^ {8}working-directory: (.*)$/m.exec(step)?.[1],
          env: pairs.map(([, name = "", value = ""]) => [name, value] as const),
          script,
        },
      ];
    });
}

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
  const [, read = "", publish = ""] = workflow.split(/^ {2}(?=(?:read|publish):$)/m);
  const values = new Map([
    ["runner.temp", temporary],
    ["github.workspace", checkout],
    ["github.server_url", "https://github.example"],
    ["github.repository", "ana/shop"],
    ["github.run_id", "1"],
    ["secrets.READ_ONLY_API_KEY", "emulator-key"],
  ]);
  const evaluated = (value: string) =>
    value.replace(/\$\{\{ (.*?) \}\}/g, (_, name) => {
      const known = values.get(name);
      if (known === undefined) throw new Error(`no value of ${name}`);
      return known;
    });
  const summary = join(temporary, "summary.md");
  let all = "";
  for (const { id, place = ".", env, script } of [...stepsOf(read), ...stepsOf(publish)]) {
    if (/^npm ci /.test(script)) continue;
    const outputs = join(temporary, "output");
    const { code, output } = await run(["bash", "-e", "-c"], script, join(checkout, place), {
      ...Object.fromEntries(env.map(([name, value]) => [name, evaluated(value)])),
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_OUTPUT: outputs,
    });
    all += output;
    if (id !== undefined && existsSync(outputs))
      values.set(`needs.read.outputs.${id}`, /code=(\d+)\n$/.exec(readFileSync(outputs, "utf8"))?.[1] ?? "");
    if (code !== 0) return { code, output: all, files: published(temporary) };
  }
  return { code: 0, output: all, files: published(temporary) };
}

const published = (temporary: string) =>
  filesIn(temporary, ["summary.md", "report/orphans.txt", "report/drift.html", "report/drift.sarif"]);

/** Runs the script of the job of GitLab in a checkout. */
async function runGitLab(checkout: string): Promise<Result> {
  const script = /^ {2}script:\n((?: {4}.*\n)+)/m.exec(pipeline)?.[1] ?? "";
  const lines = [...script.matchAll(/^ {4}- (?!npm ci )(.*)$/gm)].map(([, line]) => line);
  const { code, output } = await run(["sh", "-e", "-c"], lines.join("\n"), checkout, {
    CI_PROJECT_DIR: checkout,
    ENGINE: "terraform",
    DIR: "infra",
  });
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
  const applied = await run(["sh", "-e", "-c"], "terraform init && terraform apply -auto-approve", infra, {});
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
    prepare: async () => emulator.inventory.remove(krnOf("volume")),
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
    expect(JSON.parse(sarif).runs[0].results.length > 0).toBe(/changed|deleted/.test(name));
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
  for (const action of used) expect(action).toMatch(/^[\w/-]+@(COMMIT|[0-9a-f]{40}) # v\d+$/);
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
  expect(stepsOf(read).filter(({ script }) => script.includes("${{"))).toEqual([]);
  expect(/upload-artifact[\s\S]*?path: (.*)/.exec(read)?.[1]).toBe("${{ runner.temp }}/report");
  expect(read).toContain("STATE: ${{ runner.temp }}/state.json\n");
});
