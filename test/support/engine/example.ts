import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect } from "@jest/globals";
import type { InventoryItem } from "../../../emulator/admin/inventory.ts";
import { createEmulator } from "../../../emulator/emulator.ts";
import { leftover } from "../leftover.ts";
import { storageSettings } from "../storage-setting.ts";

/** Environment in which a test file runs examples: an emulator, and a folder for the files of engines. */
export interface ExampleRunner {
  /** Returns the folder, which a `beforeAll` hook creates. */
  folder(): string;
  /** Returns provider settings by their environment variables. */
  settings(): Readonly<Record<string, string>>;
  /** Returns the objects that exist now. */
  inventory(): readonly InventoryItem[];
  /**
   * Runs the commands of a lifecycle; throws if one fails. Expects at least `objects` objects after a command whose first
   * argument is `checked`, and none at the end.
   */
  runLifecycle(
    commands: readonly (readonly string[])[],
    checked: string,
    objects: number,
    run: (args: readonly string[]) => Promise<{ readonly code: number | null; readonly output: string }>,
  ): Promise<void>;
}

/** Registers hooks that open the environment for a test file, and reset the emulator before each test. */
export function openExampleRunner(
  prepare: (folder: string) => Promise<void> = async () => {},
): ExampleRunner {
  const emulator = createEmulator({ taskMs: 200 });
  let server: Awaited<ReturnType<typeof emulator.listen>>;
  let folder: string;
  beforeAll(async () => {
    server = await emulator.listen();
    folder = await mkdtemp(join(tmpdir(), "kcloud-examples-"));
    await prepare(folder);
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => emulator.reset());
  return {
    folder: () => folder,
    settings: () => ({
      SERVICE_BASE_URL: server.url,
      SERVICE_API_KEY: "emulator-key",
      SERVICE_REGION: "In-Bangalore-1",
      ...storageSettings(server.url),
    }),
    inventory: () => emulator.inventory.list(),
    async runLifecycle(commands, checked, objects, run) {
      for (const args of commands) {
        const { code, output } = await run(args);
        if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${output}`);
        if (args[0] === checked) expect(emulator.inventory.list().length).toBeGreaterThanOrEqual(objects);
      }
      // The API does not show the end of a pod's deletion, so it may still be in progress.
      expect(leftover(emulator).filter(({ deletingAt }) => deletingAt === undefined)).toEqual([]);
    },
  };
}
