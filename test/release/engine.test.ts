import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createEmulator, type Emulator } from "../../emulator/emulator.ts";
import { terraformSource } from "../../provider/core/name.ts";
import { type Engine, ensureEngine, terraformEngines } from "../../tools/engines/engine.ts";
import { hostPlatform, platformName, platforms } from "../../tools/release/platform.ts";
import { release } from "../../tools/release/release.ts";
import { zip } from "../../tools/release/zip.ts";
import { environment } from "../adapter/lifecycle/lifecycle.ts";
import { program, withoutNode } from "../support/engine/built.ts";
import { runPulumi } from "../support/engine/pulumi.ts";
import { openFolder, required, succeed } from "../support/engine/terraform.ts";
import { readZip } from "./archive.ts";

/** Runs the zips of a release in the engines, on a PATH without Node. */

const { version } = JSON.parse(await readFile(join(import.meta.dirname, "../../package.json"), "utf8"));
const system = platformName(hostPlatform());
const archive = `terraform-provider-kcloud_${version}_${system}.zip`;

let folder: string;
/** Mirror with the zips of a release, and one with the program of the npm package. */
let zips: string;
let bundle: string;
let emulator: Emulator;
let server: Awaited<ReturnType<Emulator["listen"]>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-release-"));
  const others = platforms.filter(({ os, arch, musl }) => os === "linux" && arch === "arm64" && !musl);
  const out = join(folder, "release");
  await release({ out, platforms: [hostPlatform(), ...others], environment: {}, step: () => {} });
  zips = join(out, "mirror");
  bundle = join(folder, "bundle");
  const place = join(bundle, terraformSource, version, system);
  await mkdir(place, { recursive: true });
  await copyFile(program("terraform-provider-kcloud"), join(place, `terraform-provider-kcloud_v${version}`));
  emulator = createEmulator({ taskMs: 100 });
  server = await emulator.listen();
}, 600_000);

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a folder whose engine installs from a mirror. */
async function open(engine: Engine, name: string, mirror: string, path = withoutNode(engine.env.PATH ?? "")) {
  const at = join(folder, `${engine.name}-${engine.version}-${name}`);
  await mkdir(at);
  const config = join(at, "engine.rc");
  await writeFile(
    config,
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`,
  );
  const resource = { kcloud_vpc: { shop: { name: `shop-${name}` } } };
  await writeFile(join(at, "main.tf.json"), JSON.stringify({ ...required, resource }));
  const opened = await openFolder(
    { ...engine, env: { ...engine.env, PATH: path } },
    at,
    environment(server.url),
  );
  const ofMirror = { TF_CLI_CONFIG_FILE: config };
  return {
    ...opened,
    run: (args: readonly string[]) => opened.run(args, { environment: ofMirror }),
  };
}

/** Returns the output of an engine in one line: engines wrap their messages. */
const flat = (output: string): string => output.replace(/[\s│]+/g, " ");

/** Returns the hashes of a lock file. */
async function hashesOf(path: string): Promise<string[]> {
  const text = await readFile(join(path, ".terraform.lock.hcl"), "utf8");
  return [...text.matchAll(/"(h1:[^"]+)"/g)].map(([, hash = ""]) => hash).toSorted();
}

/** Creates a mirror with one archive. Returns the path of the mirror. */
async function mirrorOf(name: string, content: Buffer): Promise<string> {
  const place = join(folder, name, terraformSource);
  await mkdir(place, { recursive: true });
  await writeFile(join(place, archive), content);
  return join(folder, name);
}

const readArchive = (): Promise<Buffer> => readFile(join(zips, terraformSource, archive));

describe.each(
  (await terraformEngines()).map((engine) => [`${engine.name} ${engine.version}`, engine] as const),
)("%s", (_, engine) => {
  test("init, plan, apply and destroy with the plugin from the mirror, without Node", async () => {
    const shop = await open(engine, "lifecycle", zips);
    await succeed(shop, ["init"]);
    expect(await hashesOf(shop.path)).toHaveLength(1);
    expect(await succeed(shop, ["plan", "-out=planned"])).toContain("1 to add, 0 to change, 0 to destroy");
    await succeed(shop, ["apply", "planned"]);
    expect(emulator.inventory.list().map(({ name }) => name)).toContain("shop-lifecycle");
    expect(await succeed(shop, ["plan"])).toContain("No changes.");
    await succeed(shop, ["destroy", "-auto-approve"]);
    expect(emulator.inventory.list()).toEqual([]);
  });

  test("a lock file with the hashes of both mirrors works with each of them", async () => {
    const lock = await open(engine, "lock", zips);
    const lockFrom = (mirror: string) =>
      succeed(lock, ["providers", "lock", `-fs-mirror=${mirror}`, `-platform=${system}`]);
    await lockFrom(bundle);
    const [ofBundle] = await hashesOf(lock.path);
    await lockFrom(zips);
    const both = await hashesOf(lock.path);
    expect(both).toContain(ofBundle);
    expect(both).toHaveLength(2);
    for (const [name, mirror] of Object.entries({ zips, bundle })) {
      const user = await open(engine, `from-${name}`, mirror, engine.env.PATH);
      await copyFile(join(lock.path, ".terraform.lock.hcl"), join(user.path, ".terraform.lock.hcl"));
      await succeed(user, ["init", "-lockfile=readonly"]);
      expect(await succeed(user, ["plan"])).toContain("1 to add");
    }
  });

  test("an archive with a changed byte is rejected", async () => {
    const origin = await open(engine, "origin", zips);
    await succeed(origin, ["init"]);
    const whole = await readArchive();
    const flipped = Buffer.from(whole);
    flipped.writeUInt8((flipped[whole.length >> 1] ?? 0) ^ 1, whole.length >> 1);
    const files = readZip(whole).map(({ name, data, mode }) => {
      const changed = Buffer.from(data);
      if (name.startsWith("terraform-provider-")) changed.writeUInt8((data.at(-1) ?? 0) ^ 1, data.length - 1);
      return { name, data: changed, mode: mode & 0o111 ? 0o755 : 0o644 } as const;
    });
    const cases = { flipped, repacked: await zip(files) };
    for (const [name, content] of Object.entries(cases)) {
      const user = await open(engine, name, await mirrorOf(`${engine.version}-${name}`, content));
      await copyFile(join(origin.path, ".terraform.lock.hcl"), join(user.path, ".terraform.lock.hcl"));
      const { code, output } = await user.run(["init", "-no-color"]);
      expect([name, code]).toEqual([name, 1]);
      expect(flat(output)).toMatch(
        name === "repacked" ? /doesn't match any of the checksums/ : /checksum|corrupt|invalid/,
      );
      expect(await readdir(user.path)).not.toContain("terraform.tfstate");
    }
  });

  test("a plugin for another processor fails with the engine's error", async () => {
    const other = archive.replace(system, "linux_arm64");
    const content = await readFile(join(zips, terraformSource, other));
    const user = await open(engine, "foreign", await mirrorOf(`${engine.version}-foreign`, content));
    await succeed(user, ["init"]);
    const { code, output } = await user.run(["plan", "-no-color"]);
    expect(code).toBe(1);
    expect(flat(output)).toMatch(/exec format error/);
  });

  test("without Node, the program of the npm package fails with the engine's error", async () => {
    const user = await open(engine, "script", bundle);
    await succeed(user, ["init"]);
    const { code, output } = await user.run(["plan", "-no-color"]);
    expect(code).toBe(1);
    expect(flat(output)).toMatch(/the plugin was not compiled for this architecture/);
  });
});

test("Pulumi installs the plugin from its archive, and runs a YAML program, without Node", async () => {
  const engine = await ensureEngine("pulumi-yaml");
  const at = join(folder, "yaml");
  await mkdir(at);
  const resources = { shop: { type: "kcloud:Vpc", properties: { name: "shop-yaml" } } };
  await writeFile(join(at, "Pulumi.yaml"), JSON.stringify({ name: "shop", runtime: "yaml", resources }));
  const env = {
    ...engine.env,
    ...environment(server.url),
    PATH: withoutNode(engine.env.PATH ?? ""),
    PULUMI_HOME: join(folder, "pulumi"),
    PULUMI_BACKEND_URL: `file://${at}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
  };
  const file = join(
    folder,
    "release",
    `pulumi-resource-kcloud-v${version}-${system.replace("_", "-")}.tar.gz`,
  );
  const commands = [
    ["plugin", "install", "resource", "kcloud", `v${version}`, "--file", file],
    ["stack", "init", "dev"],
    ["up", "--yes", "--skip-preview", "--stack", "dev"],
    ["preview", "--expect-no-changes", "--stack", "dev"],
  ];
  for (const args of commands) {
    const { code, output } = await runPulumi(engine, args, at, env);
    expect([args, code, output]).toEqual([args, 0, output]);
  }
  expect(emulator.inventory.list().map(({ name }) => name)).toContain("shop-yaml");
  await runPulumi(engine, ["destroy", "--yes", "--skip-preview", "--stack", "dev"], at, env);
  expect(emulator.inventory.list()).toEqual([]);
});
