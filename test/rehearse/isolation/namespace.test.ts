import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { confinementOf, rootProblem } from "../../../rehearse/isolation/namespace.ts";
import { confinedCommand, run } from "./confined.ts";

/** A program that connects to a port of this machine, and prints the outcome and the names of the network interfaces. */
const program = (port: number) => `
  const interfaces = Object.keys(require("node:os").networkInterfaces()).join();
  require("node:net").connect(${port}, "127.0.0.1")
    .on("connect", () => { console.log("connected", interfaces); process.exit(); })
    .on("error", ({ code }) => console.log(code, interfaces));`;

const server = createServer();
/** Folder with a command `mount` as of a system that refuses it. */
let refusing: string;
beforeAll(async () => {
  refusing = await mkdtemp(join(tmpdir(), "kcloud-namespace-"));
  await writeFile(join(refusing, "mount"), "#!/bin/sh\necho 'mount: permission denied' >&2\nexit 32\n", {
    mode: 0o755,
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  await rm(refusing, { recursive: true });
  await new Promise((resolve) => server.close(resolve));
});

test("a confined program has the loopback interface, and reaches no server of this machine", () => {
  const command = confinedCommand();
  if (command === undefined) return;
  const { port } = server.address() as AddressInfo;
  expect(run([...command, process.execPath, "-e", program(port)]).stdout).toBe("ECONNREFUSED lo\n");
});

test("a system without the commands, and another one than Linux, cannot confine programs, and say why", () => {
  expect(confinementOf({ PATH: "/none" }, "linux")).toEqual({
    kind: "unavailable",
    reason:
      "programs have the network, files and processes of this machine, since it cannot confine them (unshare is not installed)",
  });
  expect(confinementOf({}, "darwin")).toEqual({
    kind: "unavailable",
    reason: "programs have the network, files and processes of this machine: only Linux can confine them",
  });
});

test("a process that runs again is confined only in another network than the one before", () => {
  const network = "net:[1]";
  expect(confinementOf({ KCLOUD_REHEARSAL_OUTSIDE: network }, "linux")).toEqual({ kind: "confined" });
  const same = spawnSync("readlink", ["/proc/self/ns/net"], { encoding: "utf8" }).stdout.trim();
  expect(confinementOf({ KCLOUD_REHEARSAL_OUTSIDE: same, PATH: "/none" }, "linux").kind).toBe("unavailable");
});

const module = pathToFileURL(
  new URL("../../../rehearse/isolation/namespace.ts", import.meta.url).pathname,
).href;

test("a confined process can make a root; without the commands, or for a folder of the system, it says why not", () => {
  expect(rootProblem({ PATH: "/none" }, "/work")).toBe(
    "programs have the files and processes of this machine, since it cannot hide them (unshare is not installed)",
  );
  if (process.platform === "linux")
    expect(rootProblem(process.env, "/usr/share/app")).toBe(
      "programs have the files of /usr/share/app, since it is in /usr/share, which they need",
    );
  const command = confinedCommand();
  if (command === undefined) return;
  const script = `import { rootProblem } from ${JSON.stringify(module)};
    const PATH = ${JSON.stringify(refusing)} + ":" + process.env.PATH;
    for (const environment of [process.env, { PATH }]) console.log(String(rootProblem(environment, "/work")));`;
  const node = [process.execPath, "--no-warnings", "--input-type=module", "-e", script];
  expect(run([...command, ...node])).toEqual({
    ...{ status: 0, stderr: "" },
    stdout:
      "undefined\nprograms have the files and processes of this machine, since it cannot hide them (mount: permission denied)\n",
  });
});
