import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { traceLoads } from "../../support/trace-loads.ts";
import { runBuilt } from "./run.ts";

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
