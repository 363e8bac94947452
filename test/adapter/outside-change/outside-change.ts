import { expect } from "@jest/globals";
import { type Emulator, realClock } from "../../../emulator/emulator.ts";
import { withSite } from "../../support/engine/site.ts";
import type { Stack } from "../adapter.ts";
import { environment } from "../lifecycle/lifecycle.ts";

/** Changes that somebody makes in the console between a run and the next one, which does not refresh. */

/** Returns a public bucket with a tag, and a volume. */
export const stackOf = (tier: string, volume: string): Stack => [
  { name: "net", resource: "vpc", inputs: { name: "net" } },
  { name: "store", resource: "bucket", inputs: { name: "store", anonymousAccess: true, tags: { tier } } },
  {
    name: "data",
    resource: "volume",
    inputs: { vpcId: { ref: "net", property: "id" }, name: volume, sizeGb: 10, volumeType: "ssd" },
  },
];

/** Time in ms by which the clock of the emulator is ahead of that of the machine. */
let ahead = 0;

/**
 * Calls `work` with an emulator, an empty folder, and the settings of the provider for both. Every change in the console comes
 * a minute after the last run, so that its writes have settled, however fast an engine starts.
 */
export async function withConsole(
  work: (emulator: Emulator, folder: string, settings: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const clock = realClock();
  await withSite({ clock: { ...clock, now: () => clock.now() + ahead } }, ({ emulator, url, path }) =>
    work(emulator, path, { ...environment(url), SERVICE_SETTLE_SECONDS: "1" }),
  );
}

const only = (emulator: Emulator, ofKind: string) => {
  const [row] = emulator.inventory.list().filter(({ kind }) => kind === ofKind);
  if (row === undefined) throw new Error(`no ${ofKind}`);
  return row;
};

/** Closes the bucket, turns its versioning on, and writes description and labels of the volume. */
export function changeInConsole(emulator: Emulator, by: string): void {
  ahead += 60_000;
  emulator.inventory.change(only(emulator, "bucket").krn, { anonymous: false, versioning: true });
  emulator.inventory.change(only(emulator, "volume").krn, { description: by, metadata: { by } });
}

/** Expects the planned values, and those of the console in all other fields. */
export function expectKept(emulator: Emulator, tier: string, volume: string, by: string): void {
  expect(only(emulator, "bucket")).toMatchObject({ anonymous: false, versioning: true, tags: { tier } });
  expect(only(emulator, "volume")).toMatchObject({ name: volume, description: by, metadata: { by } });
}
