import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createEmulator } from "../../../emulator/emulator.ts";
import { terraformEngines } from "../../../tools/engines/engine.ts";
import { type Folder, openFolder, succeed, terraformAdapter } from "../../support/engine/terraform.ts";
import { environment } from "../lifecycle/lifecycle.ts";
import { fullStack } from "./stack.ts";

/** Refreshes of unchanged objects. Engines compare the private data of a refresh byte by byte. */

const engines = (await terraformEngines()).map(
  (engine) => [`${engine.name} ${engine.version}`, engine] as const,
);

interface StoredState {
  readonly resources: readonly {
    readonly type: string;
    readonly name: string;
    readonly instances: readonly { readonly private?: string }[];
  }[];
}

/** Returns the private data of each object in the state, by its address. */
async function privateData(folder: Folder): Promise<Readonly<Record<string, string | undefined>>> {
  const { resources } = JSON.parse(await succeed(folder, ["state", "pull"])) as StoredState;
  return Object.fromEntries(
    resources.map(({ type, name, instances }) => [`${type}.${name}`, instances[0]?.private]),
  );
}

test.each(engines)(
  "%s: no refresh changes private data: after the apply, after settle_seconds, and while listings lag",
  async (_, engine) => {
    const emulator = createEmulator({ taskMs: 50, assume: { podRead: "pod", sessionAttempts: 10_000 } });
    const server = await emulator.listen();
    const path = await mkdtemp(join(tmpdir(), "kcloud-refresh-"));
    try {
      const settings = environment(server.url);
      const workspace = await terraformAdapter(engine).open(path, settings);
      await workspace.write(fullStack);
      expect(await workspace.apply()).toMatchObject({ ok: true });
      const folder = await openFolder(engine, path, settings);
      const created = await privateData(folder);
      expect(created["kcloud_security_group.visitors"]).toEqual(expect.any(String));
      for (const [seconds, listingLagMs] of [
        ["120", 0],
        ["0", 0],
        ["3600", 3_600_000],
      ] as const) {
        emulator.configure({ listingLagMs });
        const options = { environment: { SERVICE_SETTLE_SECONDS: seconds } };
        await succeed(folder, ["apply", "-refresh-only", "-auto-approve"], options);
        expect(await privateData(folder)).toEqual(created);
      }
    } finally {
      await server.close();
      await rm(path, { recursive: true, force: true });
    }
  },
);
