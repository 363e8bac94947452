import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { existingPages } from "../../tools/docs.ts";
import { packageSchemas } from "../../tools/schema.ts";
import { files } from "./repository.ts";

/** Tests the package as a user installs it: the real tarball, installed by npm into an empty folder. */

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Environment whose PATH has the Node of this test and no programs of the checkout. */
const environment = {
  ...process.env,
  PATH: [
    dirname(process.execPath),
    ...(process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules")),
  ].join(delimiter),
};

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
}

const cdktf = {
  alwaysStrict: true,
  declaration: true,
  experimentalDecorators: true,
  inlineSourceMap: true,
  inlineSources: true,
  lib: ["es2018"],
  module: "CommonJS",
  noEmitOnError: true,
  noFallthroughCasesInSwitch: true,
  noImplicitAny: true,
  noImplicitReturns: true,
  noImplicitThis: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  resolveJsonModule: true,
  strict: true,
  strictNullChecks: true,
  strictPropertyInitialization: true,
  stripInternal: true,
  target: "ES2018",
  incremental: true,
  skipLibCheck: true,
};
const olderPulumi = {
  strict: true,
  outDir: "bin",
  target: "es2020",
  module: "commonjs",
  moduleResolution: "node",
  sourceMap: true,
  experimentalDecorators: true,
  pretty: true,
  noFallthroughCasesInSwitch: true,
  noImplicitReturns: true,
  forceConsistentCasingInFileNames: true,
};

/** Compiler options of official project templates that resolve modules without `exports` of package.json. */
const templates = {
  "cdktf init": cdktf,
  "cdktn init": { ...cdktf, isolatedModules: true, types: ["node"] },
  "pulumi new before March 2026": olderPulumi,
};

/** Compiler options of projects that resolve modules in other ways, with TypeScript for a bundler, or as Node 16 does. */
const resolutions = {
  "a bundler": { module: "preserve", moduleResolution: "bundler" },
  "Node 16": { module: "node16", moduleResolution: "node16" },
};

let folder: string;
let packed: Packed;
let manifest: Manifest;

const here = (command: string, ...args: string[]) => run(command, args, { cwd: folder, env: environment });
const node = (...args: string[]) => here(process.execPath, ...args);
const npm = (...args: string[]) => here("npm", ...args, "--prefer-offline", "--no-audit", "--no-fund");
const program = (name: string) => join(folder, "node_modules/@kcloud/iac/dist", name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-package-"));
  const pack = ["pack", "--json", "--pack-destination", folder];
  [packed] = JSON.parse((await run("npm", pack, { cwd: root, env: environment })).stdout);
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true }));
  await npm("install", `./${packed.filename}`);
  await npm("ci");
  manifest = JSON.parse(await readFile(join(folder, "node_modules/@kcloud/iac/package.json"), "utf8"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("an installation of the package contains its two libraries and no other package", async () => {
  const libraries = ["undici", "zod"];
  expect(Object.keys(manifest.dependencies)).toEqual(libraries);
  expect(manifest.optionalDependencies).toBeUndefined();
  const { stdout } = await npm("ls", "--all", "--parseable");
  const places = stdout.trim().split("\n").slice(1).sort();
  expect(places).toEqual(["@kcloud/iac", ...libraries].map((name) => join(folder, "node_modules", name)));
});

test("the tarball contains only the programs, their types, the pages and the examples", () => {
  console.log(`${packed.filename}: ${packed.size} bytes, unpacked ${packed.unpackedSize}`);
  const paths = packed.files.map(({ path }) => path);
  const pages = existingPages().map(({ name }) => `docs/${name}`);
  expect(paths.filter((path) => path.startsWith("docs/")).sort()).toEqual(pages.sort());
  const examples = files.filter((path) => path.startsWith("examples/"));
  expect(paths.filter((path) => path.startsWith("examples/")).sort()).toEqual(examples.sort());
  const others = paths.filter((path) => !/^(docs|examples)\/|^dist\/.*\.(m?js|d\.ts|json)$/.test(path));
  expect(others.sort()).toEqual([
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "bench/README.md",
    "dist/LICENSES",
    "dist/kcloud",
    "dist/kcloud-command.cache",
    "dist/kcloud-pulumi.cache",
    "dist/kcloud-terraform.cache",
    "dist/kcloud.part",
    "dist/pulumi-resource-kcloud",
    "dist/terraform-provider-kcloud",
    "package.json",
  ]);
  // An engine accepts any file with this prefix as the provider.
  expect(paths.filter((path) => path.startsWith("dist/terraform-provider-kcloud"))).toHaveLength(1);
  expect(paths.filter((path) => path.endsWith("-results.json"))).toEqual([]);
  expect(packed.size).toBeLessThan(6_000_000);
});

test("the licences of the packages in the programs are part of the package", async () => {
  const text = await readFile(join(folder, "node_modules/@kcloud/iac/dist/LICENSES"), "utf8");
  const names = [...text.matchAll(/^(\S+) \d+\.\d+\.\d+, \(?[A-Z]/gm)].map(([, name]) => name);
  expect(names).toEqual([
    ...["@bufbuild/protobuf", "@modelcontextprotocol/core", "@modelcontextprotocol/server"],
    ...["@pulumi/pulumi", "google-protobuf", "undici", "zod"],
  ]);
  expect(text.match(/Apache License|MIT License|Permission is hereby granted/g)?.length).toBeGreaterThan(5);
});

test("every link of a packed page leads to a packed file or folder", async () => {
  const paths = packed.files.map(({ path }) => path);
  const places = new Set(paths.flatMap((path) => [path, ...foldersAbove(path)]));
  const pages = paths.filter((path) => path.endsWith(".md"));
  const wrong: string[] = [];
  let checked = 0;
  for (const page of pages) {
    const text = await readFile(join(folder, "node_modules/@kcloud/iac", page), "utf8");
    const prose = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
    for (const [link, path = ""] of prose.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)) {
      checked += 1;
      if (!places.has(join(dirname(page), path))) wrong.push(`${page}: ${link}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(checked).toBeGreaterThan(400);
});

const foldersAbove = (path: string): string[] => {
  const parent = dirname(path);
  return parent === "." ? [] : [parent, ...foldersAbove(parent)];
};

test("the package contains the schemas of the policy, of the report and of an inventory", async () => {
  for (const [name, text] of Object.entries(packageSchemas())) {
    expect(packed.files.map(({ path }) => path)).toContain(`dist/schema/${name}`);
    expect(await readFile(join(folder, "node_modules/@kcloud/iac/dist/schema", name), "utf8")).toBe(text);
    expect((await node("-p", `require.resolve("@kcloud/iac/schema/${name}")`)).stdout).toContain(name);
  }
});

test("the review of a plan runs a rule of a policy", async () => {
  await mkdir(join(folder, "policy/rules"), { recursive: true });
  const rule = `import { defineRule } from "@kcloud/iac/review";
export default defineRule({ id: "ACME-01", title: "A rule", severity: "critical", confidence: "proven", about: "A", remedy: "R",
  check: ({ plans }) => plans.map(({ name }) => ({ plan: name, text: \`It ran on \${name as string}.\` })) });`;
  await writeFile(join(folder, "policy/rules/acme.ts"), rule);
  const plan = join(root, "test/review/fixture/terraform-1.16.0.json");
  const kcloud = join(folder, "node_modules/.bin/kcloud");
  const ran = here(kcloud, "review", "--in", `net=${plan}`, "--policy", "policy");
  await expect(ran).rejects.toMatchObject({ code: 3, stdout: expect.stringContaining("It ran on net.") });
});

test("the command runs, and runs another command against the emulator", async () => {
  const kcloud = join(folder, "node_modules/.bin/kcloud");
  expect((await here(kcloud, "--help")).stdout).toMatch(/^Usage: kcloud COMMAND \[options\]\n/);
  const { stdout } = await here(kcloud, "emulator", "--", "node", "-p", "process.env.SERVICE_BASE_URL");
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
});

test("the doctor of the command reaches the emulator by the network library of the package", async () => {
  const kcloud = join(folder, "node_modules/.bin/kcloud");
  // The exit code may be 1: an engine on PATH may be broken, which is one of the findings.
  const { stdout } = await here(kcloud, "emulator", "--", kcloud, "doctor", "--json").catch(
    (failure: { stdout: string }) => failure,
  );
  const { checks } = JSON.parse(stdout) as { checks: { check: string; status: string }[] };
  const passed = checks.filter(({ status }) => status === "ok").map(({ check }) => check);
  expect(passed).toEqual(
    expect.arrayContaining(["settings", "address", "clock", "credentials", "region", "node"]),
  );
});

test("the command installs the provider of the package into a mirror", async () => {
  const kcloud = join(folder, "node_modules/.bin/kcloud");
  const mirror = join(folder, "mirror");
  const { version } = manifest;
  const { stdout } = await here(kcloud, "install", "terraform", "--mirror", mirror);
  expect(stdout).toContain(`path    = ${JSON.stringify(mirror)}`);
  const places = ["linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"].map((platform) =>
    join(
      mirror,
      "registry.terraform.io/kcloud/kcloud",
      version,
      platform,
      `terraform-provider-kcloud_v${version}`,
    ),
  );
  const plugin = await readFile(program("terraform-provider-kcloud"));
  for (const place of places) expect([place, plugin.equals(await readFile(place))]).toEqual([place, true]);
});

test("the provider in a mirror below a project of ES modules starts", async () => {
  const project = join(folder, "modules");
  await mkdir(project);
  await writeFile(join(project, "package.json"), '{"type":"module"}');
  const kcloud = join(folder, "node_modules/.bin/kcloud");
  await here(
    kcloud,
    "install",
    "terraform",
    "--mirror",
    join(project, "mirror"),
    "--platform",
    "linux_amd64",
  );
  const { version } = manifest;
  const place = join(project, "mirror/registry.terraform.io/kcloud/kcloud", version, "linux_amd64");
  const started = here(join(place, `terraform-provider-kcloud_v${version}`));
  await expect(started).rejects.toMatchObject({
    stderr: expect.stringMatching(/^This is the kcloud provider/),
  });
});

test("the Terraform plugin starts, and explains that engines start it", async () => {
  const started = here(program("terraform-provider-kcloud"));
  await expect(started).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr:
      "This is the kcloud provider of Terraform and OpenTofu. Both start it themselves: do not run it directly.\n",
  });
});

test("the Pulumi plugin starts and prints its port", async () => {
  const child = spawn(program("pulumi-resource-kcloud"), ["127.0.0.1:1"], { env: environment });
  const ended = once(child, "exit");
  const [line] = await once(createInterface(child.stdout), "line");
  child.kill();
  expect(Number(line)).toBeGreaterThan(1023);
  await ended;
});

describe("with its peers", () => {
  /** Users install peer dependencies themselves; the test links those of the checkout. */
  beforeAll(async () => {
    for (const name of [...Object.keys(manifest.peerDependencies), "@types/node"]) {
      const place = join(folder, "node_modules", name);
      await mkdir(dirname(place), { recursive: true });
      await symlink(join(root, "node_modules", name), place);
    }
  });

  test("every entry loads by require and by import, with the same exports", async () => {
    const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith(".json"));
    const names = entries.map((entry) => `@kcloud/iac${entry.slice(1)}`);
    await writeFile(join(folder, "load.cjs"), load(names));
    const loaded = JSON.parse((await node("load.cjs")).stdout);
    expect(Object.keys(loaded)).toEqual(names);
    for (const [required, imported] of Object.values<string[][]>(loaded)) {
      expect(required).not.toEqual([]);
      expect(imported).toEqual(required);
    }
    expect((await node("-p", "require('@kcloud/iac/package.json').name")).stdout).toBe("@kcloud/iac\n");
  });

  test.each(["cdktf", "cdktn"])("an app with %s synthesizes", async (flavour) => {
    await copyFile(join(root, "examples/stack", flavour, "main.ts"), join(folder, `${flavour}.mts`));
    await node(`${flavour}.mts`);
    const text = await readFile(join(folder, "cdktf.out/stacks/shop/cdk.tf.json"), "utf8");
    expect(Object.keys(JSON.parse(text).resource)).toEqual([
      "kcloud_instance",
      "kcloud_security_group",
      "kcloud_security_group_rule",
      "kcloud_ssh_key",
      "kcloud_subnet",
      "kcloud_volume",
      "kcloud_vpc",
    ]);
  });

  test("the types of the package compile with strict options in both module systems", async () => {
    for (const file of ["user.mts", "user.cts"]) await writeFile(join(folder, file), user);
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(strict));
    expect(await compileErrors(".")).toEqual([]);
  });

  test.each(Object.entries(templates))(
    "the types of the package compile in a project of %s",
    async (name, compilerOptions) => {
      const project = join(folder, name.replaceAll(/\W+/g, "-"));
      await mkdir(project);
      await writeFile(join(project, "user.ts"), user);
      await writeFile(
        join(project, "tsconfig.json"),
        JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true }, files: ["user.ts"] }),
      );
      expect(await compileErrors(project)).toEqual([]);
    },
  );

  test.each(Object.entries(resolutions))(
    "the types of the client compile with strict options and the modules of %s",
    async (name, modules) => {
      const project = join(folder, `client-${name.replaceAll(/\W+/g, "-")}`);
      await mkdir(project);
      await writeFile(join(project, "user.ts"), userOfClient);
      const compilerOptions = { ...strict.compilerOptions, ...modules };
      await writeFile(
        join(project, "tsconfig.json"),
        JSON.stringify({ compilerOptions, files: ["user.ts"] }),
      );
      expect(await compileErrors(project)).toEqual([]);
    },
  );

  /** Compiles a project. Returns the type errors, without those of other libraries. */
  async function compileErrors(project: string): Promise<string[]> {
    const tsc = join(root, "node_modules/typescript/lib/tsc.js");
    const { stdout } = await node(tsc, "--pretty", "false", "-p", project).catch(
      (failure: { stdout: string }) => failure,
    );
    return stdout
      .split("\n")
      .filter((line) => /^(node_modules\/@kcloud|[\w-]*\/?(user|tsconfig)|error)/.test(line));
  }
});

const load = (names: readonly string[]) => `
const named = (module) => Object.keys(module).filter((name) => !["default", "module.exports", "__esModule"].includes(name)).sort();
const pairs = ${JSON.stringify(names)}.map(async (name) => [name, [named(require(name)), named(await import(name))]]);
Promise.all(pairs).then((pairs) => console.log(JSON.stringify(Object.fromEntries(pairs))));
`;

const strict = {
  compilerOptions: {
    module: "nodenext",
    target: "es2022",
    types: ["node"],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
  },
  files: ["user.mts", "user.cts"],
};

/** Program of a user with the client only. */
const userOfClient = `
import { CloudError, createClient, InputError, mayHaveBeenExecuted, type Client, type ClientOptions, type Failure, type GetVolumeResponse } from "@kcloud/iac/client";

export const lost: Failure = "ambiguous";
export const sizeOf = (volume: GetVolumeResponse): unknown => volume.size;
export const clientOptions: ClientOptions = { region: undefined, log: ({ facts }) => console.log(facts.route) };
export const client: Client = createClient(clientOptions);
// @ts-expect-error
createClient({ regio: "In-Bangalore-1" });

const created = { vpcId: "v", name: "data", volumeType: "ssd" };
export const text = async (): Promise<string | null | undefined> =>
  (await client.volume.createVolume({ ...created, size: 10, description: undefined })).volume?.id;
// @ts-expect-error
client.volume.createVolume({ ...created, size: "10" });
// @ts-expect-error
client.volume.createVolume({ vpcId: "v", name: "data", volumeType: "ssd", size: 10, sizeGb: 10 });
// @ts-expect-error
client.volume.createVolume(created);
export async function listed(signal: AbortSignal): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { vpcName } of client.vpc.getVpcList({}, { signal, timeoutMs: 1_000 })) found.push(vpcName);
  const [first] = await client.vpc.getVpcList();
  // @ts-expect-error
  const wrong: number | undefined = first?.vpcName;
  return [...found, String(wrong)];
}
export function texts(error: unknown): readonly string[] {
  if (error instanceof InputError) return error.problems.map(({ path, problem }) => \`\${path.join(".")} \${problem}\`);
  if (error instanceof CloudError) return [error.reason, error.failure, String(error.status ?? mayHaveBeenExecuted(error))];
  return [];
}
`;

/** Program of a user. Each line after `@ts-expect-error` proves that its types are known: it would compile with `any`. */
const user = `
import * as kcloud from "@kcloud/iac";
import { Subnet, KcloudProvider, Vpc as CdktfVpc } from "@kcloud/iac/cdktf";
import { Vpc as CdktnVpc } from "@kcloud/iac/cdktn";
import { resources } from "@kcloud/iac/definitions";
import { Vpc as DynamicVpc } from "@kcloud/iac/dynamic";
import { createEmulator } from "@kcloud/iac/emulator";
import { SecurityGroupRule, SecurityGroupRuleDirection, Volume, Vpc, getVpcOutput } from "@kcloud/iac/pulumi";
import { type Change, defineRule, differencesOf, type Report } from "@kcloud/iac/review";
import type { Output } from "@pulumi/pulumi";
import { App, TerraformStack } from "cdktf";
import * as cdktn from "cdktn";

export const names: readonly string[] = resources.map(({ name }) => name);
// @ts-expect-error
export const wrong: number = resources[0]?.name;

const vpc = new Vpc("shop", { primarySubnet: { name: "web", cidr: "10.0.0.0/24" } });
export const orders = new Volume("orders", { vpcId: vpc.id, sizeGb: 20, volumeType: "ssd" }).status;
const type: string = "ssd";
new Volume("spare", { vpcId: vpc.id, sizeGb: 20, volumeType: type });
const open = { vpcId: vpc.id, securityGroupId: "krn", protocol: type, remoteIpPrefix: "0.0.0.0/0" };
const rule = new SecurityGroupRule("web", { ...open, direction: SecurityGroupRuleDirection.Ingress });
new SecurityGroupRule("out", { ...open, direction: "egress" });
// @ts-expect-error
new SecurityGroupRule("wrong", { ...open, direction: "in" });
export const direction: Output<"ingress" | "egress"> = rule.direction;
export const found = getVpcOutput({ id: vpc.id }).networkId;
// @ts-expect-error
new Vpc("shop", { name: 1 });
// @ts-expect-error
new kcloud.Vpc("shop", { name: 1 });
export const same: Vpc = new kcloud.Vpc("shop");
// @ts-expect-error
new DynamicVpc("shop", { name: 1 });
new DynamicVpc("shop");

const stack = new TerraformStack(new App(), "shop");
new KcloudProvider(stack, "kcloud", { region: "In-Bangalore-1" });
const network = new CdktfVpc(stack, "network", { name: "shop" });
new Subnet(stack, "database", { vpcId: network.id, name: "database", cidr: "10.0.1.0/24" });
// @ts-expect-error
new CdktfVpc(stack, "wrong", {});
// @ts-expect-error
new CdktnVpc(new cdktn.TerraformStack(new cdktn.App(), "shop"), "wrong", {});

const grows = (change: Change): boolean => differencesOf(change).some(({ path }) => path[0] === "sizeGb");
export const grown = defineRule({
  id: "ACME-01", title: "A volume grows", severity: "low", confidence: "proven", about: "", remedy: "",
  check: ({ changes }) => changes.filter(grows).map((change) => ({ change, text: change.address })),
});
// @ts-expect-error
defineRule({ ...grown, severity: "fatal" });
export const blocked = ({ verdict, findings }: Report): boolean => verdict.code === 3 && findings.length > 0;
// @ts-expect-error
export const noReport: Report = { verdict: 3 };

export const address: Promise<{ url: string }> = createEmulator().listen();
// @ts-expect-error
createEmulator({ taskMs: "soon" });
${userOfClient}`;
