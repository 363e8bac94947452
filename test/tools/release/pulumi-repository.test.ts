import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import manifest from "../../../package.json" with { type: "json" };
import { packageFacts } from "../../../provider/pulumi/schema/package.ts";
import { pulumiRepository } from "../../../tools/release/pulumi-repository.ts";

/** Tests the repository that Pulumi's registry reads, by the rules of its publishing command and of its checklist. */

const starts = join(import.meta.dirname, "../../../examples/start");
const owned = {
  ...manifest,
  homepage: "https://docs.cloud.test/iac",
  repository: { url: "git+https://github.com/owner/terraform-provider-kcloud.git" },
  logo: "https://docs.cloud.test/logo.png",
};
const repository = pulumiRepository(owned);
const page = (name: string): string => repository.get(`docs/${name}`) ?? "";

test("the repository has the schema, both pages and the licence", () => {
  expect([...repository.keys()]).toEqual([
    "schema.json",
    "docs/_index.md",
    "docs/installation-configuration.md",
    "LICENSE",
  ]);
});

test("the schema has what the registry requires: name, version, publisher, a category and an image in PNG", () => {
  const schema = JSON.parse(repository.get("schema.json") ?? "");
  expect(schema).toMatchObject({
    name: "kcloud",
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    publisher: expect.stringMatching(/./),
    displayName: expect.stringMatching(/./),
    description: expect.stringMatching(/./),
    pluginDownloadURL: "github://api.github.com/owner/terraform-provider-kcloud",
    logoUrl: expect.stringMatching(/\.png$/),
  });
  expect(manifest.logo).toMatch(/\.png$/);
  const categories = schema.keywords.filter((keyword: string) => keyword.startsWith("category/"));
  expect(categories).toHaveLength(1);
  expect(categories[0]).toMatch(/^category\/(cloud|infrastructure|network|database|monitoring|utility)$/);
  expect(Object.keys(schema.resources).length).toBeGreaterThan(30);
});

test.each(["_index.md", "installation-configuration.md"])(
  "%s begins with the front matter of the registry",
  (name) => {
    const [, head = ""] = /^---\n([\s\S]*?)\n---\n\n/.exec(page(name)) ?? [];
    const lines = head.split("\n").map((line) => line.split(/: (.*)/).slice(0, 2));
    expect(lines.map(([key]) => key)).toEqual(["title", "meta_desc", "layout"]);
    expect(lines.map(([, value]) => value)).toEqual([
      expect.stringMatching(/^"[^"\\]+"$/),
      expect.stringMatching(/^"[^"\\]+"$/),
      "package",
    ]);
    // The registry serves the pages at other paths.
    expect(page(name)).not.toMatch(/\]\((?!https:)/);
  },
);

test("the first page has the first program of `kcloud init` in every language", () => {
  const languages = readdirSync(starts).flatMap((name) => /^pulumi-(.*)$/.exec(name)?.[1] ?? []);
  const shown = [...page("_index.md").matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  expect(shown.map(([, language]) => language).toSorted()).toEqual(languages.toSorted());
  for (const language of languages) {
    expect(page("_index.md")).toContain(`{{% choosable language ${language} %}}`);
    expect(page("_index.md")).toMatch(new RegExp(`chooser language "[^"]*\\b${language}\\b[^"]*"`));
  }
  const typescript = readFileSync(join(starts, "pulumi-typescript/index.mts"), "utf8");
  expect(shown.find(([, language]) => language === "typescript")?.[2]).toBe(typescript);
  const yaml = shown.find(([, language]) => language === "yaml")?.[2] ?? "";
  expect(yaml).toMatch(/^name: shop\nruntime: yaml\nresources:\n/);
});

test("the second page installs every SDK and the plugin, and configures the provider in both places", () => {
  const text = page("installation-configuration.md");
  const { version } = manifest;
  for (const line of [
    `npm install @kcloud/iac@${version}`,
    `pip install pulumi_kcloud==${version}`,
    `go get ${packageFacts(version, owned).language.go.importBasePath}@v${version}`,
    `pulumi plugin install resource kcloud v${version} --server github://api.github.com/owner/terraform-provider-kcloud`,
    "pulumi config set --secret kcloud:apiKey KEY",
    "export SERVICE_API_KEY=KEY",
  ])
    expect(text.split("\n")).toContain(line);
  expect(text).toMatch(/^- `kcloud:region`: Default region/m);
});

test("without an owner, no page and no schema has an address of the package", () => {
  const texts = [...pulumiRepository().values()].join("");
  expect(texts).not.toContain(new URL(manifest.homepage).hostname);
  expect(texts).not.toMatch(/--server|pluginDownloadURL|logoUrl/);
});
