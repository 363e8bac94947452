import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "@jest/globals";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { programs } from "../../support/engine/built.ts";
import { openSite } from "../../support/engine/open-site.ts";
import { openProject } from "../../support/engine/pulumi.ts";
import { installPythonSdk } from "../../support/engine/pulumi-python.ts";
import { program as yamlProgram } from "../../support/engine/pulumi-yaml.ts";
import { settingsOf } from "../../support/engine/site.ts";
import { appliedProgram, classes, exported, network, rehearseProgram } from "../run-program.ts";

/** `kcloud rehearse` with programs of Pulumi in YAML and with dynamic classes, and with secrets. */

const pulumi = await ensureEngine("pulumi-yaml");
const site = openSite();

test("a program in YAML: a change in place, a delete, and an unchanged stack", async () => {
  const stack = [
    { name: "net", resource: "vpc", inputs: { name: "net" } },
    {
      name: "data",
      resource: "volume",
      inputs: { vpcId: { ref: "net", property: "id" }, name: "data", sizeGb: 20, volumeType: "ssd" },
    },
    { name: "key", resource: "ssh-key", inputs: { name: "key", publicKey: sshKey } },
  ];
  const project = await openProject(pulumi, join(await site.folder(), "program"), settingsOf(site.url));
  const write = (text: string) => writeFile(join(project.path, "Pulumi.yaml"), text);
  const text = yamlProgram(stack as never);
  await write(text);
  await project.done("up", "--yes", "--skip-preview");
  const state = await exported(project);
  expect(await rehearseProgram(site, pulumi, project, { state })).toMatchObject({
    ...{ code: 0, stderr: "" },
    rehearsal: { steps: [], secondPlan: [] },
  });
  await write(yamlProgram(stack.slice(0, 2) as never).replace('"sizeGb":20', '"sizeGb":40'));
  const { rehearsal, code } = await rehearseProgram(site, pulumi, project, { state });
  expect([code, classes(rehearsal)]).toEqual([
    0,
    { "Volume.data": "changed", "SshKey.key": "destroyed", "Vpc.net": "untouched" },
  ]);
});

const sshKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f demo";

test("dynamic classes run in the process of the program, under the same lock", async () => {
  const text = network.replace("@kcloud/iac/pulumi", "@kcloud/iac/dynamic");
  const project = await appliedProgram(site, pulumi, text);
  const state = await exported(project);
  await project.program(text.replace('"first"', '"second"').replace("10.0.1.0/24", "10.0.2.0/24"));
  const { code, rehearsal } = await rehearseProgram(site, pulumi, project, { state });
  const effects = Object.fromEntries(
    rehearsal.objects.map(({ address, class: effect }) => [address.split(":").at(-1), effect]),
  );
  expect([code, effects]).toEqual([
    0,
    { net: "untouched", a: "replaced", web: "untouched", https: "replaced" },
  ]);
});

test("secrets: the passphrase of the stack, else an export that shows them", async () => {
  const text = `const pulumi = require("@pulumi/pulumi");
const kcloud = require("@kcloud/iac/pulumi");
const token = new pulumi.Config().requireSecret("token");
new kcloud.Vpc("net", { name: pulumi.secret("net"), tags: { token } });
`.replace(", tags: { token }", "");
  const project = await appliedProgram(site, pulumi, text.replace("requireSecret", "getSecret"));
  await project.program(text);
  const passphrase = { PULUMI_CONFIG_PASSPHRASE: "test" };
  const run = async (state: string, environment: NodeJS.ProcessEnv = {}) => {
    const { code, stderr } = await rehearseProgram(site, pulumi, project, { state, environment });
    return [code, stderr];
  };
  const encrypted = await exported(project);
  expect(await readFile(encrypted, "utf8")).toContain("ciphertext");
  expect(await run(encrypted)).toEqual([
    1,
    expect.stringMatching(
      /state\.json has encrypted secrets: set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to the passphrase of the stack, or pass the output of pulumi stack export --show-secrets as --state\n$/,
    ),
  ]);
  expect(await run(encrypted, { PULUMI_CONFIG_PASSPHRASE: "other" })).toEqual([
    1,
    expect.stringContaining("is not the passphrase of"),
  ]);
  // A setting that the program requires is an error of its preview.
  expect(await run(encrypted, passphrase)).toEqual([
    1,
    expect.stringMatching(
      /preview failed with exit code \d+:\n[\s\S]*Missing required configuration variable 'proj:token'/,
    ),
  ]);
  await project.done("config", "set", "--secret", "token", "canary");
  expect(await run(encrypted, passphrase)).toEqual([0, ""]);
  const shown = await exported(project, "--show-secrets");
  expect(await run(shown)).toEqual([
    1,
    expect.stringMatching(
      /Pulumi\.dev\.yaml \(proj:token\) has encrypted secrets: set PULUMI_CONFIG_PASSPHRASE/,
    ),
  ]);
  await project.done("config", "set", "--plaintext", "token", "plain");
  expect(await run(shown)).toEqual([0, ""]);
});

test("a program in TypeScript, which the host compiles", async () => {
  const project = await openProject(pulumi, join(await site.folder(), "program"), settingsOf(site.url));
  const definition = `name: proj\nruntime: nodejs\nplugins:\n  providers:\n  - name: kcloud\n    path: ${programs}\n`;
  await writeFile(join(project.path, "Pulumi.yaml"), definition);
  const main = join(project.path, "index.ts");
  const text = `import { Volume, Vpc } from "@kcloud/iac/pulumi";
const net = new Vpc("net", { name: "net" });
new Volume("data", { vpcId: net.id, name: "data", sizeGb: 20 as number, volumeType: "ssd" });
`;
  await writeFile(main, text);
  await project.done("up", "--yes", "--skip-preview");
  const state = await exported(project);
  await writeFile(main, text.replace("20", "40"));
  const { code, stderr, rehearsal } = await rehearseProgram(site, pulumi, project, { state });
  expect([code, stderr]).toEqual([0, ""]);
  expect(classes(rehearsal)).toEqual({ "Vpc.net": "untouched", "Volume.data": "changed" });
});

test("a program in Python with a virtual environment", async () => {
  const { venv, variables } = await installPythonSdk(join(await site.folder(), "sdk"));
  const hosts = await ensureEngine("pulumi-languages");
  // The pinned host is older than its engine, and finds the interpreter of an environment on PATH only.
  const languages = {
    ...hosts,
    env: { ...hosts.env, PATH: [variables.PATH, process.env.PATH].join(delimiter) },
  };
  const project = await openProject(languages, join(await site.folder(), "program"), {
    ...settingsOf(site.url),
    PULUMI_HOME: variables.PULUMI_HOME,
  });
  await symlink(venv, join(project.path, "venv"));
  await cp(variables.PYTHONPATH, project.path, { recursive: true });
  const definition = `name: proj\nruntime:\n  name: python\n  options:\n    virtualenv: venv\nplugins:\n  providers:\n  - name: kcloud\n    path: ${programs}\n`;
  await writeFile(join(project.path, "Pulumi.yaml"), definition);
  const main = join(project.path, "__main__.py");
  const text = `import pulumi_kcloud as kcloud
net = kcloud.Vpc("net", name="net")
kcloud.Volume("data", vpc_id=net.id, name="data", size_gb=20, volume_type="ssd")
`;
  await writeFile(main, text);
  await project.done("up", "--yes", "--skip-preview");
  const state = await exported(project);
  await writeFile(main, text.replace("20", "40"));
  const { code, stderr, rehearsal } = await rehearseProgram(site, languages, project, { state });
  expect([code, stderr]).toEqual([0, ""]);
  expect(classes(rehearsal)).toEqual({ "Vpc.net": "untouched", "Volume.data": "changed" });
});
