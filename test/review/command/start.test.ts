import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { traceLoads } from "../../support/trace-loads.ts";
import { runBuilt, runSources } from "./run.ts";

const plan = join(import.meta.dirname, "../fixture/terraform-1.16.0.json");

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

test("the built command writes the same page as the sources, with its script and style", async () => {
  const args = ["--in", plan, "--fail-on", "none", "--out", "html"];
  const [built, sources] = [await runBuilt(args), await runSources(args)];
  expect(built.code).toBe(0);
  expect(built.stdout).toBe(sources.stdout);
  expect(built.stdout).toMatch(/<style>:root.*<script>"use strict";/s);
});

test("a reader that closes the pipe early changes neither the exit code nor the messages", () => {
  const kcloud = join(import.meta.dirname, "../../../dist/kcloud");
  const { stdout, stderr } = spawnSync(
    "sh",
    ["-c", '{ "$0" review --in net="$1" --out json; echo "code $?" >&2; } | true', kcloud, plan],
    { encoding: "utf8" },
  );
  expect(stdout).toBe("");
  expect(stderr).toBe("code 3\n");
});
