import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Engine } from "../../../tools/engines/engine.ts";
import type { Recorded, Recorder } from "./recording.ts";
import type { Running } from "./running.ts";
import type { Command, Part } from "./scene.ts";
import { createScript } from "./script.ts";
import { serve, source } from "./terraform-provider.ts";

/** Records commands of Terraform and OpenTofu. */

/** Returns the configuration of a stack. */
function configuration(parts: readonly Part[]): object {
  const resource: Record<string, Record<string, object>> = {};
  const typeOf = new Map(parts.map(({ name, type }) => [name, `recorded_${type}`]));
  const idOf = (name: string) => `\${${typeOf.get(name)}.${name}.id}`;
  for (const { name, type, within, uses, ...numbers } of parts) {
    const inputs = { ...numbers, name, within: within.map(idOf), uses: uses.map(idOf) };
    const lifecycle = type === "early" ? { lifecycle: { create_before_destroy: true } } : {};
    resource[`recorded_${type}`] = { ...resource[`recorded_${type}`], [name]: { ...inputs, ...lifecycle } };
  }
  const terraform = { required_providers: { recorded: { source } } };
  return parts.length === 0 ? { terraform } : { terraform, resource };
}

interface StateFile {
  readonly resources?: readonly {
    readonly name: string;
    readonly instances: readonly {
      readonly attributes: { readonly id: string };
      readonly status?: string;
      readonly deposed?: string;
    }[];
  }[];
}

/** Returns the objects of the state: id, `!` after a tainted one, `~` before a deposed one. */
async function endOf(folder: string): Promise<Record<string, string>> {
  const text = await readFile(join(folder, "terraform.tfstate"), "utf8").catch(() => "{}");
  const { resources = [] } = JSON.parse(text) as StateFile;
  return Object.fromEntries(
    resources.map(({ name, instances }) => [
      name,
      instances
        .map(({ attributes: { id }, status, deposed }) =>
          deposed === undefined ? `${id}${status === "tainted" ? "!" : ""}` : `~${id}`,
        )
        .toSorted()
        .join(" "),
    ]),
  );
}

const ms = (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time));

/** Time in ms without a call after which the engine waits for the held calls. */
const quietMs = 250;
/** Time in ms between the ends of two held calls. */
const turnMs = 120;

/** Opens a recorder of one stack, whose files are in the folder. */
export async function openTerraform(engine: Engine, folder: string): Promise<Recorder> {
  let running: Running | undefined;
  const provider = await serve(() => {
    if (running === undefined) throw new Error("no command is running");
    return running;
  });
  const environment = {
    ...process.env,
    ...engine.env,
    ...provider.environment,
    TF_IN_AUTOMATION: "1",
    TF_INPUT: "0",
    CHECKPOINT_DISABLE: "1",
    TF_CLI_CONFIG_FILE: "/dev/null",
  };
  let end: Record<string, string> = {};
  const exec = async (args: readonly string[], withChild: (kill: () => void) => void = () => {}) => {
    const child = spawn(engine.path, args, {
      cwd: folder,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    withChild(() => child.kill("SIGINT"));
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (part) => {
        output += part;
      });
    const [code] = await once(child, "close");
    return { code: code as number | null, output };
  };
  let isInitialized = false;
  return {
    async run(command: Command): Promise<Recorded> {
      await writeFile(join(folder, "main.tf.json"), JSON.stringify(configuration(command.parts)));
      const old = new Set(
        Object.values(end).flatMap((ids) =>
          ids.split(" ").flatMap((id) => (id.startsWith("~") ? [id.slice(1)] : [])),
        ),
      );
      let kill = () => {};
      let onStop = () => {};
      const script = createScript(command, {
        pause: () => ms(quietMs),
        turn: (nth) => ms(nth * turnMs),
        interrupt: () =>
          new Promise((resolve) => {
            onStop = resolve;
            kill();
          }),
      });
      running = { script, old, onStop: () => onStop() };
      if (!isInitialized) {
        const { code, output } = await exec(["init", "-no-color"]);
        if (code !== 0) throw new Error(`init ended with ${code}:\n${output}`);
        isInitialized = true;
      }
      const args =
        command.action === "refresh"
          ? ["apply", "-refresh-only"]
          : ["apply", ...(command.refresh ? [] : ["-refresh=false"])];
      const { code, output } = await exec([...args, "-auto-approve", "-no-color"], (interrupt) => {
        kill = interrupt;
      });
      if (code !== 0 && code !== 1) throw new Error(`${args.join(" ")} ended with ${code}:\n${output}`);
      end = await endOf(folder);
      return { calls: script.calls(), end, ...(/Cycle:/.test(output) ? { cycle: true } : {}), output };
    },
    close: () => provider.close(),
  };
}
