import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { install } from "../../../command/install/main.ts";
import { CommandError } from "../../../command/run.ts";
import { changeMachine, home, machine, root, version } from "./home.ts";

const installed = (folder: string) => {
  const place = join(folder, "plugins", `resource-kcloud-v${version}`);
  expect(install(["pulumi"], machine)).toBe(
    `${place} has the plugin ${version}. Pulumi.yaml needs no \`plugins\` for it.\n`,
  );
  return place;
};

test("install copies the plugin, its code cache and package.json to the folder of Pulumi", () => {
  const folder = installed(join(home, ".pulumi"));
  expect(readdirSync(folder).toSorted()).toEqual([
    "kcloud-pulumi.cache",
    "package.json",
    "pulumi-resource-kcloud",
  ]);
  expect(readFileSync(join(folder, "pulumi-resource-kcloud"), "utf8")).toBe("the plugin");
  expect(statSync(join(folder, "pulumi-resource-kcloud")).mode & 0o777).toBe(0o755);
});

test("PULUMI_HOME selects another folder, and the single executable installs itself", () => {
  const executable = join(root, "kcloud.exe");
  writeFileSync(executable, "the executable");
  changeMachine({
    environment: { HOME: home, PULUMI_HOME: join(root, "pulumi") },
    platform: "win32",
    program: executable,
    executable,
  });
  expect(readdirSync(installed(join(root, "pulumi")))).toEqual(["pulumi-resource-kcloud.exe"]);
});

test("on Windows, where the script of the package does not run, the error names the archive of the release", () => {
  changeMachine({ platform: "win32" });
  expect(() => install(["pulumi"], machine)).toThrow(
    new CommandError(
      `the program of the npm package does not run on windows_amd64: run the executable of the release, or install pulumi-resource-kcloud-v${version}-windows-amd64.tar.gz with pulumi plugin install`,
    ),
  );
});

test("a HOME that is not that of the account is noted, unless PULUMI_HOME is set", () => {
  const note = /Pulumi may use \/root\/\.pulumi, since HOME is .*: set PULUMI_HOME=.*\/\.pulumi\.\n$/;
  expect(install(["pulumi"], { ...machine, accountHome: "/root" })).toMatch(note);
  expect(install(["pulumi"], { ...machine, accountHome: home })).not.toMatch(note);
  const environment = { ...machine.environment, PULUMI_HOME: join(home, "p") };
  expect(install(["pulumi"], { ...machine, accountHome: "/root", environment })).not.toMatch(note);
});
