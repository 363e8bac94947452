import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createEmulator } from "../../../emulator/emulator.ts";
import { terraformSource } from "../../../provider/core/name.ts";
import type { Report } from "../../../review/report/report.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { compileCache } from "../../support/engine/pulumi.ts";
import { openFolder } from "../../support/engine/terraform.ts";

/**
 * The flow of docs/review.md on a bare repository, with the script of examples/review and the built command: a pull
 * request is planned, reviewed, blocked, waived, approved by digest, verified and applied.
 */

const root = fileURLToPath(new URL("../../..", import.meta.url));
const example = join(root, "examples/review");

/** Returns the files of the stack; revisions differ only in the zone. */
type Stack = (zone: string) => Readonly<Record<string, string>>;

interface Setting {
  /** Path of the engine. */
  readonly command: string;
  readonly stack: Stack;
  readonly address: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Prepares the stack in its folder. */
  readonly prepare?: (stack: string) => Promise<unknown>;
}

const emulator = createEmulator({ taskMs: 50 });
let server: Awaited<ReturnType<typeof emulator.listen>>;
let folder: string;

beforeAll(async () => {
  server = await emulator.listen();
  folder = await mkdtemp(join(tmpdir(), "kcloud-guide-"));
  // The program of Pulumi finds its packages as if they were installed in the repository.
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const cloud = (): Record<string, string> => ({
  SERVICE_BASE_URL: server.url,
  SERVICE_API_KEY: "emulator-key",
  SERVICE_REGION: "In-Bangalore-1",
});

/** Runs a command to its end; returns exit code and output. */
const run = (
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  command: string,
  ...args: readonly string[]
): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });

async function terraform(): Promise<Setting> {
  const engine = await ensureEngine("terraform");
  const home = await mkdtemp(join(folder, "terraform-"));
  await openFolder(engine, home, {});
  const stack: Stack = (zone) => ({
    "main.tf": `terraform {
  required_providers {
    kcloud = { source = "${terraformSource}" }
  }
  backend "local" { path = "${join(home, "terraform.tfstate")}" }
}
resource "kcloud_vpc" "shop" {
  name = "shop"
}
resource "kcloud_volume" "orders" {
  vpc_id            = kcloud_vpc.shop.id
  name              = "orders"
  size_gb           = 20
  volume_type       = "ssd"
  availability_zone = "${zone}"
}
`,
  });
  const environment = {
    ...engine.env,
    ENGINE: engine.path,
    HOME: home,
    TF_CLI_CONFIG_FILE: join(home, ".mirror/engine.rc"),
    CHECKPOINT_DISABLE: "1",
  };
  return { command: engine.path, stack, environment, address: "kcloud_volume.orders" };
}

async function pulumi(): Promise<Setting> {
  const engine = await ensureEngine("pulumi");
  const backend = await mkdtemp(join(folder, "backend-"));
  const stack: Stack = (zone) => ({
    "Pulumi.yaml": `name: shop
runtime:
  name: nodejs
  options:
    typescript: false
main: index.cjs
plugins:
  providers:
    - name: kcloud
      path: ${join(root, "dist")}
`,
    "index.cjs": `const { Volume, Vpc } = require("@kcloud/iac/pulumi");
const shop = new Vpc("shop", { name: "shop" });
new Volume("orders", { vpcId: shop.id, name: "orders", sizeGb: 20, volumeType: "ssd", availabilityZone: "${zone}" });
`,
  });
  const environment = {
    ...engine.env,
    ...compileCache,
    ENGINE: "pulumi",
    HOME: process.env.HOME,
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_STACK: "dev",
  };
  return {
    command: engine.path,
    stack,
    environment,
    address: "kcloud:index:Volume::orders",
    prepare: (path) => run(path, environment, engine.path, "stack", "init", "dev", "--non-interactive"),
  };
}

/** Repository with a policy and a stack, and a clone of a developer. */
async function openRepository(name: string, { stack, environment, prepare }: Setting) {
  const place = join(folder, `repository-${name}`);
  const out = join(folder, `out-${name}`);
  const bare = join(folder, `${name}.git`);
  const env = {
    PATH: process.env.PATH,
    ...environment,
    ...cloud(),
    DIR: "infra",
    // Relative to the checkout.
    OUT: join("..", `out-${name}`),
    KCLOUD: join(root, "dist/kcloud"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "ann",
    GIT_AUTHOR_EMAIL: "ann@example.com",
    GIT_COMMITTER_NAME: "ann",
    GIT_COMMITTER_EMAIL: "ann@example.com",
  };
  const git = async (...args: string[]): Promise<void> => {
    const { code, output } = await run(place, env, "git", ...args);
    if (code !== 0) throw new Error(`git ${args.join(" ")}: ${output}`);
  };
  const reportIn = async (file: string): Promise<Report> =>
    JSON.parse(await readFile(join(out, file), "utf8"));
  const writeStack = async (zone: string) => {
    await mkdir(join(place, "infra"), { recursive: true });
    for (const [file, text] of Object.entries(stack(zone))) await writeFile(join(place, "infra", file), text);
  };
  const commit = async (message: string, branch: string) => {
    await git("add", "-A");
    await git("commit", "-q", "-m", message);
    await git("push", "-q", "origin", branch);
  };
  await run(folder, env, "git", "init", "-q", "--bare", "-b", "main", bare);
  await run(folder, env, "git", "clone", "-q", bare, place);
  await git("checkout", "-q", "-B", "main");
  await cp(join(example, "policy"), join(place, "review"), { recursive: true });
  await cp(join(example, "review.sh"), join(place, "review/review.sh"));
  await writeFile(join(place, ".gitignore"), ".terraform/\n");
  await writeStack("nova");
  await prepare?.(join(place, "infra"));
  await commit("A shop", "main");
  const script = (...args: string[]) => run(place, env, "sh", "review/review.sh", ...args);
  return {
    place,
    out,
    env,
    git,
    script,
    /** Returns the report of the last review. */
    report: () => reportIn("report.json"),
    /** Returns the report of the last apply. */
    applied: () => reportIn("applied.json"),
    writeStack,
    commit,
  };
}

describe.each([
  ["Terraform", terraform],
  ["Pulumi", pulumi],
] as const)("with %s", (name, settingOf) => {
  test("a pull request is blocked, waived, approved, verified and applied", async () => {
    emulator.reset();
    const setting = await settingOf();
    const { address } = setting;
    const { place, out, env, git, script, report, applied, writeStack, commit } = await openRepository(
      name,
      setting,
    );
    const waive = () =>
      run(
        place,
        env,
        join(root, "dist/kcloud"),
        "review",
        "waive",
        "DATA-01",
        "--address",
        address,
        "--owner",
        "ann",
        "--reason",
        "The orders are copied.",
        "--until",
        new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
        "--policy",
        "review",
      );
    const krns = () => emulator.inventory.list().map(({ krn }) => krn);

    // The stack is applied.
    expect(await script("plan")).toMatchObject({ code: 0 });
    expect(await script("review", "main")).toMatchObject({ code: 0 });
    const first = await report();
    expect(await script("apply", "main", first.approval.digest)).toMatchObject({ code: 0 });
    expect((await applied()).verdict.line).toBe("Applied: 2 done.");
    const before = krns();
    expect(before.length).toBeGreaterThanOrEqual(2);

    // A pull request that destroys data is blocked.
    await git("checkout", "-q", "-b", "move");
    await writeStack("nova-2");
    await commit("Move the orders", "move");
    expect(await script("plan")).toMatchObject({ code: 0 });
    expect(await script("review", "origin/main")).toMatchObject({ code: 3 });
    expect((await report()).findings.map(({ rule, address: place }) => `${rule} ${place}`)).toContain(
      `DATA-01 ${address}`,
    );
    expect(await readFile(join(out, "report.md"), "utf8")).toContain("Data is destroyed");

    // A waiver of the pull request is shown but does not apply.
    expect(await waive()).toMatchObject({ code: 0 });
    await commit("Waive it myself", "move");
    expect(await script("review", "origin/main")).toMatchObject({ code: 3 });
    expect((await report()).policyChanges).toEqual({
      trusted: false,
      lines: [expect.stringContaining("Adds a waiver of DATA-01")],
    });
    await git("reset", "-q", "--hard", "HEAD~1");
    await git("push", "-q", "--force", "origin", "move");

    // The owner waives it in the base.
    await git("checkout", "-q", "main");
    expect(await waive()).toMatchObject({ code: 0 });
    await commit("Waive the loss of the orders", "main");
    await git("checkout", "-q", "move");
    await git("rebase", "-q", "main");
    expect(await script("plan")).toMatchObject({ code: 0 });
    expect(await script("review", "origin/main")).toMatchObject({ code: 0 });
    const approved = await report();
    expect(approved.findings.find(({ rule }) => rule === "DATA-01")?.waiver?.owner).toBe("ann");
    const { digest } = approved.approval;

    // The merged revision is planned and reviewed again, and applied only if it equals the approved one.
    await git("checkout", "-q", "main");
    await git("merge", "-q", "--no-edit", "move");
    await git("push", "-q", "origin", "main");
    expect(await script("apply", "main", first.approval.digest)).toMatchObject({
      code: 5,
      output: expect.stringContaining("These are not the approved plans."),
    });
    expect(krns()).toEqual(before);
    expect(await script("apply", "main", digest)).toMatchObject({ code: 0 });
    expect(krns()).not.toEqual(before);
    expect(await script("plan")).toMatchObject({ code: 0 });
    expect(await script("review", "main")).toMatchObject({ code: 0 });
    expect((await report()).changes).toEqual([]);
  });

  /** Applies the stack in a new repository, and ends the apply while the volume is created. */
  const applyUntil = async (end: (id: number, engine: () => number) => void) => {
    emulator.reset();
    emulator.faults.add({ target: "create_volume", kind: "delay", delayMs: 3_000, times: 100 });
    const setting = await settingOf();
    const { place, out, env, script, report, applied } = await openRepository(randomUUID(), setting);
    const engine = () => Number(readFileSync(join(out, "pid"), "utf8"));
    await script("plan");
    await script("review", "main");
    const args = ["review/review.sh", "apply", "main", (await report()).approval.digest];
    const child = spawn("sh", args, { cwd: place, env: { ...env }, detached: true });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (part) => {
        const isBefore = !/orders:? creating/i.test(output);
        output += part;
        if (isBefore && /orders:? creating/i.test(output)) end(child.pid ?? 0, engine);
      });
    const [code] = await once(child, "close");
    return {
      code,
      script,
      /** Returns the outcome of each object. */
      async outcomes() {
        const { applied: result } = await applied();
        return result?.objects.map((object) => [object.address === setting.address, object.outcome]);
      },
    };
  };

  test.each<[string, readonly [isGroup: boolean, signal: NodeJS.Signals][]]>([
    ["a signal to the script", [[false, "SIGTERM"]]],
    ["a signal to all of its processes", [[true, "SIGTERM"]]],
    [
      "interrupts of the terminal, and another signal",
      [
        [true, "SIGINT"],
        [true, "SIGINT"],
        [true, "SIGTERM"],
      ],
    ],
  ])("an apply that is cancelled by %s ends, saves its state, and is reported", async (_, signals) => {
    const cancel = (id: number) => {
      for (const [isGroup, signal] of signals) process.kill(isGroup ? -id : id, signal);
    };
    const { code, script, outcomes } = await applyUntil(cancel);
    expect([code, await outcomes()]).toEqual([
      7,
      [
        [true, "failed"],
        [false, "done"],
      ],
    ]);
    // It is reported once.
    expect(await script("applied")).toEqual({ code: 0, output: "" });
  });

  test("an apply that is killed with its script can be reported afterwards", async () => {
    const { code, script, outcomes } = await applyUntil((id, engine) => {
      // The engine has a session of its own.
      for (const each of [-id, engine()]) process.kill(each, "SIGKILL");
    });
    expect(code).toBe(null);
    expect(await script("applied")).toMatchObject({ code: 8 });
    expect((await outcomes())?.[0]).toEqual([true, "unknown"]);
  });
});

test("a state that Terraform could not save is pushed to its backend before the report", async () => {
  emulator.reset();
  const setting = await terraform();
  const { place, out, env, script, report, applied } = await openRepository("errored", setting);
  await script("plan");
  await script("review", "main");
  await script("apply", "main", (await report()).approval.digest);
  const infra = join(place, "infra");
  const pulled = async () => JSON.parse((await run(infra, env, setting.command, "state", "pull")).output);
  const state = await pulled();
  const outputs = { saved: { value: "later", type: "string" } };
  await writeFile(
    join(infra, "errored.tfstate"),
    JSON.stringify({ ...state, serial: state.serial + 1, outputs }),
  );
  await rm(join(out, "applied.json"));
  expect(await script("applied")).toMatchObject({ code: 0 });
  expect([(await applied()).verdict.line, (await pulled()).outputs]).toEqual(["Applied: 2 done.", outputs]);

  // Before an apply, such a file is not the state of this engine: a request may contain it.
  const digest = await script("plan").then(async () => {
    await script("review", "main");
    return (await report()).approval.digest;
  });
  expect(await script("apply", "main", digest)).toMatchObject({
    code: 1,
    output: expect.stringContaining("infra/errored.tfstate is the state of an earlier apply"),
  });
});
