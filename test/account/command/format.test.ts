import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { writeFolder } from "../../../account/command/folder.ts";
import { type FormatName, formats } from "../../../account/command/format.ts";
import { exportAccount } from "../../../account/export/export.ts";
import { hclFiles } from "../../../account/export/hcl.ts";
import { importCommand } from "../../../account/export/pulumi.ts";
import { everything } from "../../../account/filter.ts";
import { createEmulator } from "../../../emulator/emulator.ts";
import { gatherSettings } from "../../../provider/config/config.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import { realPorts } from "../../../provider/platform/real-ports.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { environment } from "../../adapter/lifecycle/lifecycle.ts";
import { resource } from "../../support/cloud.ts";
import { compileCache, nameOf, runPulumi } from "../../support/engine/pulumi.ts";
import {
  installPlugin,
  installPythonSdk,
  type PythonInstallation,
} from "../../support/engine/pulumi-python.ts";
import { openFolder, succeed } from "../../support/engine/terraform.ts";
import { existingObjects, make } from "../../support/large-account.ts";
import { hostileStack, shop } from "../account.ts";

/** An account that nothing manages, exported in each language and managed until its end. */

const root = join(import.meta.dirname, "../../..");
const yaml = await ensureEngine("pulumi-yaml");
const terraform = await ensureEngine("terraform");
const limit = 180_000;

let folder: string;
let python: PythonInstallation;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-format-"));
  await installPlugin(folder);
  python = await installPythonSdk(folder);
}, limit);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Creates the account in an emulator, and writes its export in the language, with the package installed. */
async function openExport(format: FormatName, by: "kind" | "vpc", stack = shop) {
  const emulator = createEmulator({ taskMs: 20 });
  const server = await emulator.listen();
  await make(stack, server.url);
  const { project } = await exportAccount(gatherSettings({}, environment(server.url)), realPorts, {
    filter: everything,
    stop: new AbortController().signal,
  });
  const path = join(await mkdtemp(join(folder, "work-")), "project");
  const files = formats[format].write(project, by);
  writeFolder(path, files);
  if (format === "pulumi-python") await symlink(python.venv, join(path, "venv"));
  else await symlink(join(root, "node_modules"), join(path, "node_modules"));
  return { emulator, server, path, text: JSON.stringify([...files]) };
}

/** Checks the types and the format of a program in TypeScript. */
async function checkTypescript(path: string): Promise<void> {
  const run = (command: string, ...args: string[]) =>
    promisify(execFile)(join(root, "node_modules/.bin", command), args, { cwd: path }).catch(
      ({ stdout, stderr }) => {
        throw new Error(`${stdout}${stderr}`);
      },
    );
  await run("tsc");
  await run("biome", "format", "--indent-style=space", "--line-width=110", ".");
}

/** Checks the types of a program in Python, and installs what it needs in place of `pulumi install`. */
async function checkPython(path: string): Promise<void> {
  expect(await readFile(join(path, "requirements.txt"), "utf8")).toContain(`./${python.wheel}\n`);
  const env = { ...process.env, ...python.variables, PATH: `${python.variables.PATH}:${process.env.PATH}` };
  const run = (command: string, ...args: string[]) =>
    promisify(execFile)(join(python.venv, "bin", command), args, {
      cwd: path,
      env: { ...env, MYPYPATH: env.PYTHONPATH, PYRIGHT_PYTHON_IGNORE_WARNINGS: "1" },
    }).catch(({ stdout, stderr }) => {
      throw new Error(`${stdout}${stderr}`);
    });
  await run("pyright", "--pythonpath", join(python.venv, "bin/python"), ".");
  await run("mypy", "--cache-dir", join(folder, "mypy"), ".");
}

/** Fails if the text of a program has a secret. */
function refuseSecrets(text: string): void {
  expect(text).not.toContain("secret-user-data");
  expect(text).not.toContain("emulator-");
}

/** Opens a Pulumi project with a new stack. Returns a function that runs a command and returns its standard output. */
async function openPulumi(path: string, url: string): Promise<(...args: string[]) => Promise<string>> {
  const settings = {
    ...process.env,
    ...yaml.env,
    ...compileCache,
    ...python.variables,
    PATH: `${python.variables.PATH}:${yaml.env.PATH}`,
    ...environment(url),
    // The program has the region.
    SERVICE_REGION: "",
    PULUMI_BACKEND_URL: `file://${await mkdtemp(join(folder, "backend-"))}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
  };
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, output } = await runPulumi(yaml, args, path, settings);
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${code}:\n${output}`);
    return stdout;
  };
  await run("stack", "init", "dev");
  return run;
}

/** Removes the comment signs and the sentences of the comments, and adds the values that the rule of the account needs. */
const filledIn = (text: string, sign: RegExp, values: string): string =>
  text
    .split("\n")
    .map((line) => line.replace(sign, ""))
    .filter((line) => !/^(A comment,|To manage it,|pulumi import) /.test(line))
    .join("\n")
    .replace(/^.*\b(securityGroupId: \w+\.id|security_group_id(=\w+\.id| = .*))/m, (line) => line + values);

interface Preview {
  readonly steps: readonly {
    readonly op: string;
    readonly urn: string;
    readonly diffReasons?: readonly string[];
  }[];
}

test.each([
  ["pulumi-typescript", "kind"],
  ["pulumi-typescript", "vpc"],
  ["pulumi-python", "kind"],
  ["pulumi-python", "vpc"],
  ["pulumi-yaml", "kind"],
] as const)(
  "the %s program of an account, by %s, is imported, changes nothing but the state, and is destroyed without an error",
  async (format, by) => {
    const { emulator, server, path, text } = await openExport(format, by);
    try {
      refuseSecrets(text);
      if (format === "pulumi-typescript") await checkTypescript(path);
      if (format === "pulumi-python") await checkPython(path);
      const run = await openPulumi(path, server.url);
      const before = existingObjects(emulator);
      await run(...importCommand.split(" ").slice(1), "--yes", "--skip-preview");
      const { steps } = JSON.parse(await run("preview", "--json")) as Preview;
      const changes = steps
        .filter(({ op }) => op !== "same")
        .map(({ op, urn, diffReasons = [] }) => `${op} ${nameOf(urn)}: ${diffReasons.join()}`);
      // No route returns the primary subnet of a VPC.
      expect(changes.toSorted()).toEqual([
        "update lab: primarySubnet",
        "update shop: primarySubnet",
        "update web: floatingIp",
      ]);
      await run("up", "--yes", "--skip-preview");
      await run("preview", "--expect-no-changes");
      expect(existingObjects(emulator)).toEqual(before);
      await run("destroy", "--yes", "--skip-preview");
      // Their blocks are comments.
      expect(existingObjects(emulator).map(({ kind }) => kind)).toEqual(["access_key", "image"]);
    } finally {
      await server.close();
    }
  },
  limit,
);

test.each(["kind", "vpc"] as const)(
  "the app of CDKTF of an account, by %s, imports, changes nothing but the state, and is destroyed without an error",
  async (by) => {
    const { emulator, server, path, text } = await openExport("cdktf", by);
    try {
      refuseSecrets(text);
      await checkTypescript(path);
      await promisify(execFile)(process.execPath, ["--no-warnings", "main.ts"], { cwd: path });
      const work = await mkdtemp(join(folder, "work-"));
      await cp(join(path, "cdktf.out/stacks/account/cdk.tf.json"), join(work, "cdk.tf.json"));
      const opened = await openFolder(terraform, work, { ...environment(server.url), SERVICE_REGION: "" });
      const run = (...args: string[]) => succeed(opened, args);
      await run("init");
      const before = existingObjects(emulator);
      const plan = await run("plan", "-no-color", "-out=planned");
      expect(plan.match(/Plan: .*/)?.[0]).toBe("Plan: 23 to import, 0 to add, 3 to change, 0 to destroy.");
      const changes = new Set((plan.match(/^ {6}[+~-] \w+(?<!_wo)\b/gm) ?? []).map((line) => line.trim()));
      // No route returns the primary subnet of a VPC.
      expect([...changes].toSorted()).toEqual(["+ primary_subnet", "~ floating_ip"]);
      await run("apply", "planned");
      expect(await run("plan", "-detailed-exitcode")).toContain("No changes.");
      expect(existingObjects(emulator)).toEqual(before);
      await run("destroy", "-auto-approve");
      expect(existingObjects(emulator).map(({ kind }) => kind)).toEqual(["access_key", "image"]);
    } finally {
      await server.close();
    }
  },
  limit,
);

test.each([
  [
    "pulumi-typescript",
    "security-group-rule.ts",
    /^\/\/ ?/,
    ', direction: "ingress", protocol: "tcp", remoteIpPrefix: "0.0.0.0/0"',
  ],
  [
    "pulumi-python",
    "security_group_rule.py",
    /^# ?/,
    ', direction="ingress", protocol=kcloud.SecurityGroupRuleProtocol.TCP, remote_ip_prefix="0.0.0.0/0"',
  ],
] as const)(
  "a rule of a program of the format %s is imported as its comment says, once its values are filled in",
  async (format, name, sign, values) => {
    const { server, path } = await openExport(format, "kind");
    try {
      const run = await openPulumi(path, server.url);
      const file = join(path, name);
      const text = await readFile(file, "utf8");
      const command = text.match(/^(?:#|\/\/) pulumi (import .*)$/m)?.[1] ?? "";
      await writeFile(file, filledIn(text, sign, values));
      await run(...importCommand.split(" ").slice(1), "--yes", "--skip-preview");
      await run(...command.split(" "), "--yes", "--skip-preview");
      const preview = await run("preview", "--json");
      const { steps } = JSON.parse(preview) as Preview;
      expect(steps.filter(({ urn }) => nameOf(urn) === "staffSecurityGroupRule")).toEqual([]);
      expect(preview).toContain("Not compared: the API does not show direction, protocol, remoteIpPrefix.");
      await run("up", "--yes", "--skip-preview");
      await run("preview", "--expect-no-changes");
    } finally {
      await server.close();
    }
  },
  limit,
);

test(
  "a rule of a configuration is imported once its values are filled in",
  async () => {
    const { server, path } = await openExport("terraform", "kind");
    try {
      const file = join(path, "security_group_rule.tf");
      const values = '\n direction = "ingress"\n protocol = "tcp"\n remote_ip_prefix = "0.0.0.0/0"';
      await writeFile(file, filledIn(await readFile(file, "utf8"), /^# ?/, values));
      const opened = await openFolder(terraform, path, environment(server.url));
      const run = (...args: string[]) => succeed(opened, args);
      await run("init");
      const plan = await run("plan", "-no-color", "-out=planned");
      expect(plan.match(/Plan: .*/)?.[0]).toBe("Plan: 24 to import, 0 to add, 4 to change, 0 to destroy.");
      await run("apply", "planned");
      expect(await run("plan", "-detailed-exitcode")).toContain("No changes.");
    } finally {
      await server.close();
    }
  },
  limit,
);

test(
  "the configuration of the objects that no state has is imported next to the others, and its second plan is empty",
  async () => {
    const emulator = createEmulator({ taskMs: 20 });
    const server = await emulator.listen();
    try {
      const states = await make(shop, server.url);
      // The time of the API has whole seconds.
      await setTimeout(1_100);
      // The states have the VPC, a subnet and a group, to which the other objects refer, and an object outside of VPCs.
      const managed = shop.filter(({ name }) => ["shop", "back", "staff", "logs"].includes(name));
      const objects = managed.map(({ name, resource: kind }) => ({
        ...{ address: `kcloud_${kind}.${name}`, resource: resource(kind), dependsOn: [] },
        state: states[name] as ResourceState,
      }));
      const given = gatherSettings({}, { ...environment(server.url), SERVICE_SETTLE_SECONDS: "0" });
      const { project, leftOut } = await exportAccount(given, realPorts, {
        filter: everything,
        states: [{ engine: "terraform", objects, gaps: [] }],
        stop: new AbortController().signal,
      });
      // The primary subnet, the default group and ports are made with these.
      expect(leftOut.managed).toBeGreaterThan(managed.length);
      const path = join(await mkdtemp(join(folder, "work-")), "project");
      writeFolder(path, hclFiles(project, "kind"));
      const opened = await openFolder(terraform, path, environment(server.url));
      const run = (...args: string[]) => succeed(opened, args);
      await run("init");
      const before = existingObjects(emulator);
      const plan = await run("plan", "-no-color", "-out=planned");
      expect(plan.match(/Plan: .*/)?.[0]).toMatch(
        /^Plan: \d+ to import, 0 to add, 2 to change, 0 to destroy\.$/,
      );
      await run("apply", "planned");
      expect(await run("plan", "-detailed-exitcode")).toContain("No changes.");
      expect(existingObjects(emulator)).toEqual(before);
      const imported = (await run("state", "list")).trim().split("\n");
      expect(imported).toContain("kcloud_volume.orders");
      expect(imported.filter((address) => /kcloud_(vpc\.shop|subnet\.back|bucket\.)/.test(address))).toEqual(
        [],
      );
    } finally {
      await server.close();
    }
  },
  limit,
);

describe("names and labels with code of the language are texts", () => {
  test.each(["pulumi-typescript", "pulumi-python", "pulumi-yaml"] as const)(
    "in a program of the format %s",
    async (format) => {
      const { server, path } = await openExport(format, "kind", hostileStack);
      try {
        const run = await openPulumi(path, server.url);
        await run(...importCommand.split(" ").slice(1), "--yes", "--skip-preview");
        const { steps } = JSON.parse(await run("preview", "--json")) as Preview;
        const changes = steps.filter(({ op }) => op !== "same").map(({ op, urn }) => `${op} ${nameOf(urn)}`);
        expect(changes).toEqual([]);
      } finally {
        await server.close();
      }
    },
    limit,
  );

  test.each(["terraform", "cdktf"] as const)(
    "in a configuration of the format %s",
    async (format) => {
      const { emulator, server, path } = await openExport(format, "kind", hostileStack);
      try {
        let work = path;
        if (format === "cdktf") {
          await promisify(execFile)(process.execPath, ["--no-warnings", "main.ts"], { cwd: path });
          work = await mkdtemp(join(folder, "work-"));
          await cp(join(path, "cdktf.out/stacks/account/cdk.tf.json"), join(work, "cdk.tf.json"));
        }
        const opened = await openFolder(terraform, work, environment(server.url));
        const run = (...args: string[]) => succeed(opened, args);
        await run("init");
        const before = existingObjects(emulator);
        const plan = await run("plan", "-no-color", "-out=planned");
        expect(plan.match(/Plan: .*/)?.[0]).toBe(
          `Plan: ${hostileStack.length} to import, 0 to add, 0 to change, 0 to destroy.`,
        );
        await run("apply", "planned");
        expect(await run("plan", "-detailed-exitcode")).toContain("No changes.");
        expect(existingObjects(emulator)).toEqual(before);
      } finally {
        await server.close();
      }
    },
    limit,
  );
});
