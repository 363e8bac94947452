import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Installation, openInstallation } from "./page.ts";

/** Creates the first resource of each engine in an empty folder with `kcloud init` and the commands that it prints. */

/** Starts by their arguments, with the maximum number of commands that a user types after the package is installed. */
const starts: readonly (readonly [start: string, most: number])[] = [
  ["terraform", 3],
  ["opentofu", 3],
  ["pulumi", 4],
  ["pulumi --language yaml", 4],
  ["cdktf", 4],
];

let installation: Installation;

beforeAll(async () => {
  installation = await openInstallation(["terraform", "opentofu", "pulumi-yaml"]);
});
afterAll(() => installation.remove());

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
    const { folder, output } = await installation.run([sh("npm install @kcloud/iac", ...running(start))]);
    const next = readFileSync(join(folder, "next.sh"), "utf8").trim().split("\n");
    expect([next, next.length + 1 <= most]).toEqual([next, true]);
    // One command a line, without operators of the shell between several.
    expect(next.filter((line) => /[;&|]/.test(line))).toEqual([]);
    const cloud = readFileSync(join(folder, "cloud.json"), "utf8");
    for (const name of ["shop", "orders"])
      expect([output, cloud.includes(`"${name}`)]).toEqual([output, true]);
  },
);

test("after kcloud install terraform --write, the printed init has no option", async () => {
  const { folder } = await installation.run([
    sh("npm install @kcloud/iac", "npx kcloud install terraform --write", ...running("terraform")),
  ]);
  expect(readFileSync(join(folder, "next.sh"), "utf8")).toMatch(/^terraform init\n/);
});
