import { expect, test } from "@jest/globals";
import { terraformEngines } from "../../../tools/engines/engine.ts";
import { withSite } from "../../support/engine/site.ts";
import { terraformAdapter } from "../../support/engine/terraform.ts";
import type { Stack } from "../adapter.ts";
import { environment } from "../lifecycle/lifecycle.ts";

/** Two concurrent real runs with the same access key, which has one object session at a time. */

const bucketId = { ref: "bucket", property: "id" };
const stackOf = (name: string): Stack => [
  { name: "bucket", resource: "bucket", inputs: { name } },
  ...Array.from({ length: 20 }, (_, nth) => ({
    name: `part_${nth}`,
    resource: "object",
    inputs: { bucketId, key: `${nth}.txt`, content: `${nth}` },
  })),
];

for (const adapter of (await terraformEngines()).map((engine) => terraformAdapter(engine)))
  test(`two runs of ${adapter.name} with one access key write twenty objects each, and both plans are empty afterwards`, () =>
    withSite({ latencyMs: 300 }, async ({ emulator, url, folder }) => {
      const runs = await Promise.all(
        ["plan", "apply"].map(async (name) => {
          const workspace = await adapter.open(await folder(), environment(url));
          await workspace.write(stackOf(name));
          return workspace;
        }),
      );
      const results = await Promise.all(runs.map((workspace) => workspace.apply()));
      expect(results.flatMap(({ ok, output }) => (ok ? [] : [output]))).toEqual([]);
      expect(emulator.inventory.list().filter(({ kind }) => kind === "object")).toHaveLength(40);
      expect(emulator.log.entries({ operation: "activate_session" }).length).toBeGreaterThan(2);
      expect(await Promise.all(runs.map((workspace) => workspace.plan()))).toEqual([{}, {}]);
    }));
