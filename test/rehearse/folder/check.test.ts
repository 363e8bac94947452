import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { checkFolder } from "../../../rehearse/folder/check.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "kcloud-check-"));
});
afterEach(() => rm(root, { recursive: true }));

async function checked(
  files: Readonly<Record<string, string>>,
  folder = "",
  { allowsCommands = false, remoteStates = [] as readonly string[] } = {},
) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  return checkFolder(root, folder, { allowsCommands, remoteStates: new Set(remoteStates) });
}

const refusals = async (files: Readonly<Record<string, string>>, folder = "", allowsCommands = false) =>
  (await checked(files, folder, { allowsCommands })).refusals.map(
    ({ place, reason }) => `${place}: ${reason}`,
  );

const provisioner = (type: string) => `resource "null_resource" "a" {\n  provisioner "${type}" {\n  }\n}\n`;

test("provisioners are refused with their place; local-exec and external run if they are allowed", async () => {
  const files = {
    "main.tf": provisioner("local-exec"),
    "other.tf.json": JSON.stringify({ data: { external: { it: { program: ["sh"] } } } }),
  };
  expect(await refusals(files)).toEqual([
    'main.tf:2: provisioner "local-exec" runs outside of the emulator; --allow-commands runs it',
    "other.tf.json:1: data.external.it runs a program; --allow-commands runs it",
  ]);
  expect(await refusals(files, "", true)).toEqual([]);
});

test.each(["remote-exec", "file", "chef"])("nothing allows the provisioner %s", async (type) => {
  expect(await refusals({ "main.tofu": provisioner(type) }, "", true)).toEqual([
    `main.tofu:2: provisioner ${JSON.stringify(type)} runs outside of the emulator`,
  ]);
});

test("modules inside of the copied folder are checked too, each once", async () => {
  const module = 'module "b" {\n  source = "../b"\n}\n';
  const found = await refusals(
    { "a/main.tf": module, "b/main.tf": `${provisioner("file")}module "a" {\n  source = "../a"\n}\n` },
    "a",
  );
  expect(found).toEqual(['b/main.tf:2: provisioner "file" runs outside of the emulator']);
});

test("paths that lead out of the copied folder are refused, and other texts are not", async () => {
  expect(
    await refusals({
      "main.tf": [
        'module "m" {\n  source = "../../m"\n}',
        'locals {\n  a = file("/etc/hostname")\n  b = file("~/.ssh/id")\n  c = "/v1/route"\n  d = "../text"\n}',
      ].join("\n"),
    }),
  ).toEqual([
    'main.tf:2: names "../../m", which is outside of the copied folder',
    'main.tf:5: names "/etc/hostname", which is outside of the copied folder',
    'main.tf:6: names "~/.ssh/id", which is outside of the copied folder',
    'main.tf:8: names "../text", which is outside of the copied folder',
  ]);
});

test.each([
  ['data "terraform_remote_state" "net" {\n}', "data.terraform_remote_state.net reads a state elsewhere"],
  ["terraform {\n  encryption {\n  }\n}", "an encrypted state needs its keys, which may be elsewhere"],
])("state that is elsewhere is refused: %s", async (text, reason) => {
  expect(await refusals({ "main.tf": text }, "", true)).toEqual([expect.stringContaining(reason)]);
});

test("a file that cannot be read counts as refused", async () => {
  expect(await refusals({ "main.tf.json": "{" })).toEqual([
    expect.stringMatching(/^main.tf.json:1: cannot be read/),
  ]);
});

test("a remote state that is given is no refusal, nor is its backend, in HCL and in JSON", async () => {
  const backend =
    'data "terraform_remote_state" "net" {\n  backend = "local"\n  config = { path = "../net.tfstate" }\n}\n';
  const json = { data: { terraform_remote_state: { net: { backend: "local", config: { path: "../n" } } } } };
  const files = {
    "main.tf": 'module "m" {\n  source = "./m"\n}\n',
    "m/a.tf": backend,
    "b.tf.json": JSON.stringify(json),
  };
  const { refusals, remoteStates } = await checked(files, "", { remoteStates: ["net"] });
  expect(refusals).toEqual([]);
  expect(remoteStates).toEqual([
    { name: "net", folder: root },
    { name: "net", folder: join(root, "m") },
  ]);
  expect((await checked({}, "", { remoteStates: ["other"] })).refusals.map(({ reason }) => reason)).toContain(
    "data.terraform_remote_state.net reads a state elsewhere; --remote-state net=FILE gives it",
  );
});

test("modules from elsewhere are checked where init installed them, and an unreadable list of them is refused", async () => {
  const modules = {
    Modules: [
      { Key: "", Dir: "." },
      { Key: "m", Dir: ".terraform/modules/m/sub" },
    ],
  };
  const files = {
    "main.tf": "",
    ".terraform/modules/modules.json": JSON.stringify(modules),
    ".terraform/modules/m/sub/main.tf": provisioner("local-exec"),
    ".terraform/modules/m/examples/main.tf": provisioner("file"),
  };
  expect(await refusals(files)).toEqual([
    '.terraform/modules/m/sub/main.tf:2: provisioner "local-exec" runs outside of the emulator; --allow-commands runs it',
  ]);
  expect(await refusals({ ".terraform/modules/modules.json": "{" })).toEqual([
    expect.stringContaining("modules.json:1: cannot be read"),
  ]);
});

test("separators and parts of a path are no paths; escapes and paths of the module are resolved", async () => {
  const texts = ['split("/", "10.0.0.0/24")', 'trimprefix("/data", "/")', 'replace("a b", " ", "../")'];
  const files = [
    'file("\\u002fetc/hostname")',
    'file("${path.module}/../../x")',
    'file("${path.module}/inside")',
  ];
  const lines = [...texts, ...files].map((value, index) => `  v${index} = ${value}\n`);
  expect(await refusals({ "main.tf": `locals {\n${lines.join("")}}\n` })).toEqual([
    expect.stringContaining("main.tf:5: names"),
    expect.stringContaining("main.tf:6: names"),
  ]);
});

test("a file outside of the folder, to which a link or a list of modules leads, is neither read nor quoted", async () => {
  const outside = await mkdtemp(join(tmpdir(), "kcloud-check-outside-"));
  await writeFile(join(outside, "secret.tf.json"), "secret-token");
  const modules = JSON.stringify({ Modules: [{ Key: "m", Dir: outside }] });
  expect(await refusals({ "main.tf": "", ".terraform/modules/modules.json": modules })).toEqual([]);
  await symlink(join(outside, "secret.tf.json"), join(root, "link.tf.json"));
  expect(await refusals({ "main.tf": provisioner("file") })).toEqual([
    `link.tf.json: is a link to ${join(outside, "secret.tf.json")}: only relative links are copied`,
  ]);
  await rm(outside, { recursive: true });
});

test("a folder without a configuration is refused", async () => {
  expect(await refusals({ "a/main.tf": "", "b/readme.md": "" }, "b")).toEqual([
    "b: has no configuration, such as main.tf",
  ]);
});
