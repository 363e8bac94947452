import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createEmulator, type Emulator } from "../../../emulator/emulator.ts";
import { environment } from "../../adapter/lifecycle/lifecycle.ts";
import { program, type Ran } from "../../command/kcloud.ts";
import { make } from "../../support/large-account.ts";
import { shop } from "../account.ts";

let root: string;
let emulator: Emulator;
let server: Awaited<ReturnType<Emulator["listen"]>>;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "kcloud-export-"));
  emulator = createEmulator({ taskMs: 20 });
  server = await emulator.listen();
  await make(shop, server.url);
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});

/** Runs the export in the root folder. */
const runExport = (args: readonly string[], given: NodeJS.ProcessEnv = {}): Promise<Ran> =>
  promisify(execFile)(process.execPath, ["--no-warnings", program, "export", ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: root, ...environment(server.url), ...given },
  }).then(
    (streams) => ({ code: 0, ...streams }),
    (error: Ran) => error,
  );

test("the output has counts, comments, kinds that are not listed, and the next commands", async () => {
  expect(await runExport(["--out", "project"])).toEqual({
    code: 0,
    stderr: "",
    stdout: `23 objects in 17 files of project
       2  VPCs
       1  subnet
       3  ports
       2  floating IPs
       1  security group
       6  volumes
       3  instances
       1  volume attachment
       1  instance template
       1  bucket
       1  bucket policy
       1  lifecycle rule

Comments, since the API does not return all values of these objects:
  1 security group rule: direction is required; protocol is required; remote_ip_prefix is required
  1 image: instance_id is required
  1 instance batch: template_id is required; 2 objects that belong to it are resources of the project, which have to be removed first
  1 access key: name is required

Made with other objects, without a resource of their own:
  2 subnets: "desk", "office"
  4 ports: "reserved", "web-port", "workers-1-port", "workers-2-port"

Not listed:
  port security groups: the list security_groups is a part of each port, not an object
  SSH key: the API finds SSH keys only by name
  AI pod: no route of the API lists AI pods
  object: they are content, and no configuration: they are listed only if the kind is named
  account policy: no route of the API lists account policies
  account policy attachment: no route of the API lists account policy attachments
  document text, document information, document summary, document masking: no route of the API lists document jobs

Next:
  cd project
  terraform init    (or tofu init)
  terraform plan    (or tofu plan)
`,
  });
  expect(readdirSync(join(root, "project"))).toContain("volume_attachment.tf");
});

test("the output of a Pulumi program has its words and its commands", async () => {
  const { code, stdout } = await runExport(["--out", "program", "--format", "pulumi-yaml"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+ objects in 3 files of program\n/);
  expect(stdout).toContain("direction is required; protocol is required; remoteIpPrefix is required\n");
  expect(stdout).toContain("the list securityGroups is a part of each port");
  expect(stdout).toMatch(
    /\nNext:\n {2}cd program\n {2}npm install\n {2}pulumi stack init\n[\s\S]* {2}pulumi preview\n$/,
  );
  expect(readdirSync(join(root, "program"))).toEqual(["Pulumi.yaml", "import.json", "package.json"]);
});

test("a listing that the API refuses gives exit code 4, and the project has the other objects", async () => {
  emulator.faults.add({ target: "search_instances", kind: "403" });
  const { code, stdout } = await runExport([
    "--out",
    "partial",
    "--vpc",
    "lab",
    "--kind",
    "volume",
    "--kind",
    "instance",
  ]);
  emulator.faults.clear();
  expect(code).toBe(4);
  expect(stdout).toMatch(
    /^1 object in 2 files of partial\n[\s\S]*\nNot read: the project lacks objects:\n {2}instance "lab": looking for every instance failed: .*status 403/,
  );
});

test("without credentials, and if nothing can be read, there is an error and no folder", async () => {
  const missing = await runExport(["--out", "none"], { SERVICE_API_KEY: "", SERVICE_EMAIL: "" });
  expect([missing.code, missing.stdout]).toEqual([1, ""]);
  expect(missing.stderr).toMatch(/^kcloud export: [\s\S]*\nkcloud doctor checks the settings\.\n$/);
  const wrong = await runExport(["--out", "none"], { SERVICE_API_KEY: "not-this-key" });
  expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
  expect(wrong.stderr).toMatch(/^kcloud export: Looking for every VPC failed: .*was rejected/);
  expect(wrong.stderr).not.toContain("not-this-key");
  // The listing of images is answered in any region.
  const elsewhere = await runExport(["--out", "none"], { SERVICE_REGION: "nowhere" });
  expect([elsewhere.code, elsewhere.stdout]).toEqual([1, ""]);
  expect(elsewhere.stderr).toMatch(
    /^kcloud export: Looking for every VPC failed: .*no region nowhere.*\. 3 more parts of the account could not be read\.\n$/,
  );
  expect(existsSync(join(root, "none"))).toBe(false);
});

test.each([
  [[], "--out is missing, as in kcloud export --out project"],
  [
    ["--out", "a", "--format", "yaml"],
    '--format must be one of terraform, pulumi-typescript, pulumi-python, pulumi-yaml, cdktf, not "yaml"',
  ],
  [
    ["--out", "a", "--format", "pulumi-yaml", "--by", "vpc"],
    "--by is not for --format pulumi-yaml, whose program is one file",
  ],
  [["--out", "a", "--by", "name"], '--by must be one of kind, vpc, not "name"'],
  [["--out", "a", "--kind", "volumes"], '--kind "volumes" is no kind of object; did you mean "volume"?'],
])("the arguments %j are refused", async (args, problem) => {
  expect(await runExport(args)).toMatchObject({
    code: 2,
    stderr: `kcloud export: ${problem}\nTry: kcloud export --help\n`,
  });
});

test("a folder with content is refused before a request is sent", async () => {
  const before = emulator.log.entries().length;
  const { code, stderr } = await runExport(["--out", "."]);
  expect([code, stderr]).toEqual([
    1,
    "kcloud export: . is not empty: choose another folder, or remove its content\n",
  ]);
  expect(emulator.log.entries()).toHaveLength(before);
});

test("a filter that selects nothing is an error that names it, unless the account is empty", async () => {
  const args = ["--out", "nothing", "--name", "no such*", "--vpc", "shop"];
  expect(await runExport(args)).toMatchObject({
    code: 1,
    stderr: "kcloud export: No object of the account matches --vpc shop --name 'no such*'.\n",
  });
  expect(existsSync(join(root, "nothing"))).toBe(false);
  const empty = await createEmulator().listen();
  const { code, stdout } = await runExport(["--out", "empty", "--kind", "volume"], environment(empty.url));
  await empty.close();
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^0 objects in 1 file of empty\n/)]);
});

describe("of the objects that no state has", () => {
  const file = (name: string) => join(root, name);
  /** Returns the row of an object in a state. */
  const row = (type: string, id: string, attributes: object) => ({
    mode: "managed",
    type: `kcloud_${type}`,
    name: "a",
    provider: 'provider["registry.terraform.io/kcloud/kcloud"]',
    instances: [{ attributes: { id, region: "In-Bangalore-1", ...attributes } }],
  });
  const write = (name: string, rows: readonly object[]) =>
    writeFileSync(file(name), JSON.stringify({ version: 4, terraform_version: "1.16.0", resources: rows }));
  const idOf = (kind: string, name: string) =>
    emulator.inventory.list().find((item) => item.kind === kind && item.name === name)?.krn ?? "";
  const unmanaged = (out: string, ...states: string[]) =>
    runExport(
      ["--out", out, "--unmanaged", ...states.flatMap((state) => ["--state", state])],
      // The objects of the test are young.
      { SERVICE_SETTLE_SECONDS: "0" },
    );

  test("a project has these only, and refers to the others by their IDs", async () => {
    // The time of the API has whole seconds.
    await setTimeout(1_100);
    const vpc = idOf("vpc", "shop");
    write("shop.json", [row("vpc", vpc, { name: "shop" })]);
    write("bucket.json", [row("bucket", idOf("bucket", "logs"), { name: "logs" })]);
    const { code, stdout } = await unmanaged("rest", "shop.json", "bucket.json");
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/\nLeft out:\n {2}\d+ objects of the states, or/),
    ]);
    const text = (name: string) => readFileSync(join(root, "rest", name), "utf8");
    expect(text("vpc.tf")).not.toContain('"shop"');
    expect(text("volume.tf")).toContain(`vpc_id      = "${vpc}"`);
    expect(text("volume.tf")).toContain("vpc_id      = kcloud_vpc.lab.id");
    expect(existsSync(join(root, "rest", "bucket.tf"))).toBe(false);
  });

  test("a state of another region, one that is no state, and one with an unreadable object write nothing", async () => {
    write("foreign.json", [row("vpc", idOf("vpc", "shop"), { name: "shop", region: "In-Hyderabad-1" })]);
    write("unclear.json", [row("vpc", "x", {}), row("planet", "y", {})]);
    writeFileSync(file("cut.json"), '{"version": 4, "resources": [');
    const errors = [];
    for (const state of ["foreign.json", "unclear.json", "cut.json", "missing.json"]) {
      const { code, stderr } = await unmanaged("never", state);
      errors.push([code, stderr]);
    }
    expect(errors).toEqual([
      [1, expect.stringMatching(/^kcloud export: The states have objects in In-Hyderabad-1 only/)],
      [
        1,
        "kcloud export: the state unclear.json may have objects that cannot be read, and the project would manage them twice: kcloud_planet.a has a type that this version does not have\n",
      ],
      [1, "kcloud export: cut.json is not JSON, or is truncated\n"],
      [1, expect.stringMatching(/^kcloud export: missing.json /)],
    ]);
    expect(existsSync(join(root, "never"))).toBe(false);
  });

  test("a state is required, and is for no other export", async () => {
    expect(await unmanaged("never")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--state PATH is required"),
    });
    expect(await runExport(["--out", "never", "--state", "a"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "--state is for --unmanaged, which leaves out the objects of the states",
      ),
    });
  });
});
