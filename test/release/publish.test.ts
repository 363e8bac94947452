import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import manifest from "../../package.json" with { type: "json" };
import { packageFacts } from "../../provider/pulumi/schema/package.ts";
import { blocksOf } from "../adapter/guide/page.ts";

/** Runs the commands of `docs/publish.md` that need no account, on a release of one platform. */

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const release = "npm run release -- --out release";
const { version } = manifest;

test("the owner's commands make a key and a signed release, and the tags that Go and Pulumi's registry read", async () => {
  const commands = (await blocksOf("docs/publish.md"))
    .filter(({ language }) => language === "sh")
    .map(({ text }) => text)
    .join("\n");
  expect(commands.split(release)).toHaveLength(2);
  // The path of the agent's socket in the keyring must be short.
  const folder = await mkdtemp(join(tmpdir(), "kcloud-"));
  const who = { GIT_AUTHOR_NAME: "Owner", GIT_AUTHOR_EMAIL: "owner@cloud.test" };
  const env = {
    ...process.env,
    ...who,
    GIT_COMMITTER_NAME: who.GIT_AUTHOR_NAME,
    GIT_COMMITTER_EMAIL: who.GIT_AUTHOR_EMAIL,
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  };
  try {
    await copyFile(join(root, "package.json"), join(folder, "package.json"));
    const main = `node --no-warnings "${join(root, "tools/release/main.ts")}" --platform linux_amd64 --out release`;
    await writeFile(join(folder, "commands.sh"), commands.replace(release, main));
    const { stdout, stderr } = await run("sh", ["-eux", "commands.sh"], {
      cwd: folder,
      env,
      maxBuffer: 1e8,
    }).catch((failure: { stdout: string; stderr: string }) => {
      throw new Error(`${failure.stdout}\n${failure.stderr}`);
    });
    expect(stdout).toContain("release is complete");
    expect(stdout).not.toContain("not signed");
    expect(stderr).toContain('Good signature from "kcloud releases');
    const filesAt = async (repository: string, tag: string) =>
      (await run("git", ["ls-tree", "-r", "--name-only", tag], { cwd: join(folder, repository) })).stdout
        .trim()
        .split("\n");
    const go = await filesAt("go-sdk", `sdk/v${version}`);
    expect(go).toEqual(
      expect.arrayContaining(["sdk/go.mod", "sdk/go.sum", "sdk/LICENSE", "sdk/go/kcloud/vpc.go"]),
    );
    expect(go.filter((file) => !file.startsWith("sdk/"))).toEqual([]);
    const module = await run("git", ["show", `sdk/v${version}:sdk/go.mod`], { cwd: join(folder, "go-sdk") });
    expect(module.stdout).toContain(`module ${packageFacts(version, manifest).language.go.modulePath}\n`);
    expect(await filesAt("pulumi-kcloud", `v${version}`)).toEqual([
      "LICENSE",
      "docs/_index.md",
      "docs/installation-configuration.md",
      "schema.json",
    ]);
  } finally {
    await run("gpgconf", ["--homedir", join(folder, "keyring"), "--kill", "gpg-agent"]);
    await rm(folder, { recursive: true, force: true });
  }
}, 600_000);
