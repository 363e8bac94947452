import { createHash } from "node:crypto";
import type { Project } from "../sdk/language.ts";
import type { Entry } from "./entry.ts";
import { tarGz } from "./tar.ts";
import { zip } from "./zip.ts";

/** Archives of the generated SDKs, for the registries of their languages. The bytes depend only on the projects. */

/** Archive of a release. */
export type Archive = Pick<Entry, "name" | "data">;

const entry = (name: string, data: string | Buffer): Entry => ({
  name,
  data: Buffer.from(data),
  mode: 0o644,
});

/** Returns the wheel and the source archive of the Python project. */
export async function pythonArchives(project: Project): Promise<Archive[]> {
  const toml = textOf(project, "pyproject.toml");
  const name = tomlValue(toml, "name") as string;
  const release = `${name}-${tomlValue(toml, "version")}`;
  const metadata = coreMetadata(toml, textOf(project, "README.md"));
  const source = [...project].map(([path, data]) => entry(`${release}/${path}`, data));
  const info = `${release}.dist-info`;
  const wheel = [
    ...[...project].flatMap(([path, data]) => (path.startsWith(`${name}/`) ? entry(path, data) : [])),
    entry(`${info}/METADATA`, metadata),
    entry(
      `${info}/WHEEL`,
      "Wheel-Version: 1.0\nGenerator: kcloud\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    ),
    entry(`${info}/top_level.txt`, `${name}\n`),
    entry(`${info}/licenses/LICENSE`, textOf(project, "LICENSE")),
  ];
  const record = [...wheel.map(recordLine), `${info}/RECORD,,\n`].join("");
  return [
    { name: `${release}-py3-none-any.whl`, data: await zip([...wheel, entry(`${info}/RECORD`, record)]) },
    { name: `${release}.tar.gz`, data: await tarGz([...source, entry(`${release}/PKG-INFO`, metadata)]) },
  ];
}

/** Returns the Go module as the zip that a module proxy serves: each path begins with the module and its version. */
export async function goArchive(project: Project): Promise<Archive> {
  const [, modulePath] = /^module (\S+)$/m.exec(textOf(project, "go.mod")) ?? [];
  const [path] = [...project.keys()].filter((file) => file.endsWith("/pulumi-plugin.json"));
  const { name, version } = JSON.parse(textOf(project, path ?? "")) as { name: string; version: string };
  const entries = [...project].map(([file, data]) => entry(`${modulePath}@v${version}/${file}`, data));
  return { name: `${name}-go-sdk-v${version}.zip`, data: await zip(entries) };
}

function textOf(project: Project, path: string): string {
  const data = project.get(path);
  if (data === undefined) throw new TypeError(`the generated project has no ${path}`);
  return data.toString();
}

/** Returns a string or a list of strings of the generated `pyproject.toml`, whose values are valid JSON. */
function tomlValue(toml: string, key: string): string | string[] {
  const [, text] = new RegExp(`^ *${key} = (.*)$`, "m").exec(toml) ?? [];
  if (text === undefined) throw new TypeError(`the generated pyproject.toml has no ${key}`);
  return JSON.parse(text) as string | string[];
}

/** Returns the metadata of the package, in version 2.4 of the format. */
function coreMetadata(toml: string, readme: string): string {
  const urls = [...toml.matchAll(/^ *(Homepage|Repository) = (".*")$/gm)];
  return [
    "Metadata-Version: 2.4",
    `Name: ${tomlValue(toml, "name")}`,
    `Version: ${tomlValue(toml, "version")}`,
    `Summary: ${tomlValue(toml, "description")}`,
    `Keywords: ${(tomlValue(toml, "keywords") as string[]).join(",")}`,
    `License-Expression: ${tomlValue(toml, "text")}`,
    "License-File: LICENSE",
    `Requires-Python: ${tomlValue(toml, "requires-python")}`,
    ...(tomlValue(toml, "dependencies") as string[]).map((dependency) => `Requires-Dist: ${dependency}`),
    ...urls.map(([, name, url = ""]) => `Project-URL: ${name}, ${JSON.parse(url)}`),
    "Description-Content-Type: text/markdown",
    "",
    readme,
  ].join("\n");
}

/** Returns the line of a file in the list `RECORD` of a wheel. */
function recordLine({ name, data }: Entry): string {
  const digest = createHash("sha256").update(data).digest("base64url");
  return `${name},sha256=${digest},${data.length}\n`;
}
