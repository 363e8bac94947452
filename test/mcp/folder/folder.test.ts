import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { Run } from "../../../mcp/folder/child.ts";
import { FolderError, openFolder } from "../../../mcp/folder/folder.ts";
import type { Call } from "../../../mcp/tool/tool.ts";

const { TMPDIR: temporary } = process.env;
let folder: string;
const messages: string[] = [];
const call: Call = {
  ...{ signal: new AbortController().signal, canAsk: false, answer: undefined },
  report: (message) => void messages.push(message),
  log: () => {},
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-mcp-folder-"));
  messages.length = 0;
  process.env.TMPDIR = folder;
});
afterEach(async () => {
  process.env.TMPDIR = temporary;
  if (temporary === undefined) delete process.env.TMPDIR;
  await rm(folder, { recursive: true });
});

/** Returns a runner that records the arguments, writes a file for each command, and its temporary folders. */
function recorder(content: (args: readonly string[]) => string | undefined = () => "{}") {
  const commands: (readonly string[])[] = [];
  const states: unknown[] = [];
  const runChild: Run = async (args) => {
    commands.push(args);
    const after = (name: string) => args[args.indexOf(name) + 1] ?? "";
    if (args.includes("--state")) states.push(JSON.parse(await readFile(after("--state"), "utf8")));
    const text = content(args);
    if (text !== undefined) await writeFile(after("--out").replace(/^json:/, ""), text);
    return { code: text === undefined ? 1 : 3, stdout: "", stderr: "kcloud rehearse: it failed\n" };
  };
  return { commands, states, runChild };
}

function opened(runChild: Run, more: Partial<Parameters<typeof openFolder>[0]> = {}) {
  const options = {
    path: folder,
    state: undefined,
    stack: undefined,
    policy: undefined,
    engine: undefined,
    allowsUnconfined: false,
    ...more,
  };
  const result = openFolder(options, runChild);
  if ("problem" in result) throw new Error(result.problem);
  return result;
}

test("the state of the folder is looked for at each step, and without one it is empty", async () => {
  const { states, runChild } = recorder();
  const { validate } = opened(runChild);
  await validate(call);
  await writeFile(join(folder, "terraform.tfstate"), '{"version": 4, "serial": 7}');
  await validate(call);
  expect(states).toMatchObject([{ version: 4, resources: [] }, { serial: 7 }]);
});

test("each step runs a command of this program in the folder, with the options of the start", async () => {
  const policy = join(folder, "policy");
  await mkdir(policy);
  const state = join(folder, "state.json");
  await writeFile(state, "{}");
  const { commands, runChild } = recorder();
  const { validate, rehearse, review } = opened(runChild, { state, policy, engine: "tofu" });
  expect(await validate(call)).toEqual({ code: 3, json: {} });
  await rehearse(call);
  await review(call);
  const common = ["rehearse", folder, "--state", state, "--engine", "tofu"];
  const named = (arg: string) => arg.replace(/\/[^=:]*\/kcloud-mcp-\w{6}\//, "TMP/");
  expect(commands.map((args) => args.map(named))).toEqual([
    [...common, "--until", "validate", "--out", "TMP/validity.json", "--require-isolation"],
    [...common, "--out", "TMP/rehearsal.json", "--require-isolation"],
    [...common, "--until", "plan", "--out", "TMP/plan.json", "--require-isolation"],
    ["review", "--in", "plan=TMP/plan.json", "--policy", policy, "--out", "json:TMP/report.json"],
  ]);
  expect(messages).toEqual([
    ...["checking the configuration, 0 s", "rehearsing, 0 s", "planning, 0 s", "reviewing, 0 s"],
  ]);
});

test("a command that writes no file is an error with its message, and the files of a step are removed", async () => {
  const before = await readdir(folder);
  const { runChild } = recorder(() => undefined);
  await expect(opened(runChild).rehearse(call)).rejects.toEqual(new FolderError("it failed"));
  const silent: Run = async () => ({ code: 9, stdout: "", stderr: "" });
  await expect(opened(silent).rehearse(call)).rejects.toThrow("The command ended with the exit code 9.");
  expect(await readdir(folder)).toEqual(before);
});

const missing = "programs have the files of this machine, since it cannot hide them (EPERM)";

/** Returns a runner of a machine without isolation. */
function open() {
  const { commands, runChild } = recorder();
  const runOpen: Run = async (args, signal) =>
    args.includes("--require-isolation")
      ? { code: 1, stdout: "", stderr: `kcloud rehearse: --require-isolation: ${missing}\n` }
      : runChild(args, signal);
  return { commands, runOpen };
}

test("without isolation no step runs, and the error names the reason and the option of the start", async () => {
  const { commands, runOpen } = open();
  const folder = opened(runOpen);
  for (const work of [folder.validate, folder.rehearse, folder.review])
    await expect(work(call)).rejects.toEqual(
      new FolderError(
        `${missing}. No configuration runs without isolation, since it can read files of the user and credentials. The user can accept this when the server starts, with the option --allow-unconfined`,
      ),
    );
  expect(commands).toEqual([]);
});

test("with the option a step runs without isolation, and its result says so; with isolation it does not", async () => {
  const { runOpen } = open();
  const folder = opened(runOpen, { allowsUnconfined: true });
  for (const work of [folder.validate, folder.rehearse, folder.review])
    expect(await work(call)).toEqual({ code: 3, json: {}, unconfined: missing });
  const isolated = opened(recorder().runChild, { allowsUnconfined: true });
  for (const work of [isolated.validate, isolated.rehearse, isolated.review])
    expect(await work(call)).toEqual({ code: 3, json: {} });
});

test("calls run one after the other, and one that was cancelled meanwhile does not run", async () => {
  let running = 0;
  const most: number[] = [];
  const { runChild, commands } = recorder();
  const counting: Run = async (args, signal) => {
    running += 1;
    most.push(running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return runChild(args, signal);
  };
  const { rehearse } = opened(counting);
  const stop = new AbortController();
  const calls = [rehearse(call), rehearse({ ...call, signal: stop.signal }), rehearse(call)];
  stop.abort(new Error("left"));
  await expect(calls[1]).rejects.toThrow("left");
  await Promise.all([calls[0], calls[2]]);
  expect([most, commands.length]).toEqual([[1, 1], 2]);
});

test("a program of Pulumi begins with an empty export", async () => {
  await writeFile(join(folder, "Pulumi.yaml"), "name: shop\nruntime: yaml\n");
  const { states, commands, runChild } = recorder();
  const program = opened(runChild);
  expect(program.isProgram).toBe(true);
  await program.rehearse(call);
  expect(states).toMatchObject([{ version: 3, deployment: { resources: [] } }]);
  const stackOf = (args: readonly string[] = []) => args[args.indexOf("--stack") + 1];
  expect(stackOf(commands[0])).toBe("dev");
  await opened(runChild, { stack: "live" }).rehearse(call);
  expect(stackOf(commands[1])).toBe("live");
  await writeFile(join(folder, "Pulumi.test.yaml"), "");
  await program.rehearse(call);
  expect(commands[2]).not.toContain("--stack");
});

test.each([
  [{ path: "/none" }, "--folder /none is no folder"],
  [{ policy: "/none" }, "--policy /none is no folder"],
  [{ state: "/none" }, "--state /none does not exist"],
  [{ path: tmpdir(), stack: "dev" }, `--stack is for programs of Pulumi, and ${tmpdir()} has no Pulumi.yaml`],
])("%j: %s", (options, problem) => {
  const all = {
    path: folder,
    state: undefined,
    stack: undefined,
    policy: undefined,
    engine: undefined,
    allowsUnconfined: false,
    ...options,
  };
  expect(openFolder(all)).toEqual({ problem });
});
