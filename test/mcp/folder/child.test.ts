import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { run } from "../../../mcp/folder/child.ts";

const { argv } = process;
const environment = { ...process.env };
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kcloud-mcp-child-"));
});
afterEach(async () => {
  process.argv = argv;
  process.env = { ...environment };
  await rm(folder, { recursive: true });
});

/** Makes this process one of a program with this text. */
async function program(text: string): Promise<void> {
  const file = join(folder, "program.cjs");
  await writeFile(file, text);
  process.argv = [process.execPath, file, "mcp"];
}

test("a command of this program runs with the arguments, without the settings and credentials of the provider", async () => {
  await program(
    `console.log(JSON.stringify([process.argv.slice(2), process.env])); console.error("said"); process.exitCode = 3;`,
  );
  process.env.SERVICE_API_KEY = "canary";
  process.env.KCLOUD_PASSWORD = "canary";
  process.env.KCLOUD_OTHER = "canary";
  process.env.TF_VAR_size = "20";
  const { code, stdout, stderr } = await run(["rehearse", "."], new AbortController().signal);
  const [args, given] = JSON.parse(stdout);
  expect([code, args, given.TF_VAR_size, stderr]).toEqual([3, ["rehearse", "."], "20", "said\n"]);
  expect(stdout).not.toContain("canary");
});

test("a command gets a signal to end after an abort, and the abort is the error", async () => {
  const file = join(folder, "ended");
  await program(
    `process.on("SIGTERM", () => { require("node:fs").writeFileSync(${JSON.stringify(file)}, "yes"); process.exit(143); });
     setInterval(() => {}, 1000); console.log("started");`,
  );
  const stop = new AbortController();
  const running = run([], stop.signal);
  await new Promise((resolve) => setTimeout(resolve, 300));
  stop.abort(new Error("left"));
  await expect(running).rejects.toThrow("left");
  expect(await readFile(file, "utf8")).toBe("yes");
});

test("no command starts after an abort", async () => {
  await expect(run([], AbortSignal.abort(new Error("left")))).rejects.toThrow("left");
});
