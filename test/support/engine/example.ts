import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect } from "@jest/globals";
import { createEmulator } from "../../../emulator/emulator.ts";
import { leftover } from "../leftover.ts";
import { storageSettings } from "../storage-setting.ts";

/** Environment in which examples are run: an emulator and a folder for the files of engines. */
export interface ExampleRunner {
  /** Returns the folder; it exists from the first hook on. */
  folder(): string;
  /** Returns provider settings by their environment variables. */
  settings(): Readonly<Record<string, string>>;
  /**
   * Runs the commands of a lifecycle; throws if one fails. After a command whose first argument is `look` at least
   * `objects` objects exist; at the end none is left.
   */
  runLifecycle(
    commands: readonly (readonly string[])[],
    look: string,
    objects: number,
    run: (args: readonly string[]) => Promise<{ readonly code: number | null; readonly output: string }>,
  ): Promise<void>;
}

/** Opens a stage for the tests of a file; resets the emulator before each test. */
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
    async runLifecycle(commands, look, objects, run) {
      for (const args of commands) {
        const { code, output } = await run(args);
        if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${output}`);
        if (args[0] === look) expect(emulator.inventory.list().length).toBeGreaterThanOrEqual(objects);
      }
      // The API does not show when a pod is gone: its deletion may still be in progress.
      expect(leftover(emulator).filter(({ deletingAt }) => deletingAt === undefined)).toEqual([]);
    },
  };
}
