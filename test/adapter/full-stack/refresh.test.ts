import { expect, test } from "@jest/globals";
import { withSite } from "../../support/engine/site.ts";
import { type Folder, openFolder, succeed, terraformAdapter } from "../../support/engine/terraform.ts";
import { engines } from "../../support/engine/terraform-engine.ts";
import { environment } from "../lifecycle/lifecycle.ts";
import { fullStack } from "./stack.ts";

/** Refreshes of unchanged objects. Engines compare the private data of a refresh byte by byte. */

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
  (_, engine) =>
    withSite({ assume: { podRead: "pod", sessionAttempts: 10_000 } }, async ({ emulator, url, path }) => {
      const settings = environment(url);
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
    }),
);
