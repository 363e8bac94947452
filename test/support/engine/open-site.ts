import { afterAll, beforeAll, beforeEach } from "@jest/globals";
import { createEmulator, type EmulatorOptions } from "../../../emulator/emulator.ts";
import { type OpenedSite, type Site, startSite } from "./site.ts";

/**
 * Registers hooks that open a site for the tests of a file or of a `describe`, and returns it. Its emulator is empty before each
 * test, with its first settings, unless the tests continue each other.
 */
export function openSite(options: EmulatorOptions = {}, { isContinued = false } = {}): Site {
  const emulator = createEmulator({ taskMs: 50, ...options });
  const settings = emulator.settings();
  let site: OpenedSite;
  beforeAll(async () => {
    site = await startSite(emulator);
  });
  afterAll(() => site.close());
  if (!isContinued)
    beforeEach(() => {
      emulator.reset();
      emulator.configure(settings);
    });
  return {
    emulator,
    get url() {
      return site.url;
    },
    get path() {
      return site.path;
    },
    folder: () => site.folder(),
    open: (engine, more) => site.open(engine, more),
  };
}
