import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { runBuilt } from "../review/command/run.ts";
import { traceLoads } from "../support/trace-loads.ts";
import { kcloud } from "./kcloud.ts";

const plan = join(import.meta.dirname, "../review/fixture/terraform-1.16.0.json");

test("the --help of a command after -- belongs to that command", () => {
  const script = "console.log(process.argv[1])";
  const args = ["emulator", "--", process.execPath, "-e", script, "--", "--help"];
  expect(kcloud(args)).toMatchObject({ code: 0, stdout: "--help\n" });
});

test("the version has three spellings, and a mistyped command a suggestion", () => {
  const [first, ...others] = ["--version", "-v", "version"].map((name) => kcloud([name]));
  expect([first?.code, others]).toEqual([0, [first, first]]);
  expect(kcloud(["exprot"]).stderr).toMatch(/^kcloud: unknown command "exprot"; did you mean "export"\?\n/);
  expect(kcloud(["banana"]).stderr).toMatch(/^kcloud: unknown command "banana"\n/);
});

test("a reader that closes the pipe early changes neither the exit code nor the messages", () => {
  const program = join(import.meta.dirname, "../../dist/kcloud");
  const { stdout, stderr } = spawnSync(
    "sh",
    ["-c", '{ "$0" review --in net="$1" --out json; echo "code $?" >&2; } | true', program, plan],
    { encoding: "utf8" },
  );
  expect(stdout).toBe("");
  expect(stderr).toBe("code 3\n");
});

test("a review loads its code from the code cache, and sets V8 flags afterwards: V8 rejects a cache under other flags", async () => {
  const { stderr } = await runBuilt(["--in", plan, "--fail-on", "none"], {
    NODE_OPTIONS: `--import ${traceLoads}`,
  });
  expect(stderr.match(/^(loads|sets) .+$/gm)).toEqual([
    "loads review/command/main.ts, cached",
    "sets --semi-space-growth-factor=1",
    "sets --no-turbofan",
  ]);
});
