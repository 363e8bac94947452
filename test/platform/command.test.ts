import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { runInThisContext } from "node:vm";
import { expect, test } from "@jest/globals";
import { run } from "../../provider/platform/command.ts";

/** Returns true while the process group has a member. */
function hasMember(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

test("a stop after the command ended is no error, even if a daemon of the command keeps its output open", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  // Process outside the command's group that inherits the output and exits when its connection closes.
  const DAEMON = `require("net").connect(${port}, "127.0.0.1").on("close", () => process.exit()).write(process.env.GROUP)`;
  const STARTER = `require("child_process").spawn(process.execPath, ["-e", process.env.DAEMON], {
    detached: true, stdio: ["ignore", "inherit", "ignore"], env: { ...process.env, GROUP: String(process.ppid) },
  }).unref()`;
  const stop = new AbortController();
  const ended = run(`"${process.execPath}" -e "$STARTER"; true`, { DAEMON, STARTER }, stop.signal);
  const [socket] = (await once(server, "connection")) as [Socket];
  const [group] = await once(socket, "data");
  while (hasMember(Number(group))) await nextTurn();
  // Tests run with a copy of `process`.
  const real = runInThisContext("process") as NodeJS.Process;
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  real.on("uncaughtException", note);
  try {
    stop.abort(new Error("stopped"));
    await expect(ended).rejects.toThrow("stopped");
    await nextTurn();
    expect(uncaught).toEqual([]);
  } finally {
    real.off("uncaughtException", note);
    socket.destroy();
    server.close();
  }
});
