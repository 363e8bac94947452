import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "@jest/globals";
import { endTree } from "../../../rehearse/engine/process-tree.ts";

/** Script that starts another process in a group of its own, as engines start plugins, and prints its id. */
const parent = `
  const { spawn } = require("node:child_process");
  const inner = "setInterval(() => {}, 1000)";
  console.log(spawn(process.execPath, ["-e", inner], { detached: true, stdio: ["ignore", "inherit", "ignore"] }).pid);
  setInterval(() => {}, 1000);`;

test("what a process started ends with it, also in a group of its own", async () => {
  const child = spawn(process.execPath, ["-e", parent], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [printed] = await once(child.stdout, "data");
  expect(Number(printed)).toBeGreaterThan(0);
  endTree(child.pid ?? 0);
  // The inner process has the output, too, which closes when both have ended.
  expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
  expect(() => endTree(child.pid ?? 0)).not.toThrow();
});
