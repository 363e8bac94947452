import { chmod, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { RehearsalError } from "../../../rehearse/engine/engine.ts";
import { openPulumi } from "../../../rehearse/engine/pulumi.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "kcloud-pulumi-"));
});
afterEach(() => rm(root, { recursive: true }));

/** Opens a program in place of the engine: it runs the script for a command, which may write events. */
async function open(script: string) {
  const [engineFolder, home] = [join(root, "engine"), join(root, "home")];
  for (const name of ["home", "pulumi", "backend", "temporary"])
    await mkdir(join(engineFolder, name), { recursive: true });
  await mkdir(join(home, "versions"), { recursive: true });
  const program = join(root, "engine.cjs");
  await writeFile(
    program,
    `#!${process.execPath}
const [command, ...args] = process.argv.slice(2);
const fs = require("node:fs");
fs.appendFileSync(${JSON.stringify(join(root, "calls"))}, JSON.stringify({ command, args, environment: process.env }) + "\\n");
const events = (...all) => fs.writeFileSync(args[args.indexOf("--event-log") + 1], all.map((event) => JSON.stringify(event)).join("\\n"));
if (command === "version") console.log("v3.259.0");
else { ${script} }
`,
  );
  await chmod(program, 0o755);
  return openPulumi({
    ...{ program, stack: "dev", runtime: "none", passphrase: "secret", home, limit: 20_000 },
    copy: {
      path: root,
      state: "state",
      engineFolder,
      links: [],
      own: (path) => path,
      reset() {},
      remove() {},
    },
    root: undefined,
    environment: {
      PATH: process.env.PATH,
      ...{ KCLOUD_ONLY: "http://127.0.0.1:9", KCLOUD_ONLY_ENVIRONMENT: "true" },
    },
    stop: new AbortController().signal,
  });
}

const urn = (type: string, name: string) => `urn:pulumi:dev::proj::${type}::${name}`;
const metadata = (
  op: string,
  type: string,
  name: string,
  more: object = { new: { custom: true, id: name } },
) => ({
  metadata: { op, urn: urn(type, name), ...more },
});

test("the engine has the files of the copy only, and the settings of the emulator", async () => {
  const engine = await open('console.log("{}")');
  expect([engine.name, engine.version]).toEqual(["pulumi", "3.259.0"]);
  const [call] = (await readFile(join(root, "calls"), "utf8")).split("\n");
  const place = (name: string) => join(root, "engine", name);
  const { PATH: _, PULUMI_BACKEND_URL: url, ...environment } = JSON.parse(call ?? "").environment;
  expect(url).toBe(`file://${place("backend")}`);
  expect(environment).toEqual({
    ...{ KCLOUD_ONLY: "http://127.0.0.1:9", KCLOUD_ONLY_ENVIRONMENT: "true" },
    ...{ HOME: place("home"), USERPROFILE: place("home"), PULUMI_HOME: place("pulumi") },
    ...{ TMPDIR: place("temporary"), TEMP: place("temporary"), TMP: place("temporary") },
    PULUMI_CREDENTIALS_PATH: place("pulumi/credentials"),
    PULUMI_CONFIG_PASSPHRASE: "secret",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_IGNORE_AMBIENT_PLUGINS: "true",
    PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true",
    PULUMI_DEBUG_COMMANDS: "true",
    PYTHONDONTWRITEBYTECODE: "1",
  });
  // The command of the npm package finds the engine there.
  expect(await readlink(place("pulumi/versions"))).toBe(join(root, "home/versions"));
});

test("steps are read with their starts and ends, errors with their objects", async () => {
  const vpc = "kcloud:index:Vpc";
  const events = [
    { resourcePreEvent: metadata("same", "pulumi:pulumi:Stack", "s", { new: {} }) },
    { resourcePreEvent: metadata("create", "pulumi:providers:kcloud", "default") },
    { resOutputsEvent: metadata("create", "pulumi:providers:kcloud", "default") },
    { resourcePreEvent: metadata("create", "my:component:Net", "c", { new: {} }) },
    { resourcePreEvent: metadata("create", vpc, "a", { new: { custom: true } }) },
    { resourcePreEvent: metadata("delete-replaced", vpc, "b", { old: { custom: true, id: "b" } }) },
    { resourcePreEvent: metadata("replace", vpc, "b") },
    { resOutputsEvent: metadata("create", vpc, "a") },
    { resOpFailedEvent: metadata("delete-replaced", vpc, "b", { old: { custom: true, id: "b" } }) },
    { diagnosticEvent: { severity: "info", message: "text" } },
    { diagnosticEvent: { severity: "error", message: "<{%reset%}>in use<{%reset%}>\n", urn: urn(vpc, "b") } },
    {
      diagnosticEvent: { severity: "error", message: "update failed", urn: urn("pulumi:pulumi:Stack", "s") },
    },
  ];
  const engine = await open(`events(...${JSON.stringify(events)}); process.exitCode = 255;`);
  expect(await engine.apply("first")).toEqual({
    isComplete: false,
    steps: [
      { address: `${vpc}::a`, action: "create", result: "done", id: "a", start: 0, end: 2 },
      { address: `${vpc}::b`, action: "delete", result: "failed", id: "b", start: 1, end: 3 },
    ],
    errors: [{ address: `${vpc}::b`, text: "in use" }],
  });
  const [, call = ""] = (await readFile(join(root, "calls"), "utf8")).split("\n");
  expect(JSON.parse(call).args.join(" ")).toMatch(
    /^--yes --skip-preview --event-log \S+ --stack dev --non-interactive --color never$/,
  );
});

test.each([
  ["console.error('broken'); process.exitCode = 1", "preview failed with exit code 1:\nbroken"],
  [
    `console.log(JSON.stringify({ diagnostics: [{ severity: "error", message: "wrong" }] })); process.exitCode = 255`,
    "preview failed with exit code 255:\nwrong",
  ],
  [
    `console.error("error: no resource plugin 'pulumi-resource-random' found"); process.exitCode = 1`,
    "the program uses the package random, which no emulator confines",
  ],
  [
    `console.error('error: unknown stack "organization/net/prod"'); process.exitCode = 1`,
    "the program reads the stack organization/net/prod, whose outputs are not known",
  ],
  [
    `console.log(JSON.stringify({ steps: [${JSON.stringify({ op: "create", urn: urn("pulumi-nodejs:dynamic:Resource", "x"), newState: { custom: true } })}] }))`,
    "the program has objects that a rehearsal does not run:\n  pulumi-nodejs:dynamic:Resource::x is a dynamic resource",
  ],
])("a preview that cannot be made is an error: %s", async (script, message) => {
  const engine = await open(script);
  await expect(engine.plan("first")).rejects.toThrow(RehearsalError);
  await expect(engine.plan("first")).rejects.toThrow(message);
});

test("an update without events is an error", async () => {
  const engine = await open("console.error('the stack is locked'); process.exitCode = 1");
  await expect(engine.apply("first")).rejects.toThrow("up failed with exit code 1:\nthe stack is locked");
});
