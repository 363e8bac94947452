import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { writePulumi } from "./language-host.ts";
import { type Installation, openInstallation } from "./page.ts";

/** Creates the first resource of each engine in an empty folder with `kcloud init` and the commands that it prints. */

/** Starts by their arguments, with the maximum number of commands that a user types after the package is installed. */
const starts: readonly (readonly [start: string, most: number])[] = [
  ["terraform", 3],
  ["opentofu", 3],
  ["pulumi", 4],
  ["pulumi --language yaml", 4],
  ["pulumi --language python", 4],
  ["pulumi --language go", 4],
  ["cdktf", 4],
];

let installation: Installation;
let commands: string;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  commands = await mkdtemp(join(tmpdir(), "kcloud-pulumi-"));
  environment = await writePulumi(commands);
  const engines = ["terraform", "opentofu", "pulumi-yaml", "pulumi-languages"] as const;
  installation = await openInstallation(engines, commands);
});
afterAll(async () => {
  await installation.remove();
  await rm(commands, { recursive: true });
});

/** Objects that the programs of Pulumi created, by the start. */
const created = new Map<string, unknown>();

const sh = (...lines: readonly string[]) => ({
  heading: "",
  language: "sh",
  text: `${lines.join("\n")}\n`,
  file: undefined,
});

/** Runs the start and the commands that it prints, as they are printed. */
const running = (start: string) => [
  `npx kcloud init ${start} > printed.txt`,
  "sed -n 's/^  //p' printed.txt > next.sh",
  "sh -eux next.sh",
];

test.each(starts)(
  "kcloud init %s: the first resource takes at most %i typed commands",
  async (start, most) => {
    const blocks = [sh("npm install @kcloud/iac", ...running(start))];
    const { folder, output } = await installation.run(blocks, environment);
    const next = readFileSync(join(folder, "next.sh"), "utf8").trim().split("\n");
    expect([next, next.length + 1 <= most]).toEqual([next, true]);
    // One command a line, without operators of the shell between several.
    expect(next.filter((line) => /[;&|]/.test(line))).toEqual([]);
    const cloud = readFileSync(join(folder, "cloud.json"), "utf8");
    for (const name of ["shop", "orders"])
      expect([output, cloud.includes(`"${name}`)]).toEqual([output, true]);
    // A plugin that Pulumi finds on PATH can have another version.
    expect(output).not.toContain("using pulumi-resource-kcloud from $PATH");
    if (start.startsWith("pulumi")) created.set(start, withoutRandom(cloud));
  },
);

/** Returns the objects of a cloud by their kinds, without random parts and times. */
const withoutRandom = (cloud: string) =>
  JSON.parse(
    cloud
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "ID")
      .replace(/-[0-9a-f]{7}(?=["-])/g, "-RANDOM")
      .replace(/\b\d{13}\b/g, "0"),
  ).tables;

test("the program of Pulumi creates the same objects in each language", () => {
  const [first, ...others] = created.values();
  expect(Object.keys(first ?? {})).toEqual(expect.arrayContaining(["network", "volume"]));
  expect(others).toEqual([first, first, first]);
});

test("after kcloud install terraform --write, the printed init has no option", async () => {
  const { folder } = await installation.run([
    sh("npm install @kcloud/iac", "npx kcloud install terraform --write", ...running("terraform")),
  ]);
  expect(readFileSync(join(folder, "next.sh"), "utf8")).toMatch(/^terraform init\n/);
});
