import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { isEffective } from "../../../review/model/change.ts";
import { readPlan } from "../../../review/read/read.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { openSite } from "../../support/engine/open-site.ts";
import { succeed } from "../../support/engine/terraform.ts";
import { applied, classes, head, machine, network, rehearse, write } from "../run.ts";

/** `kcloud rehearse` with the real engines. */

const engines = [await ensureEngine("terraform"), await ensureEngine("opentofu")] as const;
const [terraform] = engines;
const site = openSite();

test.each(engines.map((engine) => [engine.name, engine] as const))(
  "%s: a replacement is rehearsed in its order, and a rule that is replaced is absent meanwhile",
  async (_, engine) => {
    const configuration =
      network + machine("kcloud_subnet.a.id", "kcloud_vpc.net.id", "kcloud_security_group.web.id");
    const folder = await applied(site, engine, configuration);
    const unchanged = await rehearse(site, engine, folder);
    expect(unchanged).toMatchObject({ code: 0, rehearsal: { steps: [], secondPlan: [], assumed: [] } });
    await write(folder, configuration.replace("10.0.1.0/24", "10.0.2.0/24").replace('"first"', '"second"'));
    const { code, rehearsal, stdout } = await rehearse(site, engine, folder);
    expect(code).toBe(0);
    expect(classes(rehearsal)).toEqual({
      "instance.web": "replaced",
      "security_group.web": "untouched",
      "security_group_rule.https": "replaced",
      "subnet.a": "replaced",
      "vpc.net": "untouched",
    });
    const order = rehearsal.steps.map(({ address, action }) => `${action} ${address}`);
    expect(order.filter((step) => !step.includes("rule"))).toEqual([
      ...["delete kcloud_instance.web", "delete kcloud_subnet.a"],
      ...["create kcloud_subnet.a", "create kcloud_instance.web"],
    ]);
    expect(rehearsal.absent).toEqual(['ingress tcp 443-443 0.0.0.0/0 in the security group "web"']);
    expect(stdout).toMatch(/^The change applies, and a second plan is empty\./);
  },
);

test("a machine that is restarted is interrupted; another workspace and the folder around have their state and modules", async () => {
  const configuration =
    network + machine("kcloud_subnet.a.id", "kcloud_vpc.net.id", "kcloud_security_group.web.id");
  const folder = await site.open(terraform, { SERVICE_SETTLE_SECONDS: "1" });
  const work = { ...folder, path: join(folder.path, "stack") };
  await mkdir(work.path);
  await mkdir(join(folder.path, "module"));
  const restartedBy = (reason: string) =>
    configuration.replace(
      'name            = "web"',
      `name = "web"\n  power_state = "running"\n  restart_when_changed = { by = "${reason}" }`,
    );
  await writeFile(join(folder.path, "module/main.tf"), head + restartedBy("nobody"));
  await writeFile(join(work.path, "main.tf"), 'module "all" {\n  source = "../module"\n}\n');
  const chdir = "-chdir=stack";
  await succeed(folder, [chdir, "init"]);
  await succeed(folder, [chdir, "workspace", "new", "blue"]);
  await succeed(folder, [chdir, "apply", "-auto-approve"]);
  await writeFile(join(folder.path, "module/main.tf"), head + restartedBy("hand"));
  const state = join(work.path, "terraform.tfstate.d/blue/terraform.tfstate");
  const inventory = join(site.path, "inventory.json");
  await writeFile(inventory, JSON.stringify(site.emulator.snapshot()));
  const args = ["--root", folder.path, "--inventory", inventory];
  const { code, rehearsal, stderr } = await rehearse(site, terraform, work, { args, state });
  expect([code, stderr]).toEqual([0, ""]);
  const interrupted = rehearsal.objects.filter(({ isInterrupted }) => isInterrupted);
  expect(interrupted).toMatchObject([{ address: "module.all.kcloud_instance.web", class: "changed" }]);
});

test("a plan that differs from the given one is named, and another version of the provider in the lock file is", async () => {
  const folder = await applied(site, terraform, network);
  await succeed(folder, ["plan", "-out=given.plan"]);
  const plan = join(site.path, "given.json");
  await writeFile(plan, await succeed(folder, ["show", "-json", "given.plan"]));
  await write(folder, network.replace('"first"', '"second"'));
  const lock = join(folder.path, ".terraform.lock.hcl");
  await writeFile(lock, (await readFile(lock, "utf8")).replace(/version\s*= "[^"]*"/, 'version = "0.0.9"'));
  const { rehearsal } = await rehearse(site, terraform, folder, { args: ["--plan", plan] });
  expect(rehearsal.assumed).toEqual([
    expect.stringMatching(
      /^the provider 0\.0\.9 of the lock file plans and applies as [\d.]+, which was rehearsed$/,
    ),
  ]);
  expect(rehearsal.differences).toEqual([
    "kcloud_security_group_rule.https: nothing in the given plan, replace in the rehearsed one",
  ]);
});

test("an ephemeral variable has its own value; a sensitive one is in no error of the API", async () => {
  const folder = await applied(site, terraform, network);
  const token = "canary-7-token";
  const more = `variable "once" {
  type      = string
  ephemeral = true
  default   = "e"
}
variable "token" {
  type      = string
  sensitive = true
  default   = "${token}"
}
resource "kcloud_vpc" "second" {
  name = "\${var.token}-error-503"
}
`;
  await write(folder, network + more);
  await succeed(folder, ["plan", "-out=given.plan"]);
  const plan = join(site.path, "given.json");
  await writeFile(plan, await succeed(folder, ["show", "-json", "given.plan"]));
  const { code, stdout, rehearsal } = await rehearse(site, terraform, folder, { args: ["--plan", plan] });
  expect([code, rehearsal.differences, classes(rehearsal)["vpc.second"]]).toEqual([3, [], "failed"]);
  expect(rehearsal.errors).toEqual([{ address: "kcloud_vpc.second", text: expect.stringContaining("503") }]);
  expect(stdout + JSON.stringify(rehearsal)).not.toContain(token);
});

test("states and plans that a rehearsal cannot use are errors with their path", async () => {
  const folder = await applied(site, terraform, network);
  const file = join(site.path, "other.json");
  const failed = async (text: string, options: Parameters<typeof rehearse>[3]) => {
    await writeFile(file, text);
    const { code, stderr } = await rehearse(site, terraform, folder, options);
    expect(code).toBe(1);
    return stderr;
  };
  const shown = await succeed(folder, ["show", "-json"]);
  expect(await failed(shown, { state: file })).toContain(`${file} is no state file: terraform state pull`);
  const state = JSON.parse(await readFile(join(folder.path, "terraform.tfstate"), "utf8"));
  const provider = 'provider["registry.terraform.io/hashicorp/aws"]';
  const foreign = { mode: "managed", type: "aws_vpc", name: "x", provider, instances: [] };
  const mixed = JSON.stringify({ ...state, resources: [...state.resources, foreign] });
  expect(await failed(mixed, { state: file })).toContain(
    "the folder uses registry.terraform.io/hashicorp/aws, which no emulator confines",
  );
  await succeed(folder, ["plan", "-out=given.plan"]);
  const plan = JSON.parse(await succeed(folder, ["show", "-json", "given.plan"]));
  const args = ["--plan", file];
  expect(await failed(JSON.stringify({ ...plan, errored: true, complete: false }), { args })).toContain(file);
  expect(await failed("{", { args })).toContain(`${file} is not JSON`);
});

test("refused parts, bad states and missing options are errors before anything runs", async () => {
  const folder = await applied(site, terraform, network);
  await write(
    folder,
    `${network}resource "terraform_data" "x" {\n  provisioner "local-exec" {\n    command = "touch /tmp/canary"\n  }\n}\n`,
  );
  expect(await rehearse(site, terraform, folder)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /main\.tf:\d+: provisioner "local-exec" runs outside of the emulator; --allow-commands runs it/,
    ),
  });
  const unconfined = { args: ["--require-isolation"], isConfined: false };
  expect(await rehearse(site, terraform, folder, unconfined)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      "--require-isolation: programs have the network, files and processes of this machine",
    ),
  });
  expect((await rehearse(site, terraform, folder, { args: ["--time-limit", "soon"] })).code).toBe(2);
  const bad = join(site.path, "bad.tfstate");
  await writeFile(bad, '{"version": 4, ');
  expect(
    (await rehearse(site, terraform, folder, { args: ["--state", bad, "--allow-commands"] })).stderr,
  ).toContain("is not JSON, or is truncated");
  expect(
    (await rehearse(site, { ...terraform, path: "/none/terraform" }, folder, { args: ["--allow-commands"] }))
      .stderr,
  ).toContain("/none/terraform is not on PATH");
});

test("a data source reads the outputs of a given state in place of its backend", async () => {
  const other = await applied(site, terraform, `${network}output "vpc" {\n  value = kcloud_vpc.net.id\n}\n`);
  const data = (path: string) => `data "terraform_remote_state" "net" {
  backend = "local"
  config  = { path = ${JSON.stringify(path)} }
}
resource "kcloud_security_group" "web" {
  vpc_id = data.terraform_remote_state.net.outputs.vpc
  name   = "api"
}
`;
  const state = join(other.path, "terraform.tfstate");
  const folder = await applied(site, terraform, data(state));
  await write(folder, data("/none/terraform.tfstate").replace('"api"', '"web-2"'));
  const { code, stderr } = await rehearse(site, terraform, folder);
  expect([code, stderr]).toEqual([1, expect.stringContaining("--remote-state net=FILE gives it")]);
  const given = await rehearse(site, terraform, folder, {
    args: ["--remote-state", `net=${state}`, "--state", state],
  });
  expect([given.code, classes(given.rehearsal)]).toMatchObject([0, { "security_group.web": "replaced" }]);
});

test("another provider is refused by name, also one of the same name from elsewhere", async () => {
  const folder = await applied(site, terraform, network);
  const mirror = join(folder.path, ".terraform/providers");
  const source = "registry.example.com/kcloud/kcloud";
  const [version = ""] = await readdir(join(mirror, "registry.terraform.io/kcloud/kcloud"));
  await cp(join(mirror, "registry.terraform.io/kcloud/kcloud"), join(mirror, source), { recursive: true });
  const file = join(folder.path, "main.tf");
  const required = (await readFile(file, "utf8")).replace(
    /required_providers \{ (.*) \}/,
    `required_providers {\n    $1\n    other = { source = "${source}", version = "${version}" }\n  }`,
  );
  await writeFile(file, required);
  const { code, stderr } = await rehearse(site, terraform, folder);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`the folder uses ${source}, which no emulator confines`),
  ]);
});

test("--until plan and --until validate end before the apply, with the plan or the messages in the file", async () => {
  const folder = await applied(site, terraform, network);
  await write(folder, network.replace('"first"', '"second"'));
  const until = (step: string) => rehearse(site, terraform, folder, { args: ["--until", step] });
  const planned = await until("plan");
  expect([planned.code, planned.stdout]).toEqual([
    0,
    `1 object changes. Planned with Terraform ${terraform.version}.\n`,
  ]);
  const plan = readPlan("plan", JSON.stringify(planned.rehearsal));
  expect(plan.changes.filter(isEffective).map(({ address, action }) => [address, action])).toEqual([
    ["kcloud_security_group_rule.https", "replace"],
  ]);
  const valid = await until("validate");
  expect([valid.code, valid.rehearsal]).toEqual([0, { isValid: true, messages: [] }]);
  await write(folder, network.replace('"net"\n}', '"net"\n  nmae = "x"\n}'));
  const invalid = await until("validate");
  expect([invalid.code, invalid.rehearsal, invalid.stdout]).toEqual([
    3,
    {
      isValid: false,
      messages: [
        {
          severity: "error",
          text: 'Unsupported argument: An argument named "nmae" is not expected here.',
          place: "main.tf:6",
        },
      ],
    },
    expect.stringMatching(/^The configuration is not valid\. .*\nmain\.tf:6: error: Unsupported argument/),
  ]);
});
