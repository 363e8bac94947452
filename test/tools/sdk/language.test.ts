import { expect, test } from "@jest/globals";
import manifest from "../../../package.json" with { type: "json" };
import { goArchive, pythonArchives } from "../../../tools/release/sdk.ts";
import { generateProject, type Language } from "../../../tools/sdk/language.ts";
import { readTar, readZip } from "../../release/archive.ts";

/** Generates the SDKs with Pulumi's generators; `test/adapter/language` runs programs with them. */

const archivesOf = async (language: Language) => {
  const project = await generateProject(language);
  return language === "python" ? pythonArchives(project) : [await goArchive(project)];
};
const { version } = manifest;

test.each(["python", "go"] as const)(
  "the SDK for %s has equal bytes when it is generated again",
  async (language) => {
    expect(await archivesOf(language)).toEqual(await archivesOf(language));
  },
);

test("the wheel has the package and the licence, with the version of the npm package, and at most 600 kB", async () => {
  const [wheel, source] = await archivesOf("python");
  expect([wheel?.name, source?.name]).toEqual([
    `pulumi_kcloud-${version}-py3-none-any.whl`,
    `pulumi_kcloud-${version}.tar.gz`,
  ]);
  const info = `pulumi_kcloud-${version}.dist-info`;
  const names = readZip(wheel?.data ?? Buffer.of()).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      "pulumi_kcloud/volume.py",
      "pulumi_kcloud/py.typed",
      "pulumi_kcloud/pulumi-plugin.json",
      `${info}/licenses/LICENSE`,
    ]),
  );
  expect(wheel?.data.length).toBeLessThan(600_000);
  const files = readTar(source?.data ?? Buffer.of()).map(({ name }) => name);
  for (const name of ["PKG-INFO", "README.md", "LICENSE", "pyproject.toml", "pulumi_kcloud/volume.py"])
    expect(files).toContain(`pulumi_kcloud-${version}/${name}`);
});

test("the Go module has the licence, its dependencies, and the package below its path", async () => {
  const [module] = await archivesOf("go");
  expect(module?.name).toBe(`kcloud-go-sdk-v${version}.zip`);
  const files = new Map(readZip(module?.data ?? Buffer.of()).map(({ name, data }) => [name, `${data}`]));
  const prefix = `kcloud.invalid/iac/sdk/go@v${version}`;
  expect(files.get(`${prefix}/go.mod`)).toMatch(/^module kcloud\.invalid\/iac\/sdk\/go\n/);
  expect([...files.keys()]).toEqual(
    expect.arrayContaining(["LICENSE", "go.sum", "kcloud/volume.go"].map((name) => `${prefix}/${name}`)),
  );
});
