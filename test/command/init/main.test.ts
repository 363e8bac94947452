import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { init } from "../../../command/init/main.ts";
import manifest from "../../../package.json" with { type: "json" };
import { kcloud } from "../kcloud.ts";

let place: string;
let folder: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "kcloud-init-"));
  folder = join(place, "project");
  mkdirSync(folder);
});
afterEach(() => rmSync(place, { recursive: true }));

/** Makes libraries look installed in the project. */
function installed(...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(join(folder, "node_modules", name), { recursive: true });
    writeFileSync(join(folder, "node_modules", name, "package.json"), "{}");
  }
}

const program = join(import.meta.dirname, "../../../kcloud");

const run = (...args: readonly string[]): string =>
  init(args, {
    folder,
    machine: {
      environment: { HOME: place },
      platform: "linux",
      arch: "x64",
      program,
      executable: undefined,
    },
  });

const written = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();

test.each([
  [[], "the start is missing; use one of terraform, opentofu, pulumi, cdktf, review"],
  [
    ["terrafrom"],
    'unknown start "terrafrom"; did you mean "terraform"?; use one of terraform, opentofu, pulumi, cdktf, review',
  ],
  [["terraform", "pulumi"], 'unexpected argument "pulumi"'],
  [["terraform", "--language", "yaml"], "--language belongs to pulumi"],
  [["pulumi", "--github"], "--github belongs to review"],
  [["review", "--github", "--gitlab"], "use only one of --github, --gitlab"],
  [
    ["pulumi", "--language", "yml"],
    '--language must be one of typescript, yaml, python, go, not "yml"; did you mean "yaml"?',
  ],
])("the arguments %j are rejected, and nothing is written", (args, problem) => {
  expect(() => run(...args)).toThrow(problem);
  expect(written()).toEqual([]);
});

test("the program exits with 2 after an invalid argument", () => {
  expect(kcloud(["init", "banana"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^kcloud init: unknown start "banana"; .*\nTry: kcloud init --help\n$/),
  });
});

test("a Pulumi program and an app of CDKTF need the package in the project", () => {
  for (const start of ["pulumi", "cdktf"])
    expect(() => run(start)).toThrow(
      "the program needs the npm package in this folder or above it: run npm install @kcloud/iac, then run again",
    );
  expect(written()).toEqual([]);
});

test("a start of Pulumi prints the install command of the library that is missing, and only then", () => {
  installed("@kcloud/iac");
  expect(run("pulumi")).toBe(`Wrote Pulumi.yaml, index.mts.
States and secrets of the stack are in this folder, under the passphrase of the commands.

Next commands:

  npm install @pulumi/pulumi
  PULUMI_CONFIG_PASSPHRASE=demo pulumi stack init dev
  PULUMI_CONFIG_PASSPHRASE=demo npx kcloud emulator --state cloud.json -- pulumi up --yes
`);
  for (const file of written()) rmSync(join(folder, file));
  installed("@pulumi/pulumi");
  expect(run("pulumi")).not.toContain("npm install");
});

test.each([
  ["python", "Pulumi.yaml, requirements.txt, __main__.py"],
  ["go", "Pulumi.yaml, go.mod, main.go"],
])(
  "a start in %s needs no npm package: Pulumi generates the SDK from the plugin in its folder",
  (language, files) => {
    const plugin = join(place, `.pulumi/plugins/resource-kcloud-v${manifest.version}/pulumi-resource-kcloud`);
    expect(run("pulumi", "--language", language)).toBe(`Wrote ${files}.
The plugin is in ${place}/.pulumi/plugins. On another machine, run kcloud install pulumi before pulumi install.
pulumi install generates the SDK in sdks/kcloud.
States and secrets of the stack are in this folder, under the passphrase of the commands.

Next commands:

  pulumi install
  PULUMI_CONFIG_PASSPHRASE=demo pulumi stack init dev
  PULUMI_CONFIG_PASSPHRASE=demo kcloud emulator --state cloud.json -- pulumi up --yes
`);
    expect(existsSync(plugin)).toBe(true);
    for (const file of written()) rmSync(join(folder, file));
    // A plugin of this version that exists, such as that of a release, stays.
    writeFileSync(plugin, "installed");
    run("pulumi", "--language", language);
    expect(readFileSync(plugin, "utf8")).toBe("installed");
  },
);

test("a start in YAML without the npm package has no path of the plugin, which is installed", () => {
  expect(run("pulumi", "--language", "yaml")).toBe(`Wrote Pulumi.yaml.
The plugin is in ${place}/.pulumi/plugins. On another machine, run kcloud install pulumi before pulumi up.
States and secrets of the stack are in this folder, under the passphrase of the commands.

Next commands:

  PULUMI_CONFIG_PASSPHRASE=demo pulumi stack init dev
  PULUMI_CONFIG_PASSPHRASE=demo kcloud emulator --state cloud.json -- pulumi up --yes
`);
  expect(readFileSync(join(folder, "Pulumi.yaml"), "utf8")).toMatch(/^backend: .*\nresources:\n/m);
  expect(existsSync(join(place, `.pulumi/plugins/resource-kcloud-v${manifest.version}`))).toBe(true);
});

test("a start in a folder of the project uses the npm package above it", () => {
  installed("@kcloud/iac", "@pulumi/pulumi");
  folder = join(folder, "infra/shop");
  mkdirSync(folder, { recursive: true });
  expect(run("pulumi")).toContain(`

Next commands:

  PULUMI_CONFIG_PASSPHRASE=demo pulumi stack init dev
  PULUMI_CONFIG_PASSPHRASE=demo npx kcloud emulator --state cloud.json -- pulumi up --yes
`);
  const definition = readFileSync(join(folder, "Pulumi.yaml"), "utf8");
  expect(definition).toContain("path: ../../node_modules/@kcloud/iac/dist }");
});

test("a start in Python that is not written installs no plugin", () => {
  writeFileSync(join(folder, "__main__.py"), "mine");
  expect(() => run("pulumi", "--language", "python")).toThrow("these files exist: __main__.py");
  expect(readdirSync(place)).toEqual(["project"]);
});

test("a file of the user stays, and nothing is written beside it", () => {
  installed("@kcloud/iac");
  writeFileSync(join(folder, "index.mts"), "mine");
  expect(() => run("pulumi")).toThrow("nothing was written, since these files exist: index.mts");
  expect(written()).toEqual(["index.mts"]);
  writeFileSync(join(folder, "main.tf"), "mine");
  expect(() => run("terraform")).toThrow("nothing was written, since these files exist: main.tf");
  // The mirror is filled only for a start that is written.
  expect(existsSync(join(place, ".kcloud"))).toBe(false);
  expect(readFileSync(join(folder, "main.tf"), "utf8")).toBe("mine");
});

test("a start of Terraform fills the mirror, and names it until the CLI configuration does", () => {
  installed("@kcloud/iac");
  const mirror = join(place, ".kcloud/mirror");
  const begin = run("terraform");
  expect(begin).toContain("After npx kcloud install terraform --write, init needs no -plugin-dir.");
  expect(begin).toContain(`\n  terraform init -plugin-dir=${mirror}\n  npx kcloud emulator`);
  expect(existsSync(join(mirror, "registry.terraform.io/kcloud/kcloud", manifest.version))).toBe(true);
  rmSync(join(folder, "main.tf"));
  writeFileSync(
    join(place, ".terraformrc"),
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`,
  );
  expect(run("opentofu")).toBe(`Wrote main.tf.

Next commands:

  tofu init
  npx kcloud emulator --state cloud.json -- tofu apply -auto-approve
`);
});

describe("a start of a review", () => {
  const shell = ["review/kcloud-review.json", "review/review.sh", "review/rules/volume-size.ts"];

  test.each([
    [[], shell],
    [["--shell"], shell],
    [
      ["--github"],
      [".github/workflows/apply.yml", ".github/workflows/review.yml", "review/action/action.yml", ...shell],
    ],
    [["--gitlab"], [".gitlab-ci.yml", "review/gitlab-ci.yml", ...shell]],
  ])("with %j has these files", (options, files) => {
    const printed = run("review", ...options);
    expect(written()).toEqual([...files].toSorted());
    expect(printed).toContain(
      `\n  npm install --prefix review --save-exact @kcloud/iac@${manifest.version}\n`,
    );
  });

  test("leaves an existing pipeline of GitLab, and prints the line that it needs", () => {
    writeFileSync(join(folder, ".gitlab-ci.yml"), "stages: [test]\n");
    expect(run("review", "--gitlab")).toContain(
      "\nAdd this line to .gitlab-ci.yml, or its file to an include there: include: review/gitlab-ci.yml\n",
    );
    expect(readFileSync(join(folder, ".gitlab-ci.yml"), "utf8")).toBe("stages: [test]\n");
  });
});

test.each([
  ["providers.tf", ["terraform"]],
  ["net.tf.json", ["opentofu"]],
  ["Pulumi.yml", ["pulumi", "--language", "python"]],
])("beside %s, a start that would not work is an error, and nothing is written", (name, args) => {
  writeFileSync(join(folder, name), "");
  expect(() => run(...args)).toThrow(
    `nothing was written, since this folder has a configuration, to which another one does not add: ${name}`,
  );
  expect(readdirSync(folder)).toEqual([name]);
});

test.each(["--github", "--gitlab"])("a review with %s is for the root of a repository", (host) => {
  mkdirSync(join(place, ".git"));
  expect(() => run("review", host)).toThrow(
    `pipelines are read at the root of a repository only: run kcloud init review in ${place}`,
  );
  expect(readdirSync(folder)).toEqual([]);
  expect(run("review", "--shell")).toContain("Wrote review/");
});
