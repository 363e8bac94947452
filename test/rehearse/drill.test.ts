import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createEmulator } from "../../emulator/emulator.ts";
import { drill } from "../../rehearse/drill.ts";
import { type Engine, RehearsalError } from "../../rehearse/engine/engine.ts";
import { ensureEngine } from "../../tools/engines/engine.ts";
import { openSite } from "../support/engine/open-site.ts";
import { applied, network, rehearse, write } from "./run.ts";

/** Drill of faults with a real engine. */

const terraform = await ensureEngine("terraform");
const site = openSite();

test("a drill fails each request of the apply once, and the next run converges", async () => {
  const folder = await applied(site, terraform, network);
  const disk = `resource "kcloud_volume" "d" {\n  vpc_id = kcloud_vpc.net.id\n  name = "d"\n  size_gb = 5\n  volume_type = "ssd"\n}\n`;
  await write(folder, network.replace('"first"', '"second"') + disk);
  const times = join(site.path, "times.json");
  await writeFile(
    times,
    JSON.stringify({ version: 1, steps: { "volume create": { seconds: 12, count: 1 } } }),
  );
  const { code, rehearsal, stdout } = await rehearse(site, terraform, folder, {
    args: ["--fault-drill", "--seed", "7", "--times", times],
  });
  expect(code).toBe(0);
  expect(rehearsal.drill?.seed).toBe(7);
  const runs = rehearsal.drill?.runs ?? [];
  expect(runs.map(({ request }) => request)).toEqual(
    expect.arrayContaining(["create_volume 1", "create_rule 1", "delete_rule 1"]),
  );
  // No listing has a rule whose create has no response, as it is in no group.
  expect(runs.filter(({ fault, problem }) => problem !== undefined || fault.startsWith("none"))).toEqual([
    {
      ...{ request: "create_rule 1", fault: "after-reset" },
      problem:
        "after the next run, the cloud has other objects: unattached security_group_rule * (1 instead of 0)",
    },
  ]);
  expect(stdout).toContain("Drill with the seed 7: 5 requests failed once:\n  create_rule 1, after-reset: ");
  const seconds = rehearsal.steps.map(({ address, seconds }) => [address, seconds]);
  expect(Object.fromEntries(seconds)).toMatchObject({ "kcloud_volume.d": 12 });
  expect(rehearsal.unknown).toEqual([
    "quotas, capacity and prices for what is created: 1 security-group-rule, 1 volume",
  ]);
});

test("an engine that cannot plan after a fault is a problem of that run, and the drill goes on", async () => {
  const emulator = createEmulator();
  const plans: string[] = [];
  const engine = {
    async plan(name: string) {
      plans.push(name);
      if (name === "next") throw new RehearsalError("plan failed with exit code 1:\nbusy");
      return { changes: [] };
    },
    apply: async () => ({ isComplete: false, steps: [], errors: [] }),
  } as unknown as Engine;
  const execution = { operation: "create_vpc", changes: true, status: 202, objects: [], decisions: [] };
  const executions = [execution, execution];
  const runs = await drill(engine, { seed: 1, emulator, executions, restart: async () => {} });
  expect(runs.map(({ request, problem }) => [request, problem])).toEqual([
    ["create_vpc 1", "the engine fails: plan failed with exit code 1:\nbusy"],
    ["create_vpc 2", "the engine fails: plan failed with exit code 1:\nbusy"],
  ]);
  expect(plans).toEqual(["drill", "next", "drill", "next"]);
});
