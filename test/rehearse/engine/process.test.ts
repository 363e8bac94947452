import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { expect, test } from "@jest/globals";
import { runEngine } from "../../../rehearse/engine/process.ts";
import { confinedCommand, run as runCommand } from "../isolation/confined.ts";

const run = (script: string, { limit = 20_000, stop = new AbortController().signal } = {}) =>
  runEngine(process.execPath, ["-e", script], {
    cwd: process.cwd(),
    environment: { PATH: process.env.PATH },
    ...{ limit, stop, root: undefined },
  });

/** Script that starts another process, which keeps the output open, and waits. */
const parent = `
  const { spawn } = require("node:child_process");
  spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
  console.log("started");
  setInterval(() => {}, 1000);`;

test("output, exit code and environment are those of the program", async () => {
  const script = "console.log(process.env.HOME ?? 'none'); console.error('e'); process.exitCode = 3";
  expect(await run(script)).toEqual({ code: 3, stdout: "none\n", stderr: "e\n", isLate: false });
});

test("a program that does not end is stopped with what it started, and its output is kept", async () => {
  expect(await run(parent, { limit: 1_500 })).toEqual({
    ...{ code: null, signal: "SIGKILL", stdout: "started\n", stderr: "", isLate: true },
  });
});

test("a stop ends the program; after it, none starts", async () => {
  const stopping = new AbortController();
  const running = run(parent, { stop: stopping.signal });
  setTimeout(500).then(() => stopping.abort());
  await expect(running).rejects.toThrow("aborted");
  await expect(run("", { stop: stopping.signal })).rejects.toThrow("aborted");
});

test("a program that cannot start is an error", async () => {
  const stop = new AbortController().signal;
  const options = { cwd: "/", environment: {}, limit: 1_000, stop, root: undefined };
  await expect(runEngine("/none", [], options)).rejects.toThrow("ENOENT");
});

/** Text of a module that runs programs in a root with the shell and Node, and prints the results. */
const isolated = (work: string) => `
  import { runEngine } from ${JSON.stringify(moduleOf("engine/process.ts"))};
  import { systemPlaces } from ${JSON.stringify(moduleOf("isolation/place.ts"))};
  const run = (program, args, more = {}) => runEngine(program, args, {
    cwd: "/tmp", environment: { PATH: process.env.PATH }, limit: 20_000, stop: new AbortController().signal,
    root: { visible: [...systemPlaces, process.execPath] }, ...more,
  });
  const show = async (result) => console.log(JSON.stringify(await result.catch(({ message }) => message)));
  ${work}`;
const moduleOf = (path: string) =>
  pathToFileURL(new URL(`../../../rehearse/${path}`, import.meta.url).pathname).href;

test("in a root, exit codes, signals, limits and stops are as without one, and a root that cannot be made is an error", () => {
  const command = confinedCommand();
  if (command === undefined) return;
  const text = isolated(`
    await show(run("sh", ["-c", "echo a; echo b >&2; pwd; exit 3"]));
    await show(run("sh", ["-c", "kill -KILL $$"]));
    await show(run("/none", []));
    await show(run(process.execPath, ["-e", ${JSON.stringify(parent)}], { limit: 1_500 }));
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 500);
    await show(run(process.execPath, ["-e", ${JSON.stringify(parent)}], { stop: stopping.signal }));
    await show(run("true", [], { cwd: "/var" }));
    // Nothing that a program started goes on when it has ended.
    await show(run("sh", ["-c", "sleep 60 & exit 0"]));
  `);
  const node = [process.execPath, "--no-warnings", "--input-type=module", "-e", text];
  const { stdout, stderr } = runCommand([...command, ...node]);
  expect(stderr).toBe("");
  const isLate = false;
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { code: 3, stdout: "a\n/tmp\n", stderr: "b\n", isLate },
    { code: null, signal: "SIGKILL", stdout: "", stderr: expect.any(String), isLate },
    { code: 127, stdout: "", stderr: expect.stringContaining("/none"), isLate },
    { code: null, signal: "SIGKILL", stdout: "started\n", stderr: "", isLate: true },
    expect.stringContaining("aborted"),
    expect.stringMatching(/^the engine cannot be isolated: .*\/var/),
    { code: 0, stdout: "", stderr: "", isLate },
  ]);
});
