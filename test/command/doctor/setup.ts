import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach } from "@jest/globals";
import { createEmulator, type EmulatorOptions } from "../../../emulator/emulator.ts";
import { parseFault } from "../../../emulator/fault/notation.ts";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { program, type Ran } from "../kcloud.ts";

/** Runs `kcloud doctor` against the emulator with the real engines, on healthy and broken setups. */

const terraform = await ensureEngine("terraform");
const tofu = await ensureEngine("opentofu");

export let root: string;
export let home: string;
export let bin: string;
let closers: (() => Promise<unknown>)[];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "kcloud-doctor-")));
  [home, bin] = [join(root, "home"), join(root, "bin")];
  for (const folder of [home, bin]) mkdirSync(folder);
  symlinkSync(process.execPath, join(bin, "node"));
  for (const { path } of [terraform, tofu]) symlinkSync(path, join(bin, basename(path)));
  closers = [];
});

afterEach(async () => {
  for (const close of closers) await close();
  rmSync(root, { recursive: true });
});

/** Starts an emulator; returns the environment variables of a setup that works with it. */
export async function setUp(options: EmulatorOptions = {}, faults: readonly string[] = []) {
  const emulator = createEmulator(options);
  for (const fault of faults) emulator.faults.add(parseFault(fault));
  const { url, close } = await emulator.listen();
  closers.push(close);
  return { SERVICE_BASE_URL: url, SERVICE_API_KEY: "emulator-key", SERVICE_REGION: "In-Bangalore-1" };
}

/** Runs the doctor; replaces paths, the port and the versions of this machine by placeholders. */
export async function doctor(environment: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Ran> {
  const url = environment.SERVICE_BASE_URL ?? environment.KCLOUD_BASE_URL ?? "http://none";
  const options = { cwd: home, env: { PATH: bin, HOME: home, ...environment } };
  const { code, stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["--no-warnings", program, "doctor", ...args],
    options,
  ).then(
    (streams) => ({ code: 0, ...streams }),
    (error: Ran) => error,
  );
  const named = (text: string) =>
    text
      .replaceAll(url, "ADDRESS")
      .replaceAll(url.replace("http://", ""), "HOST")
      .replaceAll(root, "ROOT")
      .replaceAll(join(program, "../../dist"), "PACKAGE")
      .replaceAll(process.versions.node, "VERSION")
      .replaceAll(` ${terraform.version}, `, " VERSION, ")
      .replaceAll(` ${tofu.version}, `, " VERSION, ");
  return { code, stdout: named(stdout), stderr };
}

/** Writes a script that replaces a program on PATH. */
export function script(name: string, body: string): void {
  rmSync(join(bin, name), { force: true });
  writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
}

/** Returns the lines of a check and its remedy. */
export const about = ({ stdout }: Ran, check: string) => {
  const lines = stdout.split("\n");
  return lines
    .filter(
      (line, at) =>
        line.slice(8).startsWith(check) || (/^ +\S/.test(line) && lines[at - 1]?.slice(8).startsWith(check)),
    )
    .map((line) => line.trim().replace(/ +/g, " "));
};

export async function closedPort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

export async function serve(handler: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(handler as never).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
