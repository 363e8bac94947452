import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../../emulator/emulator.ts";
import type { Engine } from "../../../tools/engines/engine.ts";
import { type Folder, openFolder } from "./terraform.ts";

/** Emulator that engines reach, and a folder for their files. */
export interface Site {
  readonly emulator: Emulator;
  readonly url: string;
  readonly path: string;
  /** Returns a new empty folder within `path`. */
  folder(): Promise<string>;
  /** Opens a new folder of Terraform or OpenTofu, with the settings of the emulator and these. */
  open(engine: Engine, settings?: Settings): Promise<Folder>;
}

type Settings = Readonly<Record<string, string>>;

/** Returns an engine's text on one line, without the borders of a diagnostic. */
export const flat = (output: string): string => output.replaceAll(/[\s│╷╵]+/g, " ");

/** Returns the settings of the provider for an emulator, by their environment variables. */
export const settingsOf = (url: string) => ({
  SERVICE_BASE_URL: url,
  SERVICE_API_KEY: "emulator-key",
  SERVICE_REGION: "In-Bangalore-1",
  SERVICE_MAX_REQUESTS_PER_SECOND: "0",
});

/** Site that its user closes. */
export interface OpenedSite extends Site {
  close(): Promise<void>;
}

export async function startSite(emulator: Emulator): Promise<OpenedSite> {
  const { url, close } = await emulator.listen();
  const path = await mkdtemp(join(tmpdir(), "kcloud-site-"));
  const folder = () => mkdtemp(join(path, "work-"));
  return {
    emulator,
    url,
    path,
    folder,
    open: async (engine, settings = {}) =>
      openFolder(engine, await folder(), { ...settingsOf(url), ...settings }),
    async close() {
      await close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Calls `work` with a new site, and closes it afterwards. */
export async function withSite<T>(options: EmulatorOptions, work: (site: Site) => Promise<T>): Promise<T> {
  const { close, ...site } = await startSite(createEmulator({ taskMs: 50, ...options }));
  try {
    return await work(site);
  } finally {
    await close();
  }
}
