import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { confinementOf } from "../../rehearse/namespace.ts";

/** A program that connects to a port of this machine, and prints the outcome and the names of the network interfaces. */
const program = (port: number) => `
  const interfaces = Object.keys(require("node:os").networkInterfaces()).join();
  require("node:net").connect(${port}, "127.0.0.1")
    .on("connect", () => { console.log("connected", interfaces); process.exit(); })
    .on("error", ({ code }) => console.log(code, interfaces));`;

const server = createServer();
const confinement = confinementOf(process.env);
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** True if the system has network namespaces for this user, by another command than that of the confinement. */
const canConfine =
  process.platform === "linux" &&
  ["-rn", "-n"].some((flags) => spawnSync("unshare", [flags, "ip", "link", "set", "lo", "up"]).status === 0);

test("a confined program has the loopback interface, and reaches no server of this machine", () => {
  if (confinement.kind !== "available") {
    expect([canConfine, confinement]).toEqual([
      false,
      {
        kind: "unavailable",
        reason: expect.stringMatching(/^programs have the network of this machine.*\(.+\)$/),
      },
    ]);
    return;
  }
  const { port } = server.address() as AddressInfo;
  const [command = "", ...args] = [...confinement.command, process.execPath, "-e", program(port)];
  expect(spawnSync(command, args, { encoding: "utf8" }).stdout).toBe("ECONNREFUSED lo\n");
});

test("a system without the commands, and another one than Linux, cannot confine programs, and say why", () => {
  expect(confinementOf({ PATH: "/none" }, "linux")).toEqual({
    kind: "unavailable",
    reason:
      "programs have the network of this machine, since it cannot confine them (unshare is not installed)",
  });
  expect(confinementOf({}, "darwin")).toEqual({
    kind: "unavailable",
    reason: "programs have the network of this machine: only Linux can confine them",
  });
});

test("a process that runs again is confined only in another network than the one before", () => {
  const network = "net:[1]";
  expect(confinementOf({ KCLOUD_REHEARSAL_OUTSIDE: network }, "linux")).toEqual({ kind: "confined" });
  const same = spawnSync("readlink", ["/proc/self/ns/net"], { encoding: "utf8" }).stdout.trim();
  expect(confinementOf({ KCLOUD_REHEARSAL_OUTSIDE: same, PATH: "/none" }, "linux").kind).toBe("unavailable");
});
