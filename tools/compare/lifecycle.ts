import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Adapter, StoredObject } from "./adapter.ts";
import { type Exchange, startProxy } from "./proxy.ts";
import type { Revision } from "./revision.ts";
import { type Stages, storageSettings } from "./stack.ts";

/** Object of the emulator, as its admin API lists it. */
export interface CloudObject {
  readonly krn: string;
  readonly kind: string;
  readonly name?: string;
}

/** Operation of the emulator's API. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Query parameters that distinguish operations with the same path. */
  readonly select?: Readonly<Record<string, string>>;
}

/** Command of an engine and the requests that it caused. */
export interface Stage {
  readonly name: string;
  /** Planned changes if the command is a plan; else empty. */
  readonly planned: readonly string[];
  readonly exchanges: readonly Exchange[];
  /** Name in the program and id of each object in the state after the command. */
  readonly ids: readonly (readonly [name: string, id: string])[];
  /** Objects of the emulator after the command. */
  readonly objects: readonly CloudObject[];
}

export interface Lifecycle {
  readonly operations: readonly Operation[];
  readonly stages: readonly Stage[];
  /** State of the engine after the create. */
  readonly state: readonly StoredObject[];
}

/**
 * Creates, plans, updates and destroys the full stack through one adapter, with provider and emulator of one revision.
 * Returns the recorded requests and states.
 */
export async function recordLifecycle(
  revision: Revision,
  adapter: Adapter,
  { created, updated }: Stages,
): Promise<Lifecycle> {
  const folder = await mkdtemp(join(tmpdir(), "kcloud-compare-"));
  const emulator = await startEmulator(revision);
  try {
    const proxy = await startProxy(emulator.url);
    try {
      const settings = {
        SERVICE_BASE_URL: proxy.url,
        SERVICE_API_KEY: "emulator-key",
        SERVICE_REGION: "In-Bangalore-1",
        SERVICE_MAX_REQUESTS_PER_SECOND: "0",
        SERVICE_SETTLE_SECONDS: "1",
        // One-time passwords come directly from the emulator, since the requests for them are not sent by the provider.
        ...storageSettings(emulator.url),
      };
      const project = await adapter.open(revision, join(folder, "project"), settings);
      const stages: Stage[] = [];
      const finish = async (name: string, planned: readonly string[] = []) => {
        const objects = await emulator.ask<CloudObject[]>("/_emulator/state");
        stages.push({ name, planned, exchanges: proxy.take(), ids: await project.ids(), objects });
      };
      await project.write(created);
      await project.apply();
      await finish("create");
      const state = await project.state();
      await finish("plan", await project.plan());
      await project.write(updated);
      await project.apply();
      await finish("update");
      await finish("plan again", await project.plan());
      await project.destroy();
      await finish("destroy");
      return { operations: await emulator.ask<Operation[]>("/_emulator/operations"), stages, state };
    } finally {
      await proxy.close();
    }
  } finally {
    await emulator.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts the emulator of a revision on a free port. */
async function startEmulator({ root }: Revision) {
  const options = ["--task-ms", "50", "--assume", "podRead=pod", "--assume", "sessionAttempts=10000"];
  const child = spawn(process.execPath, [join(root, "dist/kcloud"), "emulator", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    lines.once("line", resolve);
    lines.once("close", () => reject(new Error(`the emulator of ${root} did not start`)));
  });
  return {
    url,
    async ask<T>(path: string): Promise<T> {
      return (await (await fetch(new URL(path, url))).json()) as T;
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
