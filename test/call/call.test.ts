import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { allOperations } from "../../operation/operations.ts";
import { kcloud, program } from "../command/kcloud.ts";
import { startCall, startEmulator } from "./call-process.ts";

/** `kcloud call` in a process of its own. */

let started: Awaited<ReturnType<typeof startEmulator>>;
beforeAll(async () => {
  started = await startEmulator();
});
afterAll(() => started.close());

test("the list has all operations, or those that contain a text", () => {
  const all = kcloud(["call", "--list"]);
  expect([all.code, all.stdout.match(/^ {2}\w+ /gm)?.length]).toEqual([0, allOperations().length]);
  const { stdout } = kcloud(["call", "--list", "ssh key"]);
  expect(stdout.match(/^ {2}\w+/gm)).toEqual([
    "  create_ssh_key",
    "  list_ssh_keys",
    "  search_ssh_keys",
    "  delete_ssh_key",
  ]);
});

test.each([
  [
    ["call"],
    "kcloud call: the operation is missing; kcloud call --list lists all of them\nTry: kcloud call --help\n",
  ],
  [
    ["call", "create_vcp"],
    'kcloud call: unknown operation "create_vcp"; did you mean "create_vpc"?\nTry: kcloud call --help\n',
  ],
  [
    ["call", "createVcp"],
    'kcloud call: unknown operation "createVcp"; did you mean "create_vpc"?\nTry: kcloud call --help\n',
  ],
  [["call", "--list", "banana"], 'kcloud call: no operation contains "banana"\nTry: kcloud call --help\n'],
  [["call", "--yes"], "kcloud call: unknown option --yes\nTry: kcloud call --help\n"],
])("kcloud %j", (args, stderr) => {
  expect(kcloud(args)).toEqual({ code: 2, stdout: "", stderr });
});

test("the help of an operation is that of its name in either spelling", () => {
  const [help, ...others] = [
    ["call", "create_vpc", "--help"],
    ["call", "createVpc", "-h"],
    ["call", "create_vpc", "--name", "x", "--help"],
  ].map((args) => kcloud(args));
  expect([help?.code, others]).toEqual([0, [help, help]]);
  expect(help?.stdout).toMatch(/^Usage: kcloud call create_vpc /);
  expect(kcloud(["call", "--help"]).stdout).toMatch(/^Usage: kcloud call OPERATION /);
});

test("a call without a terminal prints JSON, and needs no open standard input", async () => {
  const { code, stdout } = await startCall(["get_vpc_list"], started.environment).ended;
  expect([code, JSON.parse(stdout)]).toEqual([0, []]);
  const line = '"$0" --no-warnings "$1" call create_vpc --name a <&-';
  const closed = spawnSync("sh", ["-c", line, process.execPath, program], {
    encoding: "utf8",
    env: started.environment,
  });
  expect([closed.status, closed.stderr]).toEqual([6, expect.stringContaining("nothing was sent")]);
  const empty = spawnSync(
    "sh",
    ["-c", '"$0" --no-warnings "$1" call create_vpc --json - <&-', process.execPath, program],
    {
      encoding: "utf8",
      env: started.environment,
    },
  );
  expect([empty.status, empty.stderr]).toEqual([
    2,
    expect.stringContaining("standard input is empty, not JSON"),
  ]);
}, 30_000);

test("a reader that closes the pipe early changes neither the exit code nor the messages", () => {
  const line = '{ "$0" --no-warnings "$1" call --list; echo "code $?" >&2; } | true';
  const { stderr } = spawnSync("sh", ["-c", line, process.execPath, program], { encoding: "utf8" });
  expect(stderr).toBe("code 0\n");
});

test("an interrupt in the middle of a change says that the change may have been executed, and one of a read that nothing was changed", async () => {
  const { emulator, environment, close } = await startEmulator({}, ["create_vpc=hang", "get_vpc_list=hang"]);
  const untilReceived = async (operation: string) => {
    while (emulator.log.count({ operation }) === 0) await new Promise((resolve) => setImmediate(resolve));
  };
  const change = startCall(["create_vpc", "--name", "a", "--yes"], environment);
  await untilReceived("create_vpc");
  change.child.kill("SIGINT");
  expect(await change.ended).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("may have been executed"),
  });
  const read = startCall(["get_vpc_list"], environment);
  await untilReceived("get_vpc_list");
  read.child.kill("SIGTERM");
  expect(await read.ended).toEqual({
    code: 143,
    stdout: "",
    stderr: "kcloud call: interrupted: get_vpc_list changed nothing\n",
  });
  await close();
}, 30_000);

test("a second interrupt in the middle of a change has the exit code of an unclear result", async () => {
  const { emulator, environment, close } = await startEmulator({}, ["create_vpc=hang"]);
  const { child, ended } = startCall(["create_vpc", "--name", "a", "--yes"], environment);
  while (emulator.log.count({ operation: "create_vpc" }) === 0)
    await new Promise((resolve) => setImmediate(resolve));
  child.kill("SIGINT");
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 4, stderr: expect.stringContaining("may have been executed") });
  await close();
}, 30_000);

test("an interrupt ends a call that reads its standard input", async () => {
  for (const option of ["--json", "--content"]) {
    const name = option === "--json" ? "create_vpc" : "extract_document_text";
    const { child, ended } = startCall([name, option, "-", "--verbose"], started.environment);
    // More than a pipe can hold: it is written when the call reads it.
    await new Promise((resolve) => child.stdin?.write(" ".repeat(1024 * 1024), resolve));
    child.kill("SIGINT");
    expect(await ended).toMatchObject({
      code: 130,
      stderr: `kcloud call: interrupted: ${name} changed nothing\n`,
    });
  }
}, 30_000);

test("a change whose response cannot be written says that it was executed", async () => {
  const line = '"$0" --no-warnings "$1" call create_vpc --name full --yes > /dev/full';
  const child = spawn("sh", ["-c", line, process.execPath, program], {
    env: started.environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    stderr += part;
  });
  const [code] = await once(child, "close");
  expect([code, stderr]).toEqual([
    4,
    expect.stringMatching(
      /^kcloud: standard output cannot be written \(ENOSPC\)\nkcloud call: the operation was executed, but its response cannot be written \(ENOSPC\)\n\{\n/,
    ),
  ]);
  expect(stderr).toContain('"task_id"');
}, 30_000);

test("an interrupt during --wait has the exit code of the signal, and says that the change was executed", async () => {
  const { emulator, environment, close } = await startEmulator({ taskMs: 600_000 });
  const { child, ended } = startCall(["create_vpc", "--name", "a", "--yes", "--wait"], environment);
  while (emulator.log.count({ operation: "get_vpc_task_status" }) === 0)
    await new Promise((resolve) => setImmediate(resolve));
  child.kill("SIGINT");
  expect(await ended).toEqual({
    code: 130,
    stdout: "",
    stderr: expect.stringMatching(
      /^kcloud call: interrupted: create_vpc was executed, and the wait for the VPC of the task \S+ is not complete\n$/,
    ),
  });
  await close();
}, 30_000);

test("after a document is submitted with --wait, the call ends when the job is done, and writes the secret URL to a file of mode 600", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kcloud-call-test-"));
  const [document, job] = [join(folder, "document"), join(folder, "job.json")];
  const { environment, close } = await startEmulator({ taskMs: 10 });
  writeFileSync(document, "document");
  const kind = ["--language", "english", "--file-type", "Digital", "--content", document];
  const args = ["extract_document_text", ...kind, "--out", job, "--yes", "--wait"];
  expect(await startCall(args, environment).ended).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(JSON.parse(readFileSync(job, "utf8"))).toMatchObject({
    data: { file_status: "success", output_file: expect.any(String) },
  });
  expect(statSync(job).mode & 0o777).toBe(0o600);
  await close();
  rmSync(folder, { recursive: true });
}, 30_000);

test("a secret is in no argument of a process while the call runs", async () => {
  const { emulator, environment, close } = await startEmulator({}, ["sign_in_root=hang"]);
  const args = [
    "sign_in_root",
    "--email",
    "a@b.example",
    "--json",
    "-",
    "--yes",
    "--out",
    join(tmpdir(), "kcloud-call-test-token.json"),
  ];
  const { child, ended, type } = startCall(args, environment);
  type('{"password":"canary-password"}');
  child.stdin?.end();
  while (emulator.log.count({ operation: "sign_in_root" }) === 0)
    await new Promise((resolve) => setImmediate(resolve));
  expect(readFileSync(`/proc/${child.pid}/cmdline`, "utf8")).not.toContain("canary");
  child.kill("SIGINT");
  const { stdout, stderr } = await ended;
  expect(stdout + stderr).not.toContain("canary");
  await close();
}, 30_000);
