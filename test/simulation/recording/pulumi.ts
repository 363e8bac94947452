import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Engine } from "../../../tools/engines/engine.ts";
import { nameOf, openProject } from "../../support/engine/pulumi.ts";
import { serve, token } from "./pulumi-provider.ts";
import type { Recorded, Recorder } from "./recording.ts";
import type { Running } from "./running.ts";
import type { Command, Part } from "./scene.ts";
import { createScript } from "./script.ts";

/** Records commands of Pulumi with programs in YAML. */

/** Returns project and program as one file; all JSON is YAML. */
function program(parts: readonly Part[]): string {
  const idOf = (name: string) => `\${${name}.id}`;
  const resources = parts.map(({ name, type, within, uses, ...numbers }) => [
    name,
    { type: token(type), properties: { ...numbers, name, within: within.map(idOf), uses: uses.map(idOf) } },
  ]);
  return JSON.stringify({
    name: "proj",
    runtime: "yaml",
    plugins: { providers: [{ name: "recorded", path: "./plugin" }] },
    resources: Object.fromEntries(resources),
  });
}

interface StateFile {
  readonly checkpoint: {
    readonly latest?: {
      readonly resources?: readonly {
        readonly urn: string;
        readonly type: string;
        readonly id?: string;
        readonly delete?: boolean;
        readonly pendingReplacement?: boolean;
        readonly initErrors?: readonly string[];
      }[];
    };
  };
}

/**
 * Returns the objects of the state: id, `!` after one with init errors, `~` before one that is to be deleted, `-` before
 * one that was deleted and is to be created again.
 */
async function endOf(folder: string): Promise<Record<string, string>> {
  const text = await readFile(join(folder, ".pulumi/stacks/proj/dev.json"), "utf8");
  const { resources = [] } = (JSON.parse(text) as StateFile).checkpoint.latest ?? {};
  const end: Record<string, string[]> = {};
  for (const { urn, type, id, delete: isOld, pendingReplacement, initErrors = [] } of resources) {
    if (!type.startsWith("recorded:")) continue;
    const part = nameOf(urn);
    end[part] = [
      ...(end[part] ?? []),
      isOld ? `~${id}` : `${pendingReplacement ? "-" : ""}${id}${initErrors.length > 0 ? "!" : ""}`,
    ];
  }
  return Object.fromEntries(Object.entries(end).map(([part, ids]) => [part, ids.toSorted().join(" ")]));
}

const ms = (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time));

/** Time in ms without a call after which the engine waits for the held calls. */
const quietMs = 350;
/** Time in ms between the ends of two held calls. */
const turnMs = 120;

/** Opens a recorder of one stack, whose files are in the folder. */
export async function openPulumi(engine: Engine, folder: string): Promise<Recorder> {
  let running: Running | undefined;
  const provider = await serve(() => {
    if (running === undefined) throw new Error("no command is running");
    return running;
  });
  const project = await openProject(engine, join(folder, "project"), {
    PULUMI_DEBUG_PROVIDERS: `recorded:${provider.port}`,
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  });
  const executable = join(project.path, "plugin", "pulumi-resource-recorded");
  await mkdir(join(project.path, "plugin"));
  await writeFile(executable, "#!/bin/sh\nexit 1\n");
  await chmod(executable, 0o755);
  let end: Record<string, string> = {};
  return {
    async run(command: Command): Promise<Recorded> {
      await writeFile(join(project.path, "Pulumi.yaml"), program(command.parts));
      const old = new Set(
        Object.values(end).flatMap((ids) =>
          ids.split(" ").flatMap((id) => (id.startsWith("~") ? [id.slice(1)] : [])),
        ),
      );
      let send: ((name: NodeJS.Signals) => void) | undefined;
      let onStop = () => {};
      const script = createScript(command, {
        pause: () => ms(quietMs),
        turn: (nth) => ms(nth * turnMs),
        interrupt: () =>
          new Promise((resolve, reject) => {
            onStop = resolve;
            if (send === undefined) reject(new Error("the engine printed nothing yet"));
            else send("SIGINT");
          }),
      });
      running = { script, old, onStop: () => onStop() };
      const args =
        command.action === "refresh" ? ["refresh"] : ["up", ...(command.refresh ? ["--refresh"] : [])];
      const { output } = await project.run([...args, "--yes", "--skip-preview"], {
        watch: (_, signal) => {
          send = signal;
        },
      });
      end = await endOf(project.path);
      return { calls: script.calls(), end, output };
    },
    async close() {
      provider.close();
    },
  };
}
