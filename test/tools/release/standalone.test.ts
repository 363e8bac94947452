import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import manifest from "../../../package.json" with { type: "json" };

test.each([
  "kcloud",
  "terraform-provider-kcloud",
  "terraform-provider-kcloud_v0.1.0",
  "pulumi-resource-kcloud",
])("the program of the single executable shows its version under the name %s", (argv0) => {
  const standalone = join(import.meta.dirname, "../../../tools/release/standalone.ts");
  // The program reads its name from `argv0`, which the test can set.
  const args = ["--no-warnings", standalone, "--version"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { argv0, encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: `kcloud ${manifest.version}\n`,
    stderr: "",
  });
});
