import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import manifest from "../../package.json" with { type: "json" };
import { packageFacts } from "../../provider/pulumi/schema/package.ts";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { blocksOf } from "../adapter/guide/page.ts";
import { required } from "../support/engine/terraform.ts";
import { openRegistry } from "./registry.ts";

/**
 * Runs the commands of `docs/publish.md` that need no account, on a release of one platform, and installs that from a registry of
 * Terraform's protocol with real engines.
 */

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const command = "npm run release -- --out release";
const { version } = manifest;

let folder: string;
let output: string;

beforeAll(async () => {
  const commands = (await blocksOf("docs/publish.md"))
    .filter(({ language }) => language === "sh")
    .map(({ text }) => text)
    .join("\n");
  expect(commands.split(command)).toHaveLength(2);
  // The path of the agent's socket in the keyring must be short.
  folder = await mkdtemp(join(tmpdir(), "kcloud-"));
  const [name, email] = ["Owner", "owner@cloud.test"];
  const env = {
    ...process.env,
    ...{
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    },
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  };
  await copyFile(join(root, "package.json"), join(folder, "package.json"));
  const main = `node --no-warnings "${join(root, "tools/release/main.ts")}" --platform linux_amd64 --out release`;
  await writeFile(join(folder, "commands.sh"), commands.replace(command, main));
  const shell = run("sh", ["-eux", "commands.sh"], { cwd: folder, env, maxBuffer: 1e8 });
  const { stdout, stderr } = await shell.catch((failure: { stdout: string; stderr: string }) => {
    throw new Error(`${failure.stdout}\n${failure.stderr}`);
  });
  output = stdout + stderr;
}, 600_000);

afterAll(async () => {
  await run("gpgconf", ["--homedir", join(folder, "keyring"), "--kill", "gpg-agent"]);
  await rm(folder, { recursive: true, force: true });
});

test("the owner's commands make a key and a release that is signed with it", () => {
  expect(output).toContain("release is complete");
  expect(output).not.toContain("not signed");
  expect(output).toContain('Good signature from "kcloud releases');
});

/** Returns the files of a repository at a tag. */
async function filesAt(repository: string, tag: string): Promise<string[]> {
  const cwd = join(folder, repository);
  const { stdout } = await run("git", ["ls-tree", "-r", "--name-only", tag], { cwd });
  return stdout.trim().split("\n");
}

test("the tag of the Go module has the module in its folder, and nothing else", async () => {
  const { modulePath, importBasePath } = packageFacts(version, manifest).language.go;
  const place = modulePath.replace(/^.*\/(?=sdk\b)/, "").replace(/\/v\d+$/, "");
  const tag = `${place}/v${version}`;
  const files = await filesAt("go-sdk", tag);
  const source = `${place}${importBasePath.slice(modulePath.length)}/vpc.go`;
  const expected = [`${place}/go.mod`, `${place}/go.sum`, `${place}/LICENSE`, source];
  expect(files).toEqual(expect.arrayContaining(expected));
  expect(files.filter((file) => !file.startsWith(`${place}/`))).toEqual([]);
  const { stdout } = await run("git", ["show", `${tag}:${place}/go.mod`], { cwd: join(folder, "go-sdk") });
  expect(stdout).toContain(`module ${modulePath}\n`);
});

test("the tag for Pulumi's registry has the schema and the pages", async () => {
  expect(await filesAt("pulumi-kcloud", `v${version}`)).toEqual([
    "LICENSE",
    "docs/_index.md",
    "docs/installation-configuration.md",
    "schema.json",
  ]);
});

/** Runs the init of an engine in a new folder, with a registry that has the release and a public key. Returns the output. */
async function init(name: "terraform" | "opentofu", publicKey: string): Promise<string> {
  const engine = await ensureEngine(name);
  const place = await mkdtemp(join(folder, `${name}-`));
  const registry = await openRegistry(join(folder, "release"), version, publicKey);
  try {
    await writeFile(join(place, "engine.rc"), registry.cliConfig);
    await mkdir(join(place, "stack"));
    await writeFile(join(place, "stack/main.tf.json"), JSON.stringify({ terraform: required.terraform }));
    const env = {
      ...process.env,
      ...engine.env,
      HOME: place,
      TF_CLI_CONFIG_FILE: join(place, "engine.rc"),
      OPENTOFU_ENFORCE_GPG_VALIDATION: "true",
    };
    const options = { cwd: join(place, "stack"), env };
    const { stdout } = await run(engine.path, ["init", "-no-color"], options);
    const lock = await readFile(join(place, "stack/.terraform.lock.hcl"), "utf8");
    const sums = await readFile(
      join(folder, `release/terraform-provider-kcloud_${version}_SHA256SUMS`),
      "utf8",
    );
    // An engine records all signed sums, those of other platforms too.
    const zips = sums.split("\n").flatMap((line) => (line.endsWith(".zip") ? line.slice(0, 64) : []));
    expect(zips.filter((sum) => !lock.includes(`zh:${sum}`))).toEqual([]);
    return stdout;
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    if (stderr === undefined) throw error;
    return stderr.replaceAll(/\s+/g, " ");
  } finally {
    await registry.close();
  }
}

const publicKey = () => readFile(join(folder, "release/signing-key.asc"), "utf8");

test.each(["terraform", "opentofu"] as const)(
  "%s installs the release from a registry, and verifies its signature",
  async (name) => {
    expect(await init(name, await publicKey())).toMatch(
      new RegExp(`Installed \\S*kcloud/kcloud v${version} \\((?:self-)?signed, key ID [0-9A-F]{16}\\)`),
    );
  },
);

test.each(["terraform", "opentofu"] as const)(
  "%s rejects the release if another key is registered",
  async (name) => {
    const home = await mkdtemp(join(tmpdir(), "kcloud-"));
    const gpg = (...args: string[]) =>
      run("gpg", ["--homedir", home, "--batch", "--passphrase", "", ...args]);
    try {
      await gpg("--quick-generate-key", "other@cloud.test", "rsa2048", "sign", "never");
      const { stdout } = await gpg("--armor", "--export");
      expect(await init(name, stdout)).toMatch(/authentication signature from unknown issuer/);
    } finally {
      await run("gpgconf", ["--homedir", home, "--kill", "gpg-agent"]);
      await rm(home, { recursive: true, force: true });
    }
  },
);
