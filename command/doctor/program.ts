import { type ExecFileException, execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { provider } from "../../provider/core/name.ts";
import { isSupportedNode, oldestNode } from "../../provider/platform/runtime.ts";
import { findOnPath } from "../../review/custom-rule/node.ts";
import { configuredMirrors } from "../install/cli-configuration.ts";
import { homeOf, type Machine, platformOf } from "../install/machine.ts";
import { archiveOf, folderIn } from "../install/mirror.ts";
import { pluginFolder } from "../install/pulumi-plugin.ts";
import { type Finding, failed, note, ok } from "./finding.ts";

/** Checks the programs of this machine: Node, engines, and the plugins that the engines would start. */

/** Inputs of the checks. */
export interface ProgramContext {
  readonly machine: Machine;
  /** Folder of the project. */
  readonly folder: string;
  /** Version of this command. */
  readonly version: string;
  /** Timeout of each check in seconds. */
  readonly limit: number;
}

const install = `Install Node ${oldestNode} or later, or the executable of a release, which needs none.`;

const programPath = (name: string, { platform }: Machine): string | undefined =>
  findOnPath(platform === "win32" ? `${name}.exe` : name);

/** Runs a program that prints its version. Returns the version, or the reason why there is none. */
async function versionOf(
  file: string,
  args: readonly string[],
  limit: number,
): Promise<{ readonly version: string } | { readonly problem: string }> {
  // Stops the engines from checking for newer versions over the network.
  const env = { ...process.env, CHECKPOINT_DISABLE: "1", PULUMI_SKIP_UPDATE_CHECK: "true" };
  const options = { env, timeout: limit * 1000, killSignal: "SIGKILL" } as const;
  try {
    const { stdout } = await promisify(execFile)(file, args, options);
    const [version] = /\d+\.\d+\.\d+[\w.+-]*/.exec(stdout) ?? [];
    return version === undefined ? { problem: `${file} shows no version` } : { version };
  } catch (error) {
    const { killed, code, stderr = "" } = error as ExecFileException & { readonly stderr?: string };
    if (killed === true) return { problem: `${file} does not end within ${limit} s` };
    const message = stderr.trim().split("\n").at(-1) ?? "";
    return { problem: `${file} fails (${code})${message === "" ? "" : `: ${message}`}` };
  }
}

/** Checks the Node on PATH, with which engines start the plugins of the npm package. */
export async function checkNode({ machine, limit }: ProgramContext): Promise<Finding> {
  if (machine.executable !== undefined) return ok("node", "not needed: this executable has its own runtime");
  const path = programPath("node", machine);
  if (path === undefined)
    return failed("node", "there is no node on PATH, with which engines start the plugins", install);
  const shown = await versionOf(path, ["--version"], limit);
  if ("problem" in shown) return failed("node", shown.problem, install);
  const { version } = shown;
  if (!isSupportedNode(version))
    return failed("node", `${path} is ${version}; the plugins need ${oldestNode} or later`, install);
  return ok("node", `${version}, ${path}`);
}

/** Engines by the name of their command, with the arguments that show the version. */
const engines = {
  terraform: ["version", "-json"],
  tofu: ["version", "-json"],
  pulumi: ["version"],
} as const;

type Engine = keyof typeof engines;

/** Checks the engines on PATH and the plugin of each. */
export async function checkEngines(context: ProgramContext): Promise<Finding[]> {
  const names = Object.keys(engines) as Engine[];
  const found = names.flatMap((name) => {
    const path = programPath(name, context.machine);
    return path === undefined ? [] : [{ name, path }];
  });
  if (found.length === 0)
    return [
      failed(
        "engines",
        "there is no terraform, tofu or pulumi on PATH",
        "Install one of them, or add its folder to PATH.",
      ),
    ];
  const checked = await Promise.all(found.map(({ name, path }) => checkEngine(name, path, context)));
  // Beside an engine that works, another one may be unused.
  const findings = checked.some(({ status }) => status === "ok")
    ? checked.map((finding) =>
        finding.status === "failed" ? { ...finding, status: "note" as const } : finding,
      )
    : checked;
  const has = (...wanted: readonly Engine[]) => found.some(({ name }) => wanted.includes(name));
  return [
    ...findings,
    ...(has("terraform", "tofu") ? [terraformPlugin(context)] : []),
    ...(has("pulumi") ? [pulumiPlugin(context)] : []),
  ];
}

async function checkEngine(name: Engine, path: string, { limit }: ProgramContext): Promise<Finding> {
  const shown = await versionOf(path, engines[name], limit);
  return "problem" in shown
    ? failed(name, shown.problem, `Install ${name} again, or remove it from PATH.`)
    : ok(name, `${shown.version}, ${path}`);
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** Looks for the provider of this machine in the mirrors that a CLI configuration names. */
function terraformPlugin({ machine, version }: ProgramContext): Finding {
  const check = "terraform plugin";
  const platform = platformOf(machine);
  const remedy = `kcloud install terraform --write installs ${version}.`;
  const found = configuredMirrors(homeOf(machine)).flatMap((mirror) => {
    const folder = folderIn(mirror);
    const versions = namesIn(folder).flatMap((name) => {
      const [packed] = /(?<=_)\d+\.\d+\.\d+[^_]*(?=_)/.exec(name) ?? [];
      if (packed !== undefined) return name === archiveOf(packed, platform) ? [packed] : [];
      return existsSync(join(folder, name, platform)) ? [name] : [];
    });
    return versions.map((one) => ({ version: one, mirror }));
  });
  const [first] = found;
  const same = found.find((one) => one.version === version);
  if (same !== undefined) return ok(check, `${version}, ${same.mirror}`);
  if (first === undefined)
    return note(check, "no filesystem mirror has it: terraform init asks the registry", remedy);
  return note(check, `${first.version}, ${first.mirror}; this command is ${version}`, remedy);
}

/** Returns true if the folder is no project of Pulumi, or one that may name the path of a plugin. */
function canNamePlugin(folder: string): boolean {
  const file = join(folder, "Pulumi.yaml");
  return !existsSync(file) || /\bplugins\b/.test(readFileSync(file, "utf8").replaceAll(/#.*$/gm, ""));
}

/** Looks for the plugin in the home of Pulumi and next to this command. */
export function pulumiPlugin({ machine, folder: project, version }: ProgramContext): Finding {
  const check = "pulumi plugin";
  const { program, executable } = machine;
  const where = pluginFolder(machine);
  const prefix = `resource-${provider}-v`;
  const versions = namesIn(where)
    .filter((name) => name.startsWith(prefix) && !/\.(lock|partial)$/.test(name))
    .map((name) => name.slice(prefix.length));
  if (versions.includes(version)) return ok(check, `${version}, ${where}`);
  const folder = [dirname(program), join(dirname(program), "dist")].find((one) =>
    existsSync(join(one, `pulumi-resource-${provider}`)),
  );
  if (executable === undefined && folder !== undefined && canNamePlugin(project))
    return ok(check, `${version}, ${folder}, for the path in Pulumi.yaml`);
  const [other] = versions;
  const remedy = `kcloud install pulumi installs ${version}.`;
  return other === undefined
    ? note(check, `${where} has no plugin of ${provider}`, remedy)
    : note(check, `${other}, ${where}; this command is ${version}`, remedy);
}
