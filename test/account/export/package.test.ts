import { expect, test } from "@jest/globals";
import { packageFile, requirementsFile, tsconfigFile } from "../../../account/export/package.ts";
import manifest from "../../../package.json" with { type: "json" };

test("a program in TypeScript is a module, and has the versions with which the package is tested", () => {
  const { peerDependencies, devDependencies, version } = manifest;
  expect(JSON.parse(packageFile(["cdktf", "constructs"], true))).toEqual({
    name: "account",
    private: true,
    type: "module",
    dependencies: {
      "@kcloud/iac": `^${version}`,
      cdktf: peerDependencies.cdktf,
      constructs: peerDependencies.constructs,
    },
    devDependencies: {
      "@types/node": `^${devDependencies["@types/node"]}`,
      typescript: `^${devDependencies.typescript}`,
    },
  });
  expect(JSON.parse(tsconfigFile).compilerOptions).toMatchObject({ strict: true, noEmit: true });
});

test("a program in YAML needs the package only", () => {
  const { dependencies, ...others } = JSON.parse(packageFile([], false));
  expect(Object.keys(dependencies)).toEqual(["@kcloud/iac"]);
  expect(others).toEqual({ name: "account", private: true });
});

test("a program in Python needs Pulumi with which the package is tested, and the file of the release", () => {
  const least = manifest.peerDependencies["@pulumi/pulumi"].replace("^", "");
  expect(requirementsFile).toBe(`pulumi>=${least},<4.0.0
# The file of the release, in the folder of the program.
./pulumi_kcloud-${manifest.version}-py3-none-any.whl
`);
});
