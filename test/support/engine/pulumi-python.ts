import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureEngine } from "../../../tools/engines/engine.ts";
import { pythonArchives } from "../../../tools/release/sdk.ts";
import { generateProject } from "../../../tools/sdk/language.ts";
import { program } from "./built.ts";
import { ensurePython } from "./python.ts";

/** Installs what programs of Pulumi in Python need: the plugin, and the SDK of a release. */

const run = promisify(execFile);

/** Installation in a folder. */
export interface PythonInstallation {
  /** Virtual environment with Pulumi's own packages, `mypy` and `pyright`. */
  readonly venv: string;
  /** Name of the file with the SDK. */
  readonly wheel: string;
  /** Variables with which an engine runs programs; PATH has only what they need. */
  readonly variables: {
    readonly PULUMI_HOME: string;
    readonly PYTHONPATH: string;
    readonly PYTHONDONTWRITEBYTECODE: string;
    readonly PATH: string;
  };
}

/** Returns the variable that selects the home of Pulumi in a folder. */
export const homeIn = (folder: string): { readonly PULUMI_HOME: string } => ({
  PULUMI_HOME: join(folder, "home"),
});

/** Installs the plugin as a user does. */
export async function installPlugin(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run(program("kcloud"), ["install", "pulumi"], { env: { ...process.env, ...homeIn(folder) } });
}

/** Makes the SDK for Python and installs its wheel. */
export async function installPythonSdk(folder: string): Promise<PythonInstallation> {
  const venv = await ensurePython();
  const hosts = await ensureEngine("pulumi-languages");
  let wheel = "";
  await mkdir(folder, { recursive: true });
  for (const { name, data } of await pythonArchives(await generateProject("python"))) {
    await writeFile(join(folder, name), data);
    if (!name.endsWith(".whl")) continue;
    wheel = name;
    const pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--target", join(folder, "site")];
    await run(join(venv, "bin/python"), [...pip, join(folder, name)]);
  }
  return {
    venv,
    wheel,
    variables: {
      ...homeIn(folder),
      PYTHONPATH: join(folder, "site"),
      PYTHONDONTWRITEBYTECODE: "1",
      PATH: [join(venv, "bin"), hosts.env.PATH].join(":"),
    },
  };
}
