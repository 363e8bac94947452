import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createEmulator, type Emulator } from "../../../emulator/emulator.ts";
import { environment } from "../../adapter/lifecycle/lifecycle.ts";
import { program } from "../../command/kcloud.ts";
import { make } from "../../support/large-account.ts";
import { shop } from "../account.ts";

let root: string;
let emulator: Emulator;
let server: Awaited<ReturnType<Emulator["listen"]>>;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "kcloud-resume-"));
  emulator = createEmulator({ taskMs: 20 });
  server = await emulator.listen();
  await make(shop, server.url);
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});

const journal = (out: string) => join(root, `.${out}.kcloud-export`);

/** Starts an export. Returns its process, and a function that waits for its end. */
function start(out: string, given: NodeJS.ProcessEnv = {}) {
  const child: ChildProcess = spawn(process.execPath, ["--no-warnings", program, "export", "--out", out], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: root, ...environment(server.url), ...given },
  });
  const text = { stdout: "", stderr: "" };
  child.stdout?.on("data", (part) => {
    text.stdout += part;
  });
  child.stderr?.on("data", (part) => {
    text.stderr += part;
  });
  const end = async () => {
    const [code] = await once(child, "close");
    return { code, ...text };
  };
  return { child, end };
}

/** Returns the requests since an entry of the log, each as one text. */
const requestsSince = (entry: number) =>
  emulator.log
    .entries()
    .slice(entry)
    .filter(({ executed }) => executed)
    .map(({ method, path, query, headers, body }) =>
      JSON.stringify([method, path, query, headers["k-tenant-id"] ?? "", body]),
    );

const contents = (out: string) =>
  readdirSync(join(root, out)).map((name) => [name, readFileSync(join(root, out, name), "utf8")]);

/** Starts an export, and ends it with a signal after some responses. */
async function interrupted(out: string, signal: "SIGINT" | "SIGKILL") {
  const fault = emulator.faults.add({ target: "*", kind: "delay", delayMs: 150, times: 1_000 });
  const { child, end } = start(out);
  const ended = end();
  while (!existsSync(journal(out)) || readFileSync(journal(out), "utf8").split("\n").length < 8)
    await setTimeout(20);
  child.kill(signal);
  const result = await ended;
  emulator.faults.remove(fault);
  return result;
}

test.each(["SIGINT", "SIGKILL"] as const)(
  "an export after %s continues without the requests that were answered, and the project is that of an uninterrupted one",
  async (signal) => {
    const whole = `whole-${signal}`;
    const out = `project-${signal}`;
    const initial = emulator.log.entries().length;
    expect(await start(whole).end()).toMatchObject({ code: 0, stderr: "" });
    const all = requestsSince(initial).length;
    const { code, stdout, stderr } = await interrupted(out, signal);
    if (signal === "SIGINT")
      expect([code, stdout, stderr]).toEqual([
        130,
        "",
        "kcloud export: interrupted: nothing was written; within 15 minutes, the same command continues\n",
      ]);
    expect(existsSync(join(root, out))).toBe(false);
    expect(statSync(journal(out)).mode & 0o777).toBe(0o600);
    expect(readFileSync(journal(out), "utf8")).not.toMatch(/emulator-key|secret-user-data/);
    const stored = readFileSync(journal(out), "utf8").trimEnd().split("\n").length - 1;
    const before = emulator.log.entries().length;
    const again = await start(out).end();
    expect([again.code, again.stderr]).toEqual([
      0,
      `kcloud export: continues an interrupted export: ${stored} responses of the last 15 minutes are in ${journal(out)}\n`,
    ]);
    expect(requestsSince(before).filter((request) => request.includes("get_vpc_list"))).toEqual([]);
    expect(requestsSince(before).length).toBeLessThan(all);
    expect(contents(out)).toEqual(contents(whole));
    expect(existsSync(journal(out))).toBe(false);
    expect(readdirSync(root).filter((name) => name.startsWith("."))).toEqual([]);
  },
  60_000,
);

test("the journal of another account is not used", async () => {
  await interrupted("other", "SIGINT");
  const { code, stderr } = await start("other", { SERVICE_API_KEY: "another-key" }).end();
  expect([code, stderr]).toEqual([1, expect.not.stringContaining("continues")]);
}, 60_000);
