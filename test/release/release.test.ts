import { execFile, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { cookie } from "../../tools/plugin/terraform.ts";
import { executableName, platformName, platforms, ReleaseError } from "../../tools/release/platform.ts";
import { pulumiRepository } from "../../tools/release/pulumi-repository.ts";
import { release } from "../../tools/release/release.ts";
import { withoutNode } from "../support/engine/built.ts";
import { type Packed, readTar, readZip } from "./archive.ts";
import { readBinary } from "./binary.ts";

/** Tests a release of all platforms: its files, their formats, and its executable under each name. Needs Linux on amd64. */

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const { version, repository } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const provider = `terraform-provider-kcloud_${version}`;

let folder: string;
let out: string;
const steps: string[] = [];

const read = (name: string): Promise<Buffer> => readFile(join(out, name));
const make = (name: string, names: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  release({
    out: join(folder, name),
    platforms: platforms.filter((platform) => names.includes(platformName(platform))),
    environment,
    step: (line) => steps.push(line),
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-release-"));
  out = join(folder, "release");
  await make("release", platforms.map(platformName));
  const [plugin] = readTar(await read(`pulumi-resource-kcloud-v${version}-linux-amd64.tar.gz`)).slice(-1);
  for (const name of [
    "terraform-provider-kcloud",
    `${provider.replace("_", "_v")}.exe`,
    "pulumi-resource-kcloud",
    "kcloud",
    "other",
  ]) {
    await writeFile(join(folder, name), plugin?.data ?? "");
    await chmod(join(folder, name), 0o755);
  }
}, 1_200_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const registries = [
  "darwin_amd64",
  "darwin_arm64",
  "linux_amd64",
  "linux_arm64",
  "windows_amd64",
  "windows_arm64",
];

test("a release has an archive for every platform, and the checksum of every file", async () => {
  const names = [
    "SHA256SUMS",
    `kcloud-go-sdk-v${version}.zip`,
    `kcloud-iac-${version}.tgz`,
    `pulumi_kcloud-${version}-py3-none-any.whl`,
    `pulumi_kcloud-${version}.tar.gz`,
    "mirror",
    `pulumi-registry-v${version}.tar.gz`,
    ...registries.map((name) => `pulumi-resource-kcloud-v${version}-${name.replace("_", "-")}.tar.gz`),
    `${provider}_SHA256SUMS`,
    ...registries.map((name) => `${provider}_${name}.zip`),
    `${provider}_manifest.json`,
    `${provider}_mirror_linux_musl.tar`,
    `${provider}_sbom.cdx.json`,
  ];
  expect((await readdir(out)).toSorted()).toEqual(names.toSorted());
  expect(steps.at(-1)).toBe("not signed: KCLOUD_SIGNING_KEY is not set");
  const hasOwner = !new URL(repository.url.replace(/^git\+/, "")).hostname.endsWith(".example");
  const withoutOwner = "not to be published: package.json has no repository of an owner (docs/publish.md)";
  expect(steps.includes(withoutOwner)).toBe(!hasOwner);
  const sums = async (file: string) =>
    Object.fromEntries(
      (await read(file))
        .toString()
        .trim()
        .split("\n")
        .map((line) => line.split("  ").toReversed()),
    );
  const all = await sums("SHA256SUMS");
  const files = names.filter((name) => name !== "SHA256SUMS" && name !== "mirror");
  expect(Object.keys(all)).toEqual(files.toSorted());
  for (const name of files)
    expect(all[name]).toBe(
      createHash("sha256")
        .update(await read(name))
        .digest("hex"),
    );
  // The registry of Terraform requires the zips and the manifest.
  const ofRegistry = files.filter(
    (name) => name.startsWith(provider) && /\.zip$|_manifest\.json$/.test(name),
  );
  expect(await sums(`${provider}_SHA256SUMS`)).toEqual(
    Object.fromEntries(ofRegistry.map((name) => [name, all[name]])),
  );
  expect(JSON.parse((await read(`${provider}_manifest.json`)).toString())).toEqual({
    version: 1,
    metadata: { protocol_versions: ["6.0"] },
  });
  for (const name of registries) {
    const file = `${provider}_${name}.zip`;
    const mirrored = await read(join("mirror/registry.terraform.io/kcloud/kcloud", file));
    expect([file, mirrored.equals(await read(file))]).toEqual([file, true]);
  }
  expect((await read(`${provider}_linux_amd64.zip`)).length).toBeLessThan(57_000_000);
  const packed = readTar(await read(`pulumi-registry-v${version}.tar.gz`));
  expect(packed.map(({ name, data }) => [name, data.toString()])).toEqual(
    [...pulumiRepository()].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
});

/** Returns the executable of an archive, after a check of its other files. */
function executableOf(files: readonly Packed[], name: string): Buffer {
  const [license, licenses, executable] = files;
  expect(files.map((file) => [file.name, file.mode & 0o777])).toEqual([
    ["LICENSE", 0o644],
    ["LICENSES", 0o644],
    [name, 0o755],
  ]);
  expect(license?.data.toString()).toContain("Apache License");
  expect(licenses?.data.toString()).toMatch(/^undici \d+\.\d+\.\d+, MIT\n\nMIT License/m);
  return executable?.data ?? Buffer.alloc(0);
}

const glibc = { glibc: "2.17", format: "ELF" };
const musl = { glibc: undefined, format: "ELF" };
const libraries = (loader: string) => [loader, "libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0"];

test("each executable is for its platform, and starts from glibc 2.17 or with musl and libstdc++", async () => {
  const expected = {
    darwin_amd64: { format: "Mach-O", machine: "x86-64", adHoc: true },
    darwin_arm64: { format: "Mach-O", machine: "arm64", adHoc: true },
    linux_amd64: {
      ...glibc,
      machine: "x86-64",
      loader: "/lib64/ld-linux-x86-64.so.2",
      libraries: libraries("ld-linux-x86-64.so.2"),
    },
    linux_arm64: {
      ...glibc,
      machine: "AArch64",
      loader: "/lib/ld-linux-aarch64.so.1",
      libraries: libraries("ld-linux-aarch64.so.1"),
    },
    windows_amd64: { format: "PE", machine: "x86-64" },
    windows_arm64: { format: "PE", machine: "ARM64" },
  };
  for (const [platform, binary] of Object.entries(expected)) {
    const [os = ""] = platform.split("_");
    const suffix = executableName("", { os: os as "linux" });
    const zipped = executableOf(
      readZip(await read(`${provider}_${platform}.zip`)),
      `terraform-provider-kcloud_v${version}${suffix}`,
    );
    const archive = await read(`pulumi-resource-kcloud-v${version}-${platform.replace("_", "-")}.tar.gz`);
    const plugin = executableOf(readTar(archive), `pulumi-resource-kcloud${suffix}`);
    expect([platform, plugin.equals(zipped)]).toEqual([platform, true]);
    expect([platform, readBinary(zipped)]).toEqual([platform, binary]);
  }
  const mirror = readTar(await read(`${provider}_mirror_linux_musl.tar`));
  const found = mirror.map(({ name, data }) => [
    name,
    readBinary(executableOf(readZip(data), `terraform-provider-kcloud_v${version}`)),
  ]);
  const place = `registry.terraform.io/kcloud/kcloud/${provider}_linux`;
  expect(found).toEqual([
    [
      `${place}_amd64.zip`,
      {
        ...musl,
        machine: "x86-64",
        loader: "/lib/ld-musl-x86_64.so.1",
        libraries: ["libc.musl-x86_64.so.1", "libstdc++.so.6"],
      },
    ],
    [
      `${place}_arm64.zip`,
      {
        ...musl,
        machine: "AArch64",
        loader: "/lib/ld-musl-aarch64.so.1",
        libraries: ["libc.musl-aarch64.so.1", "libstdc++.so.6"],
      },
    ],
  ]);
});

test("the bill of materials lists each package in the executables once, with its licence and digest", async () => {
  const bill = JSON.parse((await read(`${provider}_sbom.cdx.json`)).toString());
  expect(bill).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: expect.stringMatching(
      /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/,
    ),
    metadata: { component: { name: "@kcloud/iac", version, licenses: [{ license: { id: "Apache-2.0" } }] } },
  });
  const names = bill.components.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(["undici", "zod", "google-protobuf"]));
  expect(names.filter((name: string) => name.startsWith("@oven/"))).toHaveLength(platforms.length);
  expect(names).toEqual([...new Set(names)]);
  for (const part of bill.components) {
    expect(part.hashes[0].content).toMatch(/^[\da-f]{128}$/);
    expect(part.licenses[0].license?.id ?? part.licenses[0].expression).toMatch(
      /^\(?(MIT|ISC|Apache-2\.0|BSD)/,
    );
  }
});

test("a second release in another folder has the same bytes", async () => {
  await make("again", ["darwin_amd64", "linux_amd64", "linux_amd64_musl", "linux_arm64_musl"]);
  const again = (await readdir(join(folder, "again"))).filter((name) =>
    /\.(zip|gz|tgz|tar|whl)$|manifest/.test(name),
  );
  expect(again).toHaveLength(11);
  for (const name of again)
    expect([name, (await readFile(join(folder, "again", name))).equals(await read(name))]).toEqual([
      name,
      true,
    ]);
});

test("a release into an existing folder is rejected, and the folder is not changed", async () => {
  const before = await readdir(out);
  await expect(make("release", ["linux_amd64"])).rejects.toThrow(
    new ReleaseError(`${out} exists: remove it, or name another folder`),
  );
  expect(await readdir(out)).toEqual(before);
});

/** Creates a key without a passphrase; returns its keyring folder, and the key in ASCII armour. */
async function keyOf(algorithm: string): Promise<{ home: string; key: string }> {
  const home = await mkdtemp(join(tmpdir(), "kcloud-key-"));
  const gpg = (...args: string[]) => run("gpg", ["--homedir", home, "--batch", "--passphrase", "", ...args]);
  await gpg("--quick-generate-key", "release@example.com", algorithm, "sign", "never");
  return { home, key: (await gpg("--export-secret-keys", "--armor")).stdout };
}

test("the checksums are signed with the key of the environment, and the public key of the release verifies them", async () => {
  const { home, key } = await keyOf("rsa2048");
  const other = await mkdtemp(join(tmpdir(), "kcloud-other-"));
  try {
    await make("signed", [], { ...process.env, KCLOUD_SIGNING_KEY: key });
    const [sums, publicKey] = [`${provider}_SHA256SUMS`, "signing-key.asc"].map((name) =>
      join(folder, "signed", name),
    );
    const gpg = (...args: string[]) => run("gpg", ["--batch", "--homedir", other, ...args]);
    const armored = await readFile(`${publicKey}`, "utf8");
    expect(armored).toMatch(
      /^-----BEGIN PGP PUBLIC KEY BLOCK-----\n[\s\S]*\n-----END PGP PUBLIC KEY BLOCK-----\n$/,
    );
    await gpg("--import", `${publicKey}`);
    expect((await gpg("--list-secret-keys")).stdout).toBe("");
    expect((await gpg("--verify", `${sums}.sig`, `${sums}`)).stderr).toContain("Good signature");
    // Registries read the signature in the binary format: the first byte of a packet has its highest bit set.
    expect((await readFile(`${sums}.sig`))[0]).toBeGreaterThan(0x7f);
  } finally {
    for (const place of [home, other]) await rm(place, { recursive: true, force: true });
  }
});

test.each([
  [
    "another algorithm",
    async () => (await keyOf("ed25519")).key,
    /Terraform's registry accepts only RSA and DSA keys/,
  ],
  ["no key", async () => "secret", /^KCLOUD_SIGNING_KEY: gpg cannot sign: /],
])("with %s there is no release", async (_, key, message) => {
  const environment = { ...process.env, KCLOUD_SIGNING_KEY: await key() };
  await expect(make("unsigned", [], environment)).rejects.toThrow(message);
  expect((await readdir(folder)).filter((name) => name.startsWith("unsigned"))).toEqual([]);
});

const here = (name: string) => join(folder, name);
const bare = { PATH: withoutNode(process.env.PATH ?? "") };

test("the executable runs the program whose name it has, and the command under any other name", async () => {
  for (const name of ["terraform-provider-kcloud", `${provider.replace("_", "_v")}.exe`])
    expect([name, spawnSync(here(name), { env: bare, encoding: "utf8" })]).toMatchObject([
      name,
      { status: 1, stdout: "", stderr: expect.stringContaining("This is the kcloud provider of Terraform") },
    ]);
  for (const name of ["kcloud", "other"])
    expect([name, spawnSync(here(name), ["--help"], { env: bare, encoding: "utf8" })]).toMatchObject([
      name,
      { status: 0, stdout: expect.stringMatching(/^Usage: kcloud COMMAND/), stderr: "" },
    ]);
  expect(await firstLine("pulumi-resource-kcloud", folder, ["127.0.0.1:1"])).toMatch(/^\d{4,5}$/);
});

/** Starts a program in a folder, kills it after the first line of its output, and returns the line. */
async function firstLine(
  name: string,
  cwd: string,
  args: readonly string[],
  environment = {},
): Promise<string> {
  const child = spawn(here(name), args, { cwd, env: { ...bare, ...environment } });
  const [line] = await once(createInterface(child.stdout), "line");
  child.kill("SIGKILL");
  await once(child, "close");
  return line;
}

test("no file of the working folder has an effect", async () => {
  const hostile = here("hostile");
  await mkdir(hostile);
  const mark = join(hostile, "loaded");
  await writeFile(
    join(hostile, "preload.js"),
    `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "");`,
  );
  await writeFile(join(hostile, "bunfig.toml"), 'preload = ["./preload.js"]\n');
  for (const name of [".env", ".env.local", ".env.production", ".env.development"])
    await writeFile(
      join(hostile, name),
      Object.entries({
        ...cookie,
        SERVICE_BASE_URL: "http://127.0.0.1:1",
        GRPC_VERBOSITY: "DEBUG",
        GRPC_TRACE: "all",
      })
        .map(([variable, value]) => `${variable}=${value}\n`)
        .join(""),
    );
  await writeFile(join(hostile, "package.json"), '{ "type": "module", "imports": { "#x": "./preload.js" } }');
  await writeFile(
    join(hostile, "tsconfig.json"),
    '{ "compilerOptions": { "paths": { "node:*": ["./preload.js"], "*": ["./preload.js"] } } }',
  );
  const started = (name: string, ...args: string[]) =>
    spawnSync(here(name), args, { cwd: hostile, env: bare, encoding: "utf8" });
  // With the cookie of the file, the plugin would write its handshake.
  expect(started("terraform-provider-kcloud")).toMatchObject({ status: 1, stdout: "" });
  expect(await firstLine("terraform-provider-kcloud", hostile, [], cookie)).toMatch(/^1\|6\|unix\|/);
  const plugin = spawn(here("pulumi-resource-kcloud"), ["127.0.0.1:1"], { cwd: hostile, env: bare });
  let trace = "";
  plugin.stderr.on("data", (part) => {
    trace += part;
  });
  await once(createInterface(plugin.stdout), "line");
  plugin.kill("SIGKILL");
  await once(plugin, "close");
  expect(trace).toBe("");
  const child = started(
    "kcloud",
    "emulator",
    "--",
    "/bin/sh",
    "-c",
    'echo "$SERVICE_BASE_URL $GRPC_VERBOSITY."',
  );
  expect(child).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d{4,5} \.\n$/),
  });
  expect(await readdir(hostile)).not.toContain("loaded");
});

test("the executable prints its version under each of its names", async () => {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  for (const name of ["kcloud", "terraform-provider-kcloud", "pulumi-resource-kcloud"])
    expect(spawnSync(here(name), ["--version"], { env: bare, encoding: "utf8" })).toMatchObject({
      status: 0,
      stdout: `kcloud ${version}\n`,
      stderr: "",
    });
});

const rule = `import { defineRule } from "@kcloud/iac/review";
export default defineRule({ id: "ACME-01", title: "A rule", severity: "critical", confidence: "proven", about: "A", remedy: "R",
  check: ({ plans }) => plans.map(({ name }) => ({ plan: name, text: \`It ran on \${name as string}.\` })) });`;

test("built-in rules run without Node, and those of a policy on a Node from PATH", async () => {
  await mkdir(here("policy/rules"), { recursive: true });
  await writeFile(here("policy/rules/acme.ts"), rule);
  await mkdir(here("old"));
  await writeFile(here("old/node"), "#!/bin/sh\necho v22.18.0\n", { mode: 0o755 });
  const review = (PATH: string, ...args: string[]) =>
    spawnSync(
      here("kcloud"),
      ["review", "--in", `net=${join(root, "test/review/fixture/terraform-1.16.0.json")}`, ...args],
      { env: { PATH }, encoding: "utf8" },
    );
  const policy = ["--policy", here("policy")];
  expect(review(bare.PATH)).toMatchObject({ status: 3, stderr: "" });
  const needs = `kcloud review: ${here("policy/rules/acme.ts")}: rules of a policy need Node 22.19 or later on PATH; built-in rules need none.`;
  expect(review(bare.PATH, ...policy)).toMatchObject({
    status: 1,
    stdout: "",
    stderr: `${needs} There is no Node on PATH\n`,
  });
  expect(review(`old${delimiter}${here("old")}`, ...policy)).toMatchObject({
    status: 1,
    stdout: "",
    stderr: `${needs} ${here("old/node")} is v22.18.0\n`,
  });
  const node = join(process.execPath, "..");
  expect(review(node, ...policy)).toMatchObject({
    status: 3,
    stdout: expect.stringContaining("It ran on net."),
  });
});

test("the executable's emulator prints one-time passwords without Node, called by path or by name", async () => {
  const ask = 'eval "$SERVICE_OTP_COMMAND"';
  const calls = [
    { program: here("kcloud"), environment: bare },
    { program: "./kcloud", environment: bare },
    { program: "kcloud", environment: { PATH: `${folder}${delimiter}${bare.PATH}` } },
  ];
  for (const { program, environment } of calls)
    expect([
      program,
      spawnSync(program, ["emulator", "--", "/bin/sh", "-c", ask], {
        cwd: folder,
        env: environment,
        encoding: "utf8",
      }),
    ]).toMatchObject([program, { status: 0, stdout: expect.stringMatching(/^\d{8}\n$/) }]);
});
