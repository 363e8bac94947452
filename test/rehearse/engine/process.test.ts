import { setTimeout } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { runEngine } from "../../../rehearse/engine/process.ts";

const run = (script: string, { limit = 20_000, stop = new AbortController().signal } = {}) =>
  runEngine(process.execPath, ["-e", script], {
    cwd: process.cwd(),
    environment: { PATH: process.env.PATH },
    ...{ limit, stop },
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
  const options = { cwd: "/", environment: {}, limit: 1_000, stop: new AbortController().signal };
  await expect(runEngine("/none", [], options)).rejects.toThrow("ENOENT");
});
