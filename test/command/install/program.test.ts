import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { programOf } from "../../../command/install/program.ts";
import { CommandError } from "../../../command/run.ts";
import { root } from "./home.ts";

test("the program of a plugin is next to the command, or in dist next to its sources, with the files that it needs", () => {
  const program = {
    file: join(root, "dist/pulumi-resource-kcloud"),
    others: ["kcloud-pulumi.cache", "package.json"].map((name) => join(root, "dist", name)),
    platform: undefined,
  };
  for (const command of ["dist/kcloud", "kcloud"])
    expect(programOf("pulumi", join(root, command), undefined, "linux_amd64")).toEqual(program);
  rmSync(join(root, "dist/pulumi-resource-kcloud"));
  expect(() => programOf("pulumi", join(root, "dist/kcloud"), undefined, "linux_amd64")).toThrow(
    new CommandError(`${join(root, "dist/pulumi-resource-kcloud")} is missing: install the package again`),
  );
});
