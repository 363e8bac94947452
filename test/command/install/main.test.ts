import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { terraformSource } from "../../../provider/core/name.ts";
import { terraformEngines } from "../../../tools/engines/engine.ts";
import { program } from "../../support/engine/built.ts";

/** Runs the real engines in a home folder after `kcloud install terraform --write`. */

const run = promisify(execFile);

const engines = (await terraformEngines()).map(
  (engine) => [`${engine.name} ${engine.version}`, engine] as const,
);

let home: string;
/** Lines that the installation printed. */
let printed: readonly string[];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "kcloud-home-"));
  const { stdout } = await run(process.execPath, [program("kcloud"), "install", "terraform", "--write"], {
    env: { HOME: home, PATH: process.env.PATH },
  });
  expect(stdout).toContain(`${join(home, ".terraformrc")} was created.\n`);
  printed = stdout.split("\n");
});

afterAll(() => rm(home, { recursive: true }));

test.each(engines)(
  "%s installs the provider from the mirror, locks it and starts it",
  async (name, engine) => {
    const folder = join(home, name.replaceAll(" ", "-"));
    await mkdir(folder);
    await writeFile(
      join(folder, "main.tf"),
      `terraform {\n  required_providers {\n    kcloud = { source = "${terraformSource}" }\n  }\n}\nresource "kcloud_vpc" "shop" {\n  name = "shop"\n}\n`,
    );
    const env = { ...engine.env, HOME: home, CHECKPOINT_DISABLE: "1" };
    const unlocked = await run(engine.path, ["init", "-no-color"], { cwd: folder, env });
    expect(unlocked.stdout).toContain("Incomplete lock file");
    for (const name of [".terraform.lock.hcl", ".terraform"])
      await rm(join(folder, name), { recursive: true });
    const lock = printed.find((line) => line.startsWith("  terraform providers lock ")) ?? "";
    await run("sh", ["-c", lock.replace("terraform", `'${engine.path}'`)], {
      cwd: folder,
      env: { ...env, PATH: process.env.PATH },
    });
    const { stdout } = await run(engine.path, ["init", "-no-color"], { cwd: folder, env });
    expect(stdout).not.toContain("Incomplete lock file");
    expect(stdout).toMatch(/Installed .*kcloud\/kcloud v\d+\.\d+\.\d+/);
    expect(await readFile(join(folder, ".terraform.lock.hcl"), "utf8")).toContain(
      `provider "${terraformSource}"`,
    );
    const validated = await run(engine.path, ["validate", "-no-color"], { cwd: folder, env });
    expect(validated.stdout).toContain("The configuration is valid");
  },
);
