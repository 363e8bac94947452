import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { withPlaces } from "../../../review/read/place.ts";
import { changeOf, planOf } from "../change-of.ts";

let [folder, before] = ["", ""];
beforeEach(() => {
  before = process.cwd();
  folder = mkdtempSync(join(tmpdir(), "kcloud-place-"));
  process.chdir(folder);
  folder = process.cwd();
});
afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const write = (files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
};

/** Returns the place of an object, "FILE:LINE" relative to the folder `infra`. */
function placeOf(
  address: string,
  more: Parameters<typeof planOf>[1] = {},
  root = "infra",
): string | undefined {
  const change = changeOf("volume", undefined, { name: "v" }, { address });
  const { source } = withPlaces(planOf([change], more), root).changes[0] ?? {};
  return source && `${source.file}:${source.line}`;
}

const volume = (name: string) => `resource "kcloud_volume" "${name}" {\n  name = "x"\n}\n`;

test("an object of the program has the line of its block, with an index too", () => {
  write({ "infra/main.tf": `# volumes\n\n${volume("a")}`, "infra/other.tf": volume("b") });
  expect(placeOf("kcloud_volume.a")).toBe("main.tf:3");
  expect(placeOf('kcloud_volume.b["x.y"]')).toBe("other.tf:1");
  expect(placeOf("kcloud_volume.b[0]", { engine: "opentofu" })).toBe("other.tf:1");
  expect(placeOf("kcloud_volume.c")).toBeUndefined();
  expect(placeOf("data.kcloud_volume.a")).toBeUndefined();
});

test("an object of a module in the repository has the line in its folder", () => {
  write({
    "infra/main.tf": 'module "net" {\n  source = "../modules/net"\n  name = "x"\n}\n',
    "modules/net/main.tf": `${volume("a")}module "inner" {\n  source = "./inner"\n}\n`,
    "modules/net/inner/main.tf": `\n${volume("b")}`,
  });
  expect(placeOf("module.net.kcloud_volume.a")).toBe("../modules/net/main.tf:1");
  expect(placeOf('module.net["x"].module.inner[0].kcloud_volume.b')).toBe("../modules/net/inner/main.tf:2");
});

test.each([
  ["a module of a registry", { "infra/main.tf": 'module "net" {\n  source = "acme/net/kcloud"\n}\n' }],
  [
    "a module with two texts that could be its folder",
    {
      "infra/main.tf": 'module "net" {\n  source = "./a"\n  other = "./b"\n}\n',
      "infra/a/main.tf": volume("a"),
    },
  ],
  [
    "a module outside of the current folder",
    { "infra/main.tf": 'module "net" {\n  source = "../../net"\n}\n' },
  ],
  [
    "a block in two files of the module",
    {
      "infra/main.tf": 'module "net" {\n  source = "./a"\n}\n',
      "infra/a/1.tf": volume("a"),
      "infra/a/2.tf": volume("a"),
    },
  ],
])("%s has no place", (_, files) => {
  write(files);
  expect(placeOf("module.net.kcloud_volume.a")).toBeUndefined();
});

test("a comment, a heredoc and a file that overrides are no declaration", () => {
  const text = volume("a");
  write({
    "infra/a.tf": `/*\n${text}*/\nlocals {\n  x = <<-EOT\n${text}EOT\n}\n`,
    "infra/b.tf": `\n${text}`,
    "infra/b_override.tf": text,
    "infra/override.tf": text,
  });
  expect(placeOf("kcloud_volume.a")).toBe("b.tf:2");
});

test("a folder that is not there, a program of Pulumi, and a known place change nothing", () => {
  write({ "infra/main.tf": volume("a") });
  expect(placeOf("kcloud_volume.a", {}, "missing")).toBeUndefined();
  expect(placeOf("kcloud_volume.a", { engine: "pulumi" })).toBeUndefined();
  const source = { file: "index.ts", line: 9 };
  const change = changeOf("volume", undefined, { name: "v" }, { address: "kcloud_volume.a", source });
  expect(withPlaces(planOf([change]), "infra").changes[0]?.source).toEqual(source);
});
