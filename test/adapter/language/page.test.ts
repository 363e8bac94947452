import { execFile } from "node:child_process";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "@jest/globals";
import { lookups } from "../../../functions/index.ts";
import { underscored } from "../../../provider/core/name.ts";
import { resources } from "../../../resources/index.ts";
import { pageFolder, projects, runGo, runPython, testPage, writePage } from "./language.ts";

/**
 * Checks the programs in Python and Go on the pages of all resources and data sources, and runs those in Python of resources;
 * `test/adapter/example/lookup-page.test.ts` runs those of data sources.
 */

const names = resources.map(({ name }) => name);
const pages = [
  ...names.map((name) => `resources/${underscored(name)}`),
  ...lookups.map(({ name }) => `data-sources/${underscored(name)}`),
];

/** Writes all programs, those in Python as modules of one folder, too. */
beforeAll(async () => {
  await mkdir(join(projects("python"), "pages"), { recursive: true });
  for (const page of pages) {
    await writePage(page, "go");
    const project = await writePage(page, "python");
    const module = `${page.replaceAll(/\W/g, "_")}.py`;
    await cp(join(project, "__main__.py"), join(projects("python"), "pages", module));
  }
}, 300_000);

test("pyright and mypy find no problem in the program of any page", async () => {
  expect((await runPython("pyright", "pages")).trim()).toBe("0 errors, 0 warnings, 0 informations");
  expect((await runPython("mypy", "pages")).trim()).toBe(
    `Success: no issues found in ${pages.length} source files`,
  );
});

test("the program of each page compiles in Go, and go vet and gofmt find no problem", async () => {
  const packages = pages.map((page) => `./${pageFolder(page)}`);
  expect(await runGo("vet", "-mod=mod", ...packages)).toBe("");
  const { stdout } = await promisify(execFile)("gofmt", ["-l", ...packages], { cwd: projects("go") });
  expect(stdout).toBe("");
});

for (const name of names) testPage(name, "python");
