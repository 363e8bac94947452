import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { runBuilt, runSources } from "../../command/run.ts";

const plan = join(import.meta.dirname, "../../fixture/terraform-1.16.0.json");

test("the built command writes the same page as the sources, with its script and style", async () => {
  const args = ["--in", plan, "--fail-on", "none", "--out", "html"];
  const [built, sources] = [await runBuilt(args), await runSources(args)];
  expect(built.code).toBe(0);
  expect(built.stdout).toBe(sources.stdout);
  expect(built.stdout).toMatch(/<style>:root.*<script>"use strict";/s);
});
