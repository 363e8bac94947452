import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { CommandError } from "../../../command/run.ts";
import { changeMachine, home, mirror, provider, root, run, version } from "./home.ts";

test("on Windows the error names the archive of the release and its folder; other platforms can be installed", () => {
  changeMachine({
    platform: "win32",
    environment: { USERPROFILE: home, APPDATA: join(home, "AppData") },
  });
  const problem = `the program of the npm package does not run on windows_amd64: put terraform-provider-kcloud_${version}_windows_amd64.zip of the release into ${provider()}`;
  expect(() => run()).toThrow(new CommandError(problem));
  expect(existsSync(mirror())).toBe(false);
  expect(run("--platform", "linux_amd64")).toContain(
    `Add this block to ${join(home, "AppData/terraform.rc")}, or`,
  );
  changeMachine({ platform: "linux" });
  expect(() => run("--platform", "windows_amd64")).toThrow(new CommandError(problem));
});

test("the single executable installs itself for its platform", () => {
  const executable = join(root, "kcloud");
  writeFileSync(executable, "the executable");
  changeMachine({ program: executable, executable });
  expect(run()).toContain(`for linux_amd64.\n`);
  const folder = join(provider(), version, "linux_amd64");
  expect(readFileSync(join(folder, `terraform-provider-kcloud_v${version}`), "utf8")).toBe("the executable");
  expect(() => run("--platform", "darwin_arm64")).toThrow(
    new CommandError(
      `this executable is for linux_amd64: put terraform-provider-kcloud_${version}_darwin_arm64.zip of the release into ${provider()}`,
    ),
  );
});
