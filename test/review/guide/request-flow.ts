import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect } from "@jest/globals";
import { createEmulator } from "../../../emulator/emulator.ts";
import { terraformSource } from "../../../provider/core/name.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { root } from "../../repository/repository.ts";
import { machines } from "../../support/ci/machine.ts";
import { expectGolden } from "../../support/golden.ts";
import { serve } from "../post/double.ts";
import { githubDouble, githubToken } from "../post/github-double.ts";
import { gitlabDouble, gitlabToken } from "../post/gitlab-double.ts";
import { type Run, runPipeline, runWorkflow, type Site, script } from "./ci.ts";

/**
 * Two requests of a repository with three stacks, from the plan to the report after the apply: with the files that
 * `kcloud init review` writes, a real engine, the built command, and doubles of the cloud and of the host.
 */

export type EngineName = "terraform" | "pulumi";
export type HostName = "github" | "gitlab";

/** Values that must be in no output: credentials, and a sensitive value of a plan. */
export const canaries = {
  apiKey: "canary-api-key-pQ7mZ3",
  passphrase: "canary-passphrase-wE4nB8",
  sensitive: "canary-vault-rT6yU1",
  githubToken,
  gitlabToken,
} as const;

const stacks = ["app", "data", "net"] as const;
type Stack = (typeof stacks)[number];

/** Resource of a stack, in the words of both engines. */
interface Resource {
  readonly kind: "vpc" | "volume";
  readonly name: string;
  readonly zone?: string;
  readonly after?: string;
  readonly isSensitive?: boolean;
}

const vpc = (name: string): Resource => ({ kind: "vpc", name });
const volume = (name: string, more: Partial<Resource> = {}): Resource => ({ kind: "volume", name, ...more });

/** The stacks of the default branch, and those of the requests. */
const initial: Readonly<Record<Stack, readonly Resource[]>> = {
  app: [vpc("app")],
  data: [vpc("data"), volume("orders", { zone: "nova" })],
  net: [vpc("net")],
};
const destructive = [
  vpc("data"),
  volume("orders", { zone: "nova-2" }),
  volume("invoices", { after: "orders" }),
  { ...vpc("vault"), isSensitive: true },
];
const harmless = [vpc("app"), volume("cache")];

/** Engine with the files of its stacks. */
interface Engine {
  readonly programs: readonly string[];
  /** Variables of the machines. */
  readonly settings: Readonly<Record<string, string>>;
  /** Variables of the state backend, with STACK for the name of a stack. */
  readonly backend: Readonly<Record<string, string>>;
  files(stack: string, resources: readonly Resource[]): Readonly<Record<string, string>>;
  /** Commands of a developer that apply a stack for the first time, in its folder. */
  readonly first: readonly string[];
  address(resource: string): string;
}

async function terraform(folder: string): Promise<Engine> {
  const engine = await ensureEngine("terraform");
  const blockOf = (stack: string, { kind, name, zone, after, isSensitive }: Resource) => {
    const text = isSensitive ? `sensitive("${canaries.sensitive}")` : `"${name}"`;
    const lines =
      kind === "vpc"
        ? []
        : [
            `  vpc_id      = kcloud_vpc.${stack}.id`,
            "  size_gb     = 20",
            '  volume_type = "ssd"',
            ...(zone === undefined ? [] : [`  availability_zone = "${zone}"`]),
            ...(after === undefined ? [] : [`  depends_on  = [kcloud_volume.${after}]`]),
          ];
    return [`resource "kcloud_${kind}" "${name}" {`, `  name = ${text}`, ...lines, "}", ""].join("\n");
  };
  return {
    programs: [engine.path],
    settings: {},
    backend: { TF_CLI_ARGS_init: `-backend-config=path=${join(folder, "states")}/STACK.tfstate` },
    files: (stack, resources) => ({
      "main.tf": `terraform {
  required_providers {
    kcloud = { source = "${terraformSource}" }
  }
  backend "local" {}
}

${resources.map((resource) => blockOf(stack, resource)).join("\n")}`,
    }),
    first: ["terraform init -input=false", "terraform apply -input=false -auto-approve"],
    address: (resource) => `kcloud_volume.${resource}`,
  };
}

async function pulumi(folder: string): Promise<Engine> {
  const engine = await ensureEngine("pulumi-yaml");
  const backend = join(folder, "states");
  const blockOf = (stack: string, { kind, name, zone, after, isSensitive }: Resource) => [
    name,
    {
      type: kind === "vpc" ? "kcloud:Vpc" : "kcloud:Volume",
      properties: {
        name: isSensitive ? { "fn::secret": canaries.sensitive } : name,
        ...(kind === "volume" && { vpcId: `\${${stack}.id}`, sizeGb: 20, volumeType: "ssd" }),
        ...(zone !== undefined && { availabilityZone: zone }),
      },
      ...(after !== undefined && { options: { dependsOn: [`\${${after}}`] } }),
    },
  ];
  const languageHost = (engine.env.PATH ?? "")
    .split(delimiter)
    .map((place) => join(place, "pulumi-language-yaml"))
    .find((path) => existsSync(path));
  const { PATH: _, PULUMI_HOME: __, ...settings } = engine.env;
  return {
    programs: [engine.path, languageHost ?? ""],
    settings,
    backend: {
      PULUMI_BACKEND_URL: `file://${backend}`,
      PULUMI_CONFIG_PASSPHRASE: canaries.passphrase,
      PULUMI_STACK: "prod",
    },
    files: (stack, resources) => ({
      // JSON is YAML.
      "Pulumi.yaml": `${JSON.stringify(
        {
          name: stack,
          runtime: "yaml",
          resources: Object.fromEntries(resources.map((resource) => blockOf(stack, resource))),
        },
        undefined,
        2,
      )}\n`,
    }),
    first: ["pulumi stack init prod --non-interactive", "pulumi up --yes --skip-preview --non-interactive"],
    address: (resource) => `kcloud:index:Volume::${resource}`,
  };
}

const engines = { terraform, pulumi };

/** Host with the workflows in the repository, and a double of its API. */
interface Host {
  /** Replaces what a repository with three stacks and this engine changes in the files that `kcloud init review` wrote. */
  configure(work: string, engine: EngineName, backend: Readonly<Record<string, string>>): void;
  /** Opens a request. */
  open(): Promise<Request>;
  /** Runs what the host runs for a revision of the open request. */
  review(request: Request, site: Site, revisions: Revisions): Promise<Run>;
  /** Runs an apply of the default branch, which a person starts. */
  apply(site: Site, settings: ApplySettings): Promise<Run>;
}

interface Revisions {
  readonly head: string;
  readonly base: string;
}

interface ApplySettings {
  readonly request: Request;
  readonly revision: string;
  readonly stack: Stack;
  readonly digest: string;
}

/** Request on a double. */
interface Request {
  readonly api: string;
  setHead(revision: string): void;
  /** Merges the request; the revision is the commit on the default branch. */
  merge(revision: string): void;
  comments(): readonly string[];
  labels(): readonly string[];
  /** Statuses, each "NAME: state". */
  statuses(revision: string): readonly string[];
  close(): Promise<void>;
}

const edit = (path: string, replacements: readonly (readonly [string, string])[]): void => {
  let text = readFileSync(path, "utf8");
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
    text = text.replaceAll(from, () => to);
  }
  writeFileSync(path, text);
};

/** Variables of the cloud for jobs and developers. */
const cloud = (url: string) => ({ SERVICE_BASE_URL: url, SERVICE_REGION: "In-Bangalore-1" });

function github(url: string): Host {
  const { SERVICE_BASE_URL, SERVICE_REGION } = cloud(url);
  const workflow = (site: Site, name: string) =>
    readFileSync(join(site.folder, "work/.github/workflows", name), "utf8");
  const values = { "vars.SERVICE_BASE_URL": SERVICE_BASE_URL, "vars.SERVICE_REGION": SERVICE_REGION };
  const secrets = {
    READ_ONLY_API_KEY: canaries.apiKey,
    "production.API_KEY": canaries.apiKey,
    PULUMI_CONFIG_PASSPHRASE: canaries.passphrase,
  };
  return {
    configure(work, engine, backend) {
      const added = Object.entries(backend).map(([name, value]) => {
        const isSecret = Object.values<string>(canaries).includes(value);
        return `${name}: ${isSecret ? `\${{ secrets.${name} }}` : value.replace("STACK", "${{ env.STACK }}")}`;
      });
      const common = [
        ["ENGINE: terraform", `ENGINE: ${engine}`],
        ["[infra]", `[${stacks.join(", ")}]`],
        ["# Add the variables of the state backend here.", added.join(`\n${" ".repeat(10)}`)],
      ] as const;
      edit(join(work, ".github/workflows/review.yml"), [
        ...common,
        ["DIR: ${{ matrix.stack }}", "DIR: stacks/${{ matrix.stack }}"],
      ]);
      edit(join(work, ".github/workflows/apply.yml"), [
        ...common,
        ["default: infra", "default: app"],
        ["DIR: ${{ inputs.stack }}", "DIR: stacks/${{ inputs.stack }}"],
      ]);
    },
    async open() {
      const { api, double, close } = await serve((url) => githubDouble(url));
      return {
        api,
        close,
        setHead(revision) {
          double.pull.head = revision;
        },
        merge(revision) {
          Object.assign(double.pull, {
            state: "closed",
            merged: true,
            mergeCommit: revision,
          } satisfies Partial<typeof double.pull>);
        },
        comments: () => double.comments.map(({ body }) => body),
        labels: () => double.pull.labels,
        statuses: (revision) =>
          double.checks
            .filter(({ head_sha }) => head_sha === revision)
            .map(({ name, conclusion, output }) => `${name}: ${conclusion}, ${output.title}`),
      };
    },
    review: (request, site, { head, base }) =>
      runWorkflow(site, workflow(site, "review.yml"), {
        values: {
          ...values,
          "github.event_name": "pull_request",
          "github.event.pull_request.head.repo.full_name": "acme/infra",
          "github.event.pull_request.number": "7",
          "github.event.pull_request.base.sha": base,
        },
        secrets,
        revision: head,
        api: request.api,
        token: githubToken,
        request: { number: 7, head: { sha: head } },
      }),
    apply: (site, { request, revision, stack, digest }) =>
      runWorkflow(site, workflow(site, "apply.yml"), {
        values: {
          ...values,
          "github.event_name": "workflow_dispatch",
          "github.ref": "refs/heads/main",
          "github.event.repository.default_branch": "main",
          "inputs.stack": stack,
          "inputs.digest": digest,
          "inputs.request": "",
        },
        secrets,
        revision,
        api: request.api,
        token: githubToken,
      }),
  };
}

function gitlab(url: string): Host {
  const pipeline = (site: Site) => readFileSync(join(site.folder, "work/review/gitlab-ci.yml"), "utf8");
  let backend: Readonly<Record<string, string>> = {};
  const project = () => [
    ...Object.entries(cloud(url)).map(([name, value]) => ({ name, value })),
    ...Object.entries({ SERVICE_API_KEY: canaries.apiKey, ...backend }).map(([name, value]) => ({
      name,
      value,
      scopes: ["review-plan", "production"],
    })),
    { name: "GITLAB_TOKEN", value: gitlabToken, scopes: ["review-post"] },
  ];
  const predefined = (request: Request, revision: string) => ({
    CI_API_V4_URL: request.api,
    CI_COMMIT_SHA: revision,
    CI_DEFAULT_BRANCH: "main",
    CI_PIPELINE_ID: "1",
    CI_PIPELINE_URL: "https://gitlab.example/acme/infra/-/pipelines/1",
    CI_PROJECT_ID: "acme/infra",
    CI_PROJECT_PATH: "acme/infra",
  });
  return {
    configure(work, engine, variables) {
      backend = Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, value.replace("STACK", () => "$STACK")]),
      );
      edit(join(work, "review/gitlab-ci.yml"), [
        ["ENGINE: terraform", `ENGINE: ${engine}`],
        ["[infra]", `[${stacks.join(", ")}]`],
        ["value: infra", "value: app"],
        ["DIR: $STACK", "DIR: stacks/$STACK"],
      ]);
    },
    async open() {
      const { double, close } = await serve((url) => gitlabDouble(`${url}/api/v4`));
      return {
        api: double.api,
        close,
        setHead(revision) {
          double.request.sha = revision;
        },
        merge(revision) {
          Object.assign(double.request, { state: "merged", mergeCommit: revision } satisfies Partial<
            typeof double.request
          >);
        },
        comments: () => double.notes.filter(({ system }) => !system).map(({ body }) => body),
        labels: () => double.request.labels,
        statuses: (revision) =>
          double.statuses
            .filter(({ sha }) => sha === revision)
            .map(({ name, state, description }) => `${name}: ${state}, ${description}`),
      };
    },
    review: (request, site, { head }) =>
      runPipeline(site, pipeline(site), {
        project: project(),
        revision: head,
        variables: {
          ...predefined(request, head),
          CI_PIPELINE_SOURCE: "merge_request_event",
          CI_MERGE_REQUEST_IID: "7",
          CI_MERGE_REQUEST_PROJECT_ID: "acme/infra",
          CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: "",
          CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: "acme/infra",
          CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
        },
      }),
    apply: (site, { request, revision, stack, digest }) =>
      runPipeline(site, pipeline(site), {
        project: project(),
        revision,
        variables: {
          ...predefined(request, revision),
          CI_COMMIT_BRANCH: "main",
          CI_PIPELINE_SOURCE: "web",
          STACK: stack,
          DIGEST: digest,
        },
      }),
  };
}

const hosts = { github, gitlab };

/** Transcript of the requests, and all texts that leave the jobs. */
export interface Flow {
  readonly transcript: string;
  /** Outputs of all jobs, artifacts, comments and statuses. */
  readonly texts: readonly string[];
  /** Names of the variables of each job, or on GitHub of each step, by its name. */
  readonly variables: ReadonlyMap<string, readonly string[]>;
  /** Names of the volumes of the cloud after each step. */
  readonly volumes: readonly (readonly string[])[];
}

/** Runs both requests. */
export async function runFlow(engineName: EngineName, hostName: HostName): Promise<Flow> {
  const folder = mkdtempSync(join(tmpdir(), "kcloud-request-"));
  const emulator = createEmulator({ taskMs: 20, apiKey: canaries.apiKey });
  const server = await emulator.listen();
  const requests: Request[] = [];
  try {
    const engine = await engines[engineName](folder);
    const host = hosts[hostName](server.url);
    // Only their speed differs from that of a user.
    const speed = { SERVICE_MAX_REQUESTS_PER_SECOND: "0", SERVICE_SETTLE_SECONDS: "1" };
    const machine = machines(folder, engine.programs, { ...engine.settings, ...speed });
    const site: Site = { folder, bare: join(folder, "origin.git"), machine };
    const developer = machine();
    const work = join(folder, "work");
    const git = (...lines: readonly string[]) => script(developer, work, ...lines);
    const push = async (message: string, branch: string): Promise<string> =>
      git(
        "git add -A",
        `git commit -q -m "${message}"`,
        `git push -q --force origin HEAD:${branch}`,
        "git rev-parse HEAD",
      );
    const write = (stack: Stack, resources: readonly Resource[]) => {
      for (const [name, text] of Object.entries(engine.files(stack, resources)))
        writeFileSync(join(work, "stacks", stack, name), text);
    };

    const variables = new Map<string, readonly string[]>();
    const texts: string[] = [];
    const volumes: string[][] = [];
    const transcript = transcriptOf({ engineName, hostName });
    const record = (title: string, run: Run, request: Request, revision: string) => {
      for (const [name, environment] of Object.entries(run.variables))
        variables.set(name, Object.keys(environment).toSorted());
      const comments = request.comments();
      const step = transcript.add(title, {
        jobs: run.jobs,
        comments,
        labels: request.labels(),
        statuses: request.statuses(revision),
      });
      texts.push(run.output, run.summary, ...filesIn(run.artifacts), step);
      volumes.push(volumesOf(emulator));
    };

    // The repository, its stacks, and the first apply of a developer.
    const kcloud = join(root, "dist/kcloud");
    await script(developer, folder, "git init -q --bare -b main origin.git", "git clone -q origin.git work");
    await git("git checkout -q -B main", `${kcloud} init review --${hostName}`);
    host.configure(work, engineName, engine.backend);
    for (const name of ["package.json", "package-lock.json"]) writeFileSync(join(work, "review", name), "{}");
    writeFileSync(join(work, ".gitignore"), "node_modules/\n.terraform/\n");
    mkdirSync(join(folder, "states"));
    await script(
      developer,
      folder,
      `${kcloud} install ${engineName}${engineName === "terraform" ? " --write" : ""}`,
    );
    for (const stack of stacks) {
      mkdirSync(join(work, "stacks", stack), { recursive: true });
      write(stack, initial[stack]);
      const exported = Object.entries({
        ...cloud(server.url),
        SERVICE_API_KEY: canaries.apiKey,
        ...engine.backend,
      });
      const exports = exported.map(([name, value]) => `export ${name}='${value.replace("STACK", stack)}'`);
      await script(developer, join(work, "stacks", stack), ...exports, ...engine.first);
    }
    let main = await push("Three stacks", "main");

    const open = async (): Promise<Request> => {
      const request = await host.open();
      requests.push(request);
      return request;
    };
    const review = async (title: string, request: Request, head: string): Promise<Run> => {
      transcript.name(head);
      request.setHead(head);
      const run = await host.review(request, site, { head, base: main });
      record(title, run, request, head);
      return run;
    };
    const apply = async (title: string, settings: Omit<ApplySettings, "revision">): Promise<Run> => {
      transcript.name(main);
      const run = await host.apply(site, { ...settings, revision: main });
      record(title, run, settings.request, main);
      return run;
    };
    const merge = async (branch: string, request: Request): Promise<void> => {
      main = await git(
        "git checkout -q main",
        `git merge -q --no-ff -m "Merge ${branch}" ${branch}`,
        "git push -q origin main",
        "git rev-parse HEAD",
      );
      request.merge(main);
    };

    // A request that destroys data.
    const first = await open();
    await git("git checkout -q -b move");
    write("data", destructive);
    await review("A request moves the orders to another zone", first, await push("Move the orders", "move"));
    const until = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    await git(
      "git checkout -q main",
      `${kcloud} review waive DATA-01 --address ${engine.address("orders")} --owner ann --reason "The orders are copied." --until ${until} --policy review`,
    );
    main = await push("Waive the loss of the orders", "main");
    await git("git checkout -q move", "git rebase -q main");
    const head = await git("git push -q --force origin move", "git rev-parse HEAD");
    const approved = await review("The owner of the policy has waived it in the base", first, head);
    await merge("move", first);
    emulator.faults.add({ target: "create_volume", kind: "400", naming: "orders", times: 1000 });
    const digest = digestOf(approved, "data");
    await apply("The request is merged, and the apply fails half-way", {
      request: first,
      stack: "data",
      digest,
    });
    emulator.faults.clear();
    const planned = await apply("The rest is planned", { request: first, stack: "data", digest: "" });
    const [rest = ""] = planned.output.match(/(?<=Approval digest: )kr2-\w+/g)?.slice(-1) ?? [];
    await apply("The rest is applied", { request: first, stack: "data", digest: rest });

    // A request that only adds a volume.
    const second = await open();
    await git("git checkout -q -b cache");
    write("app", harmless);
    const added = await review("A request adds a volume", second, await push("Add a cache", "cache"));
    await merge("cache", second);
    await apply("The request is merged and applied", {
      request: second,
      stack: "app",
      digest: digestOf(added, "app"),
    });

    return { transcript: transcript.text(folder), texts, variables, volumes };
  } finally {
    for (const { close } of requests) await close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const volumesOf = (emulator: ReturnType<typeof createEmulator>): string[] =>
  emulator.inventory
    .list()
    .flatMap(({ kind, name }) => (kind === "volume" ? name : []))
    .toSorted();

/** Variables with credentials of the cloud or of the state, and those with a token of the host. */
const credentials = ["SERVICE_API_KEY", "PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE", "TF_CLI_ARGS_init"];
const tokens = ["GITHUB_TOKEN", "GITLAB_TOKEN"];

/** Runs both requests, and expects the texts of the golden file, the objects of the cloud, and that no secret is in any output. */
export async function expectFlow(engine: EngineName, host: HostName): Promise<void> {
  const { transcript, texts, variables, volumes } = await runFlow(engine, host);
  expectGolden(`request/${engine}-${host}.md`, transcript);
  const rest = ["invoices", "orders"];
  expect(volumes).toEqual([["orders"], ["orders"], [], [], rest, rest, ["cache", ...rest]]);
  for (const canary of Object.values(canaries))
    expect(texts.filter((text) => text.includes(canary))).toEqual([]);
  const holders = (names: readonly string[]) =>
    [...variables]
      .filter(([, known]) => names.some((name) => known.includes(name)))
      .map(([name]) => name.replace(/ \(\w+\)/, ""));
  const expected = {
    github: [
      ["plan: Plan", "apply: Apply", "apply: Report"],
      ["publish: Post", "report: Post"],
    ],
    gitlab: [
      ["review-plan", "apply"],
      ["review-publish", "apply-report"],
    ],
  }[host];
  expect([credentials, tokens].map((names) => [...new Set(holders(names))])).toEqual(expected);
}

/** Returns the contents of all files below a folder. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));

/** Returns the approval digest of the report of a stack. */
function digestOf({ artifacts }: Run, stack: Stack): string {
  const paths = [
    join(artifacts, `review-report-${stack}`, "report.json"),
    join(artifacts, `report-${stack}.json`),
  ];
  const path = paths.find((one) => existsSync(one)) ?? "";
  return JSON.parse(readFileSync(path, "utf8")).approval.digest;
}

/** State of a request after a step. */
interface Recorded {
  readonly jobs: Readonly<Record<string, number>>;
  readonly comments: readonly string[];
  readonly labels: readonly string[];
  readonly statuses: readonly string[];
}

const names = { terraform: "Terraform", pulumi: "Pulumi", github: "GitHub", gitlab: "GitLab" } as const;

/** Returns a transcript of steps in Markdown, without values that differ in each run. */
function transcriptOf({ engineName, hostName }: { engineName: EngineName; hostName: HostName }) {
  const steps: string[] = [];
  const revisions: string[] = [];
  let shown = new Set<string>();
  return {
    /** Names a revision: the text has its number. */
    name(revision: string): void {
      if (!revisions.includes(revision)) revisions.push(revision);
    },
    /** Adds a step with the comments that differ from those of the step before. Returns its text. */
    add(title: string, { jobs, comments, labels, statuses }: Recorded): string {
      const changed = comments.filter((comment) => !shown.has(comment));
      shown = new Set(comments);
      const list = (items: readonly string[]) => items.map((item) => `- ${item}`);
      const step = [
        `## ${steps.length + 1}. ${title}`,
        "",
        ...list(Object.entries(jobs).map(([name, code]) => `job ${name}: exit code ${code}`)),
        ...list(statuses.map((status) => `status ${status}`)),
        ...list(labels.map((label) => `label ${label}`)),
        `- ${comments.length} comments, ${changed.length} of them new or changed`,
        "",
        ...changed.flatMap((comment) => ["`````markdown", comment, "`````", ""]),
      ].join("\n");
      steps.push(step);
      return step;
    },
    /** Returns the text of all steps. */
    text(folder: string): string {
      const title = `# Two requests from the plan to the report after the apply, by ${names[engineName]} on ${names[hostName]}`;
      const written = [title, "", ...steps].join("\n").replaceAll(folder, "FOLDER");
      const named = revisions.reduce(
        (text, revision, index) =>
          text
            .replaceAll(revision, `REVISION-${index + 1}`)
            .replaceAll(revision.slice(0, 12), `REVISION-${index + 1}`),
        written,
      );
      return withoutRandom(named);
    },
  };
}

/** Replaces hidden states, digests, ids, dates and ports in a text: each by its number, or by a word. */
function withoutRandom(text: string): string {
  const numbered = (part: string, pattern: RegExp, word: string): string => {
    const found = [...new Set(part.match(pattern))];
    return found.reduce((all, one, index) => all.replaceAll(one, `${word}-${index + 1}`), part);
  };
  const visible = text.replace(/^<!-- kcloud-review-state .*-->$/gm, "<!-- kcloud-review-state … -->");
  const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  return numbered(numbered(visible, /kr2-[0-9a-f]{64}/g, "DIGEST"), ids, "ID")
    .replace(/\b20\d\d-\d\d-\d\d\b/g, "DATE")
    .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT")
    .replace(/request id request-\d+/g, "request id REQUEST");
}
