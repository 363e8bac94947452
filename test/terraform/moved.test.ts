import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { terraformType } from "../../provider/core/name.ts";
import { withWorkspace } from "../adapter/stored-state.ts";
import { mirrorPlugin, terraformAdapter } from "../support/engine/terraform.ts";
import { engines } from "../support/engine/terraform-engine.ts";
import { type Older, olderSource, olderType, openOlder } from "../support/older-provider.ts";

/** Tests `moved` blocks in the real engines, with a state of the older provider. */

const stateOf = (older: readonly Older[], source: string) => ({
  version: 4,
  terraform_version: "1.5.7",
  serial: 7,
  lineage: "6f1d9a5e-0d55-4c8b-9a6c-1f6a4f2f7a11",
  outputs: {},
  resources: older.map(({ suffix, kind, attributes }) => ({
    mode: "managed",
    type: olderType(suffix),
    name: kind,
    provider: `provider["${source}"]`,
    instances: [{ schema_version: 0, attributes, sensitive_attributes: [] }],
  })),
});

const moves = (older: readonly Older[]) =>
  older.map(({ suffix, kind }) => ({
    from: `${olderType(suffix)}.${kind}`,
    to: `${terraformType(kind)}.${kind}`,
  }));

/** Returns the id in the API: the older provider stored a longer id for SSH keys (docs/contract.md#1.4). */
const idOf = ({ kind, attributes: { id } }: Older) =>
  kind === "ssh-key" ? String(id).split(":").at(-1) : id;

test.each(engines)(
  "%s moves every type of the older provider, replaces nothing, and has nothing to do afterwards",
  async (_, engine) => {
    const cloudFolder = await mkdtemp(join(tmpdir(), "kcloud-older-"));
    const cloudState = join(cloudFolder, "cloud.json");
    const { older } = await openOlder({ state: cloudState });
    await withWorkspace(terraformAdapter(engine), cloudState, async (workspace, folder) => {
      const source = olderSource(engine.name === "opentofu" ? "opentofu" : "terraform");
      // An engine installs and starts every provider that the state names, so the plugin is available under that name.
      await mirrorPlugin(folder, source);
      await writeFile(join(folder, "terraform.tfstate"), JSON.stringify(stateOf(older, source)));
      await writeFile(join(folder, "moved.tf.json"), JSON.stringify({ moved: moves(older) }));
      await workspace.write(
        older.map(({ kind, config }) => ({ name: kind, resource: kind, inputs: config })),
      );
      // The update only records a field that neither the older state nor the API has; it sends no request.
      expect(await workspace.plan()).toEqual({ "floating-ip": "update" });
      const { ok, output } = await workspace.apply();
      expect([ok, output]).toEqual([true, expect.stringContaining("0 added, 1 changed, 0 destroyed")]);
      await rm(join(folder, "moved.tf.json"));
      expect(await workspace.plan()).toEqual({});
      expect(await workspace.ids()).toEqual(Object.fromEntries(older.map((one) => [one.kind, idOf(one)])));
    });
    await rm(cloudFolder, { recursive: true });
  },
);
