import { execFile } from "node:child_process";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "@jest/globals";
import { resources } from "../../../resources/index.ts";
import { projects, runGo, runPython, testPage, writePage } from "./language.ts";

/** Runs the programs in Python on the pages of all resources, and checks those in Python and Go. */

const names = resources.map(({ name }) => name);

/** Writes all programs, those in Python as modules of one folder, too. */
beforeAll(async () => {
  await mkdir(join(projects("python"), "pages"), { recursive: true });
  for (const name of names) {
    await writePage(name, "go");
    const project = await writePage(name, "python");
    const module = `${name.replaceAll("-", "_")}_page.py`;
    await cp(join(project, "__main__.py"), join(projects("python"), "pages", module));
  }
}, 300_000);

test("pyright and mypy find no problem in the program of any page", async () => {
  expect((await runPython("pyright", "pages")).trim()).toBe("0 errors, 0 warnings, 0 informations");
  expect((await runPython("mypy", "pages")).trim()).toBe(
    `Success: no issues found in ${names.length} source files`,
  );
});

test("the program of each page compiles in Go, and go vet and gofmt find no problem", async () => {
  const packages = names.map((name) => `./page-${name}`);
  expect(await runGo("vet", "-mod=mod", ...packages)).toBe("");
  const { stdout } = await promisify(execFile)("gofmt", ["-l", ...packages], { cwd: projects("go") });
  expect(stdout).toBe("");
});

for (const name of names) testPage(name, "python");
