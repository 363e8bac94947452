import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import { pythonArchives } from "../../../tools/release/sdk.ts";
import { readTar, readZip } from "../../release/archive.ts";

const texts = {
  "README.md": "# Cloud\n",
  LICENSE: "Do as you like.\n",
  "pyproject.toml": `[project]
  name = "pulumi_cloud"
  description = "A \\"cloud\\""
  dependencies = ["pulumi>=3,<4", "typing-extensions>=4; python_version < \\"3.11\\""]
  keywords = ["a", "b"]
  requires-python = ">=3.9"
  version = "1.2.3"
  [project.license]
    text = "Apache-2.0"
  [project.urls]
    Homepage = "https://cloud.test"
`,
  "pulumi_cloud/__init__.py": "value = 1\n",
};
const project = new Map(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]));

const metadata = `Metadata-Version: 2.4
Name: pulumi_cloud
Version: 1.2.3
Summary: A "cloud"
Keywords: a,b
License-Expression: Apache-2.0
License-File: LICENSE
Requires-Python: >=3.9
Requires-Dist: pulumi>=3,<4
Requires-Dist: typing-extensions>=4; python_version < "3.11"
Project-URL: Homepage, https://cloud.test
Description-Content-Type: text/markdown

# Cloud
`;

test("a wheel contains the package, and its metadata with the digest of each file", async () => {
  const [wheel, source] = await pythonArchives(project);
  const files = new Map(readZip(wheel?.data ?? Buffer.of()).map(({ name, data }) => [name, `${data}`]));
  const info = "pulumi_cloud-1.2.3.dist-info";
  expect([...files.keys()].toSorted()).toEqual([
    "pulumi_cloud-1.2.3.dist-info/METADATA",
    "pulumi_cloud-1.2.3.dist-info/RECORD",
    "pulumi_cloud-1.2.3.dist-info/WHEEL",
    "pulumi_cloud-1.2.3.dist-info/licenses/LICENSE",
    "pulumi_cloud-1.2.3.dist-info/top_level.txt",
    "pulumi_cloud/__init__.py",
  ]);
  expect(files.get(`${info}/METADATA`)).toBe(metadata);
  const digest = createHash("sha256").update("value = 1\n").digest("base64url");
  expect(files.get(`${info}/RECORD`)).toContain(`pulumi_cloud/__init__.py,sha256=${digest},10\n`);
  expect(files.get(`${info}/RECORD`)?.endsWith(`${info}/RECORD,,\n`)).toBe(true);
  const packed = new Map(readTar(source?.data ?? Buffer.of()).map(({ name, data }) => [name, `${data}`]));
  expect(packed.get("pulumi_cloud-1.2.3/PKG-INFO")).toBe(metadata);
  expect(packed.get("pulumi_cloud-1.2.3/pyproject.toml")).toBe(texts["pyproject.toml"]);
});

test("a project without a file or a value that the metadata needs is rejected", async () => {
  for (const missing of ["README.md", "LICENSE", "pyproject.toml"]) {
    const others = new Map([...project].filter(([name]) => name !== missing));
    await expect(pythonArchives(others)).rejects.toThrow(`the generated project has no ${missing}`);
  }
  const toml = Buffer.from(texts["pyproject.toml"].replace(/.*version = .*/, ""));
  await expect(pythonArchives(new Map([...project, ["pyproject.toml", toml]]))).rejects.toThrow(
    "the generated pyproject.toml has no version",
  );
});
