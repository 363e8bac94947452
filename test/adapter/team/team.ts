import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEmulator, type Emulator } from "../../../emulator/emulator.ts";
import { type Postgres, startPostgres } from "../../../tools/postgres/postgres.ts";
import { environment } from "../lifecycle/lifecycle.ts";
import type { Guide } from "./guide.ts";

/** A team whose machines share only the API and the states in a PostgreSQL database. */

export const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface Team {
  readonly emulator: Emulator;
  readonly postgres: Postgres;
  readonly guide: Guide;
  /** Opens a machine with an empty home folder, which is also its working folder. */
  machine(name: string, variables?: Variables): Promise<Machine>;
  /** Returns the ids of the existing VPCs and volumes. */
  existing(): string[];
  /** Ends all processes; deletes machines, objects and states. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Machine of one person or one CI job. */
export interface Machine {
  readonly path: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Starts a command of the guide. */
  start(command: string): Running;
  /** Runs a command of the guide to its end. `export NAME=VALUE` holds for all later commands. */
  run(command: string): Promise<Ended>;
  /** Runs a command of the guide that must end with 0; returns its output. */
  done(command: string): Promise<string>;
  /** Runs any shell command that must end with 0; returns its output. */
  sh(command: string): Promise<string>;
}

export interface Ended {
  /** Exit code; null after a signal. */
  readonly code: number | null;
  readonly output: string;
}

/** Process of an engine. */
export interface Running {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Waits for an event; throws with the output if the process ends first. */
  until(event: Promise<unknown>): Promise<void>;
  /** Waits until the process has printed a text. */
  printed(text: RegExp): Promise<void>;
  /** Sends a signal to the engine alone, not to its plugins. */
  signal(name: NodeJS.Signals): void;
}

/**
 * Starts an emulator and a PostgreSQL. `commands` are the paths of the commands on PATH, by their names; `spelled` converts a
 * command of the guide to the spelling of the engine under test.
 */
export async function openTeam(
  guide: Guide,
  commands: Readonly<Record<string, string>>,
  spelled: (command: string) => string = (command) => command,
): Promise<Team> {
  const postgres = await startPostgres();
  const emulator = createEmulator({ taskMs: 50 });
  const server = await emulator.listen();
  const folder = await mkdtemp(join(tmpdir(), "kcloud-team-"));
  const machines = join(folder, "machine");
  const bin = join(folder, "bin");
  await mkdir(bin);
  // Programs of Pulumi find their packages as if they were installed.
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  for (const [name, path] of Object.entries({ kcloud: join(root, "dist/kcloud"), ...commands }))
    await symlink(path, join(bin, name));

  const started = new Set<Running>();
  const launch = (command: string, cwd: string, env: Variables): Running => {
    const running = startShell(command, cwd, env);
    started.add(running);
    void running.ended.then(() => started.delete(running));
    return running;
  };
  const stopAll = async () => {
    for (const { pid } of started) process.kill(-pid, "SIGKILL");
    await Promise.all([...started].map(({ ended }) => ended));
  };

  return {
    emulator,
    postgres,
    guide,
    async machine(name, { PATH = process.env.PATH, ...more } = {}) {
      const path = join(machines, name);
      await mkdir(path, { recursive: true });
      const base = { ...environment(server.url), HOME: path, ...more, PATH: `${bin}${delimiter}${PATH}` };
      const env: Record<string, string | undefined> = base;
      const run: Machine["run"] = async (command) => {
        guide.ran(command);
        const [, variable, value] = /^export (\w+)=(.*)$/.exec(command) ?? [];
        if (variable === undefined) return launch(spelled(command), path, env).ended;
        env[variable] = value;
        return { code: 0, output: "" };
      };
      return {
        path,
        run,
        async write(files) {
          for (const [file, text] of Object.entries(files)) await writeFile(join(path, file), text);
        },
        start(command) {
          guide.ran(command);
          return launch(`exec ${spelled(command)}`, path, env);
        },
        done: async (command) => succeeded(command, await run(command)),
        sh: async (command) => succeeded(command, await launch(command, path, env).ended),
      };
    },
    existing: () =>
      emulator.inventory
        .list()
        .flatMap(({ kind, krn }) => (kind === "vpc" || kind === "volume" ? [krn] : []))
        .toSorted(),
    async reset() {
      await stopAll();
      await rm(machines, { recursive: true, force: true });
      emulator.reset();
      await postgres.query(
        "drop schema if exists terraform_remote_state cascade; drop table if exists pulumi_state",
      );
    },
    async close() {
      await stopAll();
      await server.close();
      await postgres.close();
      await rm(folder, { recursive: true });
    },
  };
}

function succeeded(command: string, { code, output }: Ended): string {
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`);
  return output;
}

function startShell(command: string, cwd: string, env: Variables): Running {
  // A separate process group, which a test can end with all child processes of the engine.
  const child = spawn("sh", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let output = "";
  const take = (part: Buffer) => {
    output += part;
    child.emit("printed");
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
  const until: Running["until"] = async (event) => {
    const first = await Promise.race([event.then(() => undefined), ended]);
    if (first !== undefined) throw new Error(`${command} ended with ${first.code}:\n${first.output}`);
  };
  return {
    pid: child.pid ?? 0,
    ended,
    until,
    printed: (text) =>
      until(
        new Promise<void>((resolve) => {
          const check = () => text.test(output) && resolve();
          child.on("printed", check);
          check();
        }),
      ),
    signal: (name) => child.kill(name),
  };
}
