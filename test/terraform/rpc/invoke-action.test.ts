import { expect, test } from "@jest/globals";
import { actions } from "../../../functions/index.ts";
import { UNKNOWN, type Values } from "../../../provider/core/value.ts";
import { inputShape } from "../../../provider/terraform/codec/schema.ts";
import { encode } from "../../../provider/terraform/codec/value.ts";
import type { InvokeAction_Event } from "../../../provider/terraform/tfplugin6/tfplugin6.ts";
import { openCloud, requests } from "../../support/cloud.ts";
import { openProvider, texts } from "../../support/engine/provider.ts";
import { machineStatus, makeMachine } from "../../support/machine.ts";

const [start] = actions;
const configOf = (values: Values) => encode(values, inputShape(start?.fields ?? {}));

/** Opens a configured provider with a running instance. */
async function withMachine() {
  const cloud = openCloud();
  const provider = openProvider(cloud);
  expect(await provider.configure()).toEqual([]);
  const subnet = { name: "first", cidr: "10.0.0.0/24" };
  const vpc = await provider.apply("vpc", { name: "net", primarySubnet: subnet });
  const pause = () => cloud.run(cloud.session.ports.clock.sleep(1_000));
  const instanceId = await makeMachine(cloud.emulator, String(vpc.values?.id), pause);
  const invoke = (actionType: string, signal?: AbortSignal, config: Values = { instanceId }) =>
    cloud.run(provider.call("invokeAction", { actionType, config: configOf(config) }, signal));
  return { cloud, provider, instanceId, invoke };
}

const contentOf = ({ progress, completed }: InvokeAction_Event) =>
  completed === undefined ? progress?.message : texts(completed.diagnostics);

test("an action reports progress and ends with exactly one completed event", async () => {
  const { cloud, invoke, instanceId } = await withMachine();
  const events = (await invoke("kcloud_instance_stop")).map(contentOf);
  expect(events.at(0)).toBe("ACTIVE, requested, 0 s");
  expect(events.at(-1)).toEqual([]);
  expect(events.filter((event) => typeof event !== "string")).toHaveLength(1);
  expect(new Set(events).size).toBe(events.length);
  expect(await machineStatus(cloud.emulator, instanceId)).toBe("SHUTOFF");
});

test("a failed action ends with a completed event that contains the error, after its progress", async () => {
  const { cloud, invoke } = await withMachine();
  cloud.emulator.faults.add({ target: "control_instance", kind: "403", when: "before" });
  const events = await invoke("kcloud_instance_stop");
  expect(events).toHaveLength(1);
  expect(texts(events[0]?.completed?.diagnostics)[0]).toMatch(
    /^error: Stopping the instance failed: The API rejected the request\.\n/,
  );
});

test("a cancelled action ends with an error that has the known status", async () => {
  const { cloud, invoke } = await withMachine();
  cloud.emulator.configure({ taskMs: 3_600_000 });
  const stop = new AbortController();
  void cloud.emulator.clock.sleep(10_000).then(() => stop.abort());
  const began = cloud.elapsed();
  const last = (await invoke("kcloud_instance_restart", stop.signal)).at(-1);
  expect(texts(last?.completed?.diagnostics)[0]).toMatch(
    /^error: Restarting the instance failed: The API accepted the request, but does not show its result; last seen: REBOOT/,
  );
  expect(cloud.elapsed() - began).toBeLessThan(12_000);
});

test("planning and validating an action send no request, and unknown values are valid", async () => {
  const { cloud, provider } = await withMachine();
  const before = cloud.emulator.log.entries().length;
  const said = async (values: Values) => {
    const config = configOf(values);
    const actionType = "kcloud_instance_stop";
    const validated = await provider.one("validateActionConfig", { typeName: actionType, config });
    const planned = await provider.one("planAction", { actionType, config });
    expect(texts(planned.diagnostics)).toEqual(texts(validated.diagnostics));
    return texts(planned.diagnostics);
  };
  expect(await said({ instanceId: UNKNOWN })).toEqual([]);
  expect(await said({ instanceId: "krn:vpc:r:a:c:vpc:1" })).toEqual([
    "error: Invalid value for instance_id: instance_id: is the ID of a VPC, but the ID of an instance is required (at instance_id)",
  ]);
  expect(cloud.emulator.log.entries()).toHaveLength(before);
});

test("an invalid configuration stops an action before the first request", async () => {
  const { cloud, invoke } = await withMachine();
  const [only, ...more] = await invoke("kcloud_instance_stop", undefined, { instanceId: "***" });
  expect(texts(only?.completed?.diagnostics)).toEqual([
    "error: Invalid value for instance_id: instance_id: is masked (***); the full ID is required (at instance_id)",
  ]);
  expect(more).toEqual([]);
  expect(requests(cloud, "control_instance")).toEqual([]);
});

test("an action of an unconfigured provider ends with an error", async () => {
  const cloud = openCloud();
  const provider = openProvider(cloud);
  const config = configOf({ instanceId: "krn:x" });
  const [only] = await provider.call("invokeAction", { actionType: "kcloud_instance_stop", config });
  expect(texts(only?.completed?.diagnostics)).toEqual([
    "error: The provider is not configured: The engine sent no configuration.",
  ]);
});
