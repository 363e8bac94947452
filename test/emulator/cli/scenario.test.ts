import { expect, test } from "@jest/globals";
import { makeScenario, ScenarioError, scenarioAge } from "../../../emulator/cli/scenario.ts";
import type { EmulatorOptions } from "../../../emulator/emulator.ts";
import { cloud } from "../client.ts";

/** Makes the account in an emulator on a manual clock. */
async function openAccount(options: EmulatorOptions = {}) {
  const emulator = cloud(options);
  const { advance, now } = emulator.clock;
  const start = now();
  await makeScenario("existing-account", { emulator, region: "In-Bangalore-1", advance });
  return { emulator, elapsed: now() - start };
}

const namesIn = ({ inventory }: Awaited<ReturnType<typeof openAccount>>["emulator"]) =>
  Map.groupBy(inventory.list(), ({ kind }) => kind);

test("the account has objects of every kind that can be listed without a setting, and none of them is new", async () => {
  const { emulator, elapsed } = await openAccount();
  const count = [...namesIn(emulator)].map(([kind, items]) => `${items.length} ${kind}`);
  expect(count.toSorted()).toEqual([
    ...[
      "1 access_key",
      "1 bucket_policy",
      "1 image",
      "1 inference_task",
      "1 lifecycle_rule",
      "1 security_group_rule",
      "1 template",
    ],
    ...["13 volume", "2 bucket", "2 floating_ip", "2 network", "2 ssh_key", "2 volume_attachment", "2 vpc"],
    ...["4 security_group", "4 subnet", "7 instance", "9 port"],
  ]);
  expect(emulator.log.entries()).toEqual([]);
  // The clock of the machine is caught up by the rest.
  expect(scenarioAge - elapsed).toBeGreaterThan(86_400_000);
});

test("an instance and a volume of the account failed, and some volumes are in use by nothing", async () => {
  const { emulator } = await openAccount();
  const vpc = emulator.inventory.list().find(({ kind }) => kind === "vpc")?.krn ?? "";
  const { body: volumes } = await emulator.call("GET /kbs/v1/volumes", { headers: { "k-tenant-id": vpc } });
  const states = Map.groupBy(volumes as { name: string; state: string }[], ({ state }) => state);
  expect([...states].map(([state, all]) => [state, all.map(({ name }) => name)])).toEqual([
    ["in-use", ["web01-boot", "web02-boot", "db-boot", "nightly-boot", "orders", "Rechnungen 2024"]],
    ["available", ["Copy of orders", "データ"]],
    ["error", ["restore-of-may-fails"]],
  ]);
  const { body } = await emulator.call(`GET /vm/v1/search_instances?vpc_id=${encodeURIComponent(vpc)}`);
  const instances = (body as { instances: { instanceName: string; status: string }[] }).instances;
  expect(JSON.stringify(instances)).toContain("ERROR");
});

test("an emulator with objects keeps them alone", async () => {
  const { emulator } = await openAccount();
  const [removed] = emulator.inventory.list();
  emulator.inventory.remove(removed?.krn ?? "");
  const before = emulator.inventory.list();
  await makeScenario("existing-account", {
    emulator,
    region: "In-Bangalore-1",
    advance: emulator.clock.advance,
  });
  expect(emulator.inventory.list()).toEqual(before);
});

test("latency, a rate limit and a long task change nothing in the account", async () => {
  const usual = await openAccount();
  const slow = await openAccount({ latencyMs: 5_000, rateLimit: 1, taskMs: 100_000_000 });
  const shown = ({ emulator }: typeof usual) =>
    emulator.inventory.list().map(({ kind, name, krn }) => [kind, name, krn]);
  expect(shown(slow)).toEqual(shown(usual));
  expect(slow.emulator.settings().latencyMs).toBe(5_000);
});

test("a scenario that cannot be made leaves no object", async () => {
  const emulator = cloud({ assume: { userDataForm: "base64" } });
  const { advance } = emulator.clock;
  const making = makeScenario("existing-account", { emulator, region: "In-Bangalore-1", advance });
  await expect(making).rejects.toThrow("create_instance is answered 400: user_data: must be base64");
  expect(emulator.inventory.list()).toEqual([]);
});

test("settings with which the API refuses a request of the scenario are an error", async () => {
  await expect(openAccount({ assume: { vpcNeedsGroup: true } })).rejects.toThrow(
    new ScenarioError(
      "existing-account",
      "create_vpc is answered 400: security_group: required; security_group_rule: required",
    ),
  );
});
