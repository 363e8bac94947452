import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { CommandError } from "../../../command/run.ts";
import { at, block, home, mirror, provider, root, run, version } from "./home.ts";

test("install fills the mirror for all platforms of the package, prints the block, and edits no file", () => {
  const all = ["linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"];
  expect(run()).toBe(
    `${mirror()} has the provider ${version} for ${all.join(", ")}.\n\nAdd this block to ${at(".terraformrc")}, or run again with --write:\n\n${block()}\nTo lock it for these platforms, run in the folder of a configuration, with terraform or tofu:\n\n  terraform providers lock -fs-mirror=${JSON.stringify(mirror())} ${all.map((one) => `-platform=${one}`).join(" ")} registry.terraform.io/kcloud/kcloud\n`,
  );
  expect(readdirSync(home)).toEqual([".kcloud"]);
  expect(readdirSync(join(provider(), version)).toSorted()).toEqual(all.toSorted());
  for (const platform of all) {
    const folder = join(provider(), version, platform);
    expect(readdirSync(folder).toSorted()).toEqual([
      "kcloud-terraform.cache",
      "package.json",
      `terraform-provider-kcloud_v${version}`,
    ]);
    expect(statSync(join(folder, `terraform-provider-kcloud_v${version}`)).mode & 0o777).toBe(0o755);
  }
});

test("--platform and --mirror select the installed files; a second run replaces the program", () => {
  const other = join(root, "other");
  const args = ["--platform", "linux_arm64", "--platform=linux_arm64", "--mirror", other];
  expect(run(...args)).toContain(`${other} has the provider ${version} for linux_arm64.\n`);
  const file = join(other, "registry.terraform.io/kcloud/kcloud", version, "linux_arm64");
  writeFileSync(join(root, "dist/terraform-provider-kcloud"), "a new program");
  rmSync(join(root, "dist/kcloud-terraform.cache"));
  expect(run(...args, "--platform", "darwin_arm64")).toContain("for linux_arm64, darwin_arm64.\n");
  expect(readFileSync(join(file, `terraform-provider-kcloud_v${version}`), "utf8")).toBe("a new program");
  expect(existsSync(mirror())).toBe(false);
});

test("a missing program and a mirror that cannot be written are reported", () => {
  writeFileSync(at("file"), "");
  expect(() => run("--mirror", join(at("file"), "mirror"))).toThrow(
    new CommandError(
      `${join(at("file"), "mirror/registry.terraform.io/kcloud/kcloud", version, "linux_amd64")} cannot be written (ENOTDIR): choose another folder, or change its permissions`,
    ),
  );
  rmSync(join(root, "dist/terraform-provider-kcloud"));
  expect(() => run()).toThrow(
    new CommandError(`${join(root, "dist/terraform-provider-kcloud")} is missing: install the package again`),
  );
});
