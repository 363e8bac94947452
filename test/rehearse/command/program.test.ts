import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { openSite } from "../../support/engine/open-site.ts";
import { untilRunning } from "../../support/engine/process.ts";
import { appliedProgram, classes, exported, machine, network, rehearseProgram } from "../run-program.ts";

/** `kcloud rehearse` with programs of Pulumi and its real engine. */

const pulumi = await ensureEngine("pulumi-yaml");
const site = openSite();

test("a replacement is rehearsed in its order, and the plan is that of the program", async () => {
  const text = network + machine("a.id", "net.id", "web.id");
  const project = await appliedProgram(site, pulumi, text);
  const state = await exported(project);
  const unchanged = await rehearseProgram(site, pulumi, project, { state });
  expect(unchanged).toMatchObject({ code: 0, rehearsal: { steps: [], secondPlan: [], assumed: [] } });
  await project.program(text.replace("10.0.1.0/24", "10.0.2.0/24").replace('"first"', '"second"'));
  const plan = join(site.path, "preview.json");
  await writeFile(plan, await project.done("preview", "--json", "--show-sames", "--show-replacement-steps"));
  const alone = await rehearseProgram(site, pulumi, project, { state });
  const { code, rehearsal, stdout } = await rehearseProgram(site, pulumi, project, {
    state,
    args: ["--plan", plan],
  });
  expect(code).toBe(0);
  expect(classes(rehearsal)).toEqual({
    "Instance.web": "replaced",
    "SecurityGroup.web": "untouched",
    "SecurityGroupRule.https": "replaced",
    "Subnet.a": "replaced",
    "Vpc.net": "untouched",
  });
  const order = rehearsal.steps.map(({ address, action }) => `${action} ${address.split(":").at(-1)}`);
  expect(order.filter((step) => !step.includes("https"))).toEqual([
    ...["delete web", "delete a", "create a", "create web"],
  ]);
  expect(rehearsal.absent).toEqual(['ingress tcp 443-443 0.0.0.0/0 in the security group "web"']);
  expect(stdout).toMatch(/^The change applies, and a second plan is empty\. Rehearsed with Pulumi \d/);
  expect([rehearsal.differences, rehearsal.approval]).toEqual([[], alone.rehearsal.approval]);
});

const sshKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f demo";

test("addresses and credentials of program, configuration, state and environment reach nobody", async () => {
  let connections = 0;
  const server = createServer((_, response) => {
    connections += 1;
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const text = (name: string, more: string) =>
    `const kcloud = require("@kcloud/iac/pulumi");
const real = new kcloud.Provider("real", { baseUrl: ${JSON.stringify(name)}, apiKey: "emulator-key" });
const net = new kcloud.Vpc("net", { name: "net" });
${more}`;
  const subnet = (name: string) =>
    `new kcloud.Subnet("a", { vpcId: net.id, name: "${name}", cidr: "10.0.1.0/24" }, { provider: real });\n`;
  const key = `new kcloud.SshKey("key", { name: "key", publicKey: "${sshKey}" }, { provider: real });\n`;
  try {
    const project = await appliedProgram(site, pulumi, text(site.url, subnet("a") + key));
    const state = await exported(project, "--show-secrets");
    const canary = (await readFile(state, "utf8"))
      .replaceAll(`"${site.url}"`, `"${url}"`)
      .replaceAll("emulator-key", "canary-1");
    expect(canary).toContain("canary-1");
    await writeFile(state, canary);
    // The key is deleted with the provider of the state.
    await project.program(text(url, subnet("b")).replace("emulator-key", "canary-2"));
    const settings = join(project.path, "Pulumi.dev.yaml");
    const lines = [
      `  kcloud:baseUrl: ${url}`,
      "  kcloud:email: canary-3@example.com",
      "  kcloud:password:\n    secure: v1:canary-4",
      "  kcloud:accessKey: canary-5",
      `  kcloud:otpCommand: curl ${url}`,
      "  kcloud:region: In-Bangalore-1",
    ];
    await writeFile(settings, `${await readFile(settings, "utf8")}config:\n${lines.join("\n")}\n`);
    const home = join(site.path, "home/.config/kcloud");
    await mkdir(home, { recursive: true });
    await writeFile(
      join(home, "profiles.json"),
      JSON.stringify({ default: { base_url: url, api_key: "canary-6" } }),
      {
        mode: 0o600,
      },
    );
    const { code, stdout, stderr, rehearsal } = await rehearseProgram(site, pulumi, project, {
      state,
      isConfined: false,
      environment: {
        ...{ SERVICE_BASE_URL: url, SERVICE_API_KEY: "canary-7", HTTPS_PROXY: url, HTTP_PROXY: url },
        ...{ PULUMI_BACKEND_URL: url, PULUMI_ACCESS_TOKEN: "canary-8", AWS_SECRET_ACCESS_KEY: "canary-9" },
      },
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(classes(rehearsal)).toEqual({
      "Vpc.net": "untouched",
      "Subnet.a": "replaced",
      "SshKey.key": "destroyed",
      "pulumi:providers:kcloud.real": "changed",
    });
    expect(rehearsal.unconfined).toMatch(/^programs have the network, files and processes of this machine/);
    expect(`${stdout}${JSON.stringify(rehearsal)}`).not.toContain("canary");
    expect(connections).toBe(0);
  } finally {
    server.close();
  }
});

test("a program that waits for ever ends at the time limit with all that it started; one that fails is an error", async () => {
  const project = await appliedProgram(site, pulumi, network);
  const state = await exported(project);
  const marker = `waits-${process.pid}`;
  await project.program(
    `process.title = ${JSON.stringify(marker)};\nmodule.exports = async () => { for (;;) await new Promise((resolve) => setTimeout(resolve, 1000)); };\n`,
  );
  const rehearsing = rehearseProgram(site, pulumi, project, { state, args: ["--time-limit", "15"] });
  await untilRunning(marker);
  const late = await rehearsing;
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining("preview did not end in time")]);
  await untilRunning(marker, false);
  await project.program(`${network}throw new Error("the program fails");\n`);
  const failed = await rehearseProgram(site, pulumi, project, { state });
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining("the program fails")]);
  await project.program(`${network}process.exit(4);\n`);
  const exited = await rehearseProgram(site, pulumi, project, { state });
  expect([exited.code, exited.stderr]).toEqual([
    1,
    expect.stringMatching(/preview failed with exit code \d+:\n./),
  ]);
});

test("refused parts and exports that do not fit are errors before anything runs", async () => {
  const project = await appliedProgram(site, pulumi, network);
  const state = await exported(project);
  const text = await readFile(state, "utf8");
  const errorOf = async (file: string, { args = [] as string[], content = "", of = project } = {}) => {
    if (content !== "") await writeFile(file, content);
    const { code, stderr } = await rehearseProgram(site, pulumi, of, { state: file, args });
    return `${code} ${stderr}`;
  };
  const changed = join(site.path, "changed.json");
  const reference = {
    urn: "urn:pulumi:dev::proj::pulumi:pulumi:StackReference::org/net/prod",
    type: "pulumi:pulumi:StackReference",
    custom: true,
    id: "x",
  };
  const withReference = JSON.parse(text);
  withReference.deployment.resources.push(reference);
  expect(await errorOf(changed, { content: JSON.stringify(withReference) })).toBe(
    `1 kcloud rehearse: the configuration has parts that a rehearsal does not run:\n  ${changed}: pulumi:pulumi:StackReference::org/net/prod reads another stack, whose outputs are not known\n`,
  );
  expect(await errorOf(changed, { content: text.replaceAll("::proj::", "::shop::") })).toMatch(
    /^1 .*changed\.json is an export of the project shop, and .*Pulumi\.yaml is the project proj\n$/,
  );
  expect(await errorOf(state, { args: ["--stack", "prod"] })).toMatch(
    /state\.json is an export of the stack dev, and not of prod\n$/,
  );
  expect(await errorOf(changed, { content: text.slice(0, 400) })).toContain("is not JSON, or is truncated");
  expect(
    await errorOf(changed, { content: '{"version": 4, "terraform_version": "1.11.4", "resources": []}' }),
  ).toMatch(/changed\.json is no export of a Pulumi stack, and .*Pulumi\.yaml is a program of Pulumi\n$/);
  expect(await errorOf(state, { args: ["--engine", "/none/pulumi"] })).toContain(
    "/none/pulumi is not on PATH",
  );
  expect(await errorOf(state, { args: ["--allow-commands"] })).toMatch(
    /^2 .*--allow-commands is not for programs/,
  );
  const plan = join(site.path, "plan.json");
  await writeFile(plan, '{"format_version": "1.2", "terraform_version": "1.11.4", "resource_changes": []}');
  expect(await errorOf(state, { args: ["--plan", plan] })).toContain(
    "is a plan of opentofu, which does not fit the folder",
  );
  const definition = join(project.path, "Pulumi.yaml");
  const before = await readFile(definition, "utf8");
  await writeFile(definition, `${before}packages:\n  random: 4.16.0\n`);
  expect(await errorOf(state)).toMatch(
    /Pulumi\.yaml:\d+: uses the package random, which no emulator confines\n$/,
  );
  const yaml = { name: "proj", runtime: "yaml", resources: { pet: { type: "random:RandomPet" } } };
  await writeFile(definition, JSON.stringify(yaml));
  expect(await errorOf(state)).toContain("the program uses the package random, which no emulator confines");
  await writeFile(definition, before);
  await project.program(
    `${network}new (require("@pulumi/pulumi").StackReference)("organization/net/prod");\n`,
  );
  expect(await errorOf(state)).toMatch(
    /the program reads the stack organization\/net\/prod, whose outputs are not known/,
  );
});

test("the outputs of another stack are those of its export", async () => {
  const project = await appliedProgram(site, pulumi, network);
  const state = await exported(project);
  const other = join(site.path, "net.json");
  const root = {
    ...{
      urn: "urn:pulumi:prod::net::pulumi:pulumi:Stack::net-prod",
      type: "pulumi:pulumi:Stack",
      custom: false,
    },
    outputs: { group: "operators" },
  };
  const write = (outputs: object) =>
    writeFile(
      other,
      JSON.stringify({ version: 3, deployment: { manifest: {}, resources: [{ ...root, outputs }] } }),
    );
  await write({ group: "operators" });
  await project.program(`${network}
const net2 = new (require("@pulumi/pulumi").StackReference)("organization/net/prod");
new kcloud.SecurityGroup("operators", { vpcId: net.id, name: net2.requireOutput("group") });
`);
  const args = ["--state", other];
  const { code, stderr, rehearsal } = await rehearseProgram(site, pulumi, project, { state, args });
  expect([code, stderr]).toEqual([0, ""]);
  expect(classes(rehearsal)["SecurityGroup.operators"]).toBe("created");
  await write({
    group: { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" },
  });
  expect((await rehearseProgram(site, pulumi, project, { state, args })).stderr).toContain(
    "net.json has encrypted outputs: pass the output of pulumi stack export --show-secrets",
  );
});

test("a stack without a configuration is rehearsed, and the report says so", async () => {
  const project = await appliedProgram(site, pulumi, network);
  const state = await exported(project);
  await rm(join(project.path, "Pulumi.dev.yaml"));
  const { code, rehearsal } = await rehearseProgram(site, pulumi, project, { state });
  expect([code, rehearsal.assumed]).toEqual([
    0,
    ["Pulumi.dev.yaml does not exist: the stack has no configuration"],
  ]);
});
