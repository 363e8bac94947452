import { expect, test } from "@jest/globals";
import type { InputError } from "../../provider/core/error.ts";
import { UNKNOWN, type Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { live, resource } from "../support/cloud.ts";
import { type Kept, openProvider, type Provider } from "../support/engine/provider.ts";
import { openNetwork } from "../support/instance-world.ts";

/** Tests plans of resources that set the security groups of one port. */

async function openPort() {
  const { cloud, vpcId, written } = await openNetwork({ taskMs: 0 });
  const [first] = written.securityGroups as string[];
  const second = String((await cloud.run(cloud.create("security-group", { vpcId, name: "other" }))).id);
  const start = async () => {
    const provider = openProvider(cloud);
    expect(await provider.configure()).toEqual([]);
    return provider;
  };
  const provider = await start();
  const machineWith = (...securityGroups: unknown[]) => ({ ...written, securityGroups }) as Values;
  const machine = await provider.apply("instance", machineWith(first));
  const portId = String(machine.values?.portId);
  const groupsWith = (...securityGroups: unknown[]) => ({ portId, securityGroups }) as Values;
  await provider.configure();
  const groups = await provider.apply("port-security-groups", groupsWith(second));
  expect([machine.diagnostics, groups.diagnostics]).toEqual([[], []]);
  await cloud.run(cloud.session.ports.clock.sleep(600_000));
  return { cloud, written, first, second, portId, start, machine, groups, machineWith, groupsWith };
}

type Port = Awaited<ReturnType<typeof openPort>>;

const refused = (by: string, portId: string) =>
  `error: Two resources set one list: security_groups: differs from the list that ${by} of this configuration sets for the port ${portId}: each run would undo the other. Add lifecycle { ignore_changes = [security_groups] } to the instance "web" (at security_groups)`;

/** Plans both resources, the machine first or last; returns the diagnostics in this order. */
async function both({ start, groups }: Port, machine: readonly [Values, Kept], list: Values, isLast = false) {
  const provider = await start();
  const plans = [
    (of: Provider) => of.plan("instance", ...machine),
    (of: Provider) => of.plan("port-security-groups", list, groups),
  ];
  const shown: (readonly string[])[] = [];
  for (const plan of isLast ? plans.toReversed() : plans) shown.push((await plan(provider)).diagnostics);
  return shown;
}

test("an instance that takes back the groups which port_security_groups sets is an error of the plan, in either order", async () => {
  const port = await openPort();
  const { start, machine, first, second, portId, machineWith, groupsWith } = port;
  const seen = await (await start()).read("instance", machine);
  expect(seen.values?.securityGroups).toEqual([second]);
  const other = refused('the instance "web"', portId);
  expect(await both(port, [machineWith(first), seen], groupsWith(second))).toEqual([[], [other]]);
  expect(await both(port, [machineWith(first), seen], groupsWith(second), true)).toEqual([
    [],
    [refused("the port security groups", portId)],
  ]);
  // Another spelling of the port, a list that port_security_groups changes too, and the state before a refresh.
  const spelled = { ...groupsWith(second), portId: portId.replace("In-Bangalore-1", "in-bangalore-1") };
  expect((await both(port, [machineWith(first), seen], spelled)).flat().join()).toContain(
    "Two resources set one list",
  );
  expect(await both(port, [machineWith(first), seen], groupsWith(first, second))).toEqual([[], [other]]);
  expect(await both(port, [machineWith(first, second), machine], groupsWith(second))).toEqual([[], [other]]);
});

test("two port_security_groups with different lists for one port are an error of the second plan", async () => {
  const { start, second, first, portId, groups, groupsWith } = await openPort();
  for (const prior of [groups, undefined]) {
    const provider = await start();
    const plan = async (...list: unknown[]) =>
      (await provider.plan("port-security-groups", groupsWith(...list), prior)).diagnostics;
    expect([await plan(second), await plan(second)]).toEqual([[], []]);
    expect(await plan(first)).toEqual([
      `error: Two resources set one list: security_groups: differs from the list that another resource of the same kind sets for the port ${portId}: each run would undo the other. Remove one of the two resources (at security_groups)`,
    ]);
  }
});

test("equal groups, an unchanged list and unknown groups are no error", async () => {
  const port = await openPort();
  const { start, machine, first, second, machineWith, groupsWith, groups } = port;
  const seen = await (await start()).read("instance", machine);
  // The engine passes the recorded list for `ignore_changes`.
  expect(await both(port, [machineWith(second), seen], groupsWith(second, first))).toEqual([[], []]);
  expect(await both(port, [machineWith(first), machine], groupsWith(second))).toEqual([[], []]);
  expect(await both(port, [machineWith(second, first), seen], groupsWith(first, second))).toEqual([[], []]);
  expect(await both(port, [machineWith(UNKNOWN), seen], groupsWith(second))).toEqual([[], []]);
  expect(await both(port, [machineWith(first), seen], groupsWith(UNKNOWN))).toEqual([[], []]);
  // Without port_security_groups, which the plan deletes, the instance sets its list.
  const provider = await start();
  expect((await provider.plan("port-security-groups", undefined, groups)).diagnostics).toEqual([
    expect.stringContaining("will not be deleted"),
  ]);
  expect((await provider.plan("instance", machineWith(first), seen)).diagnostics).toEqual([]);
});

test("a port that was unknown in the plan is checked by the apply, before a request", async () => {
  const { cloud, start, machine, first, second, portId, machineWith, groupsWith } = await openPort();
  const seen = await (await start()).read("instance", machine);
  const planning = await start();
  const list: Values = { ...groupsWith(second), portId: UNKNOWN };
  const planned = await planning.plan("port-security-groups", list);
  expect((await planning.plan("instance", machineWith(first), seen)).diagnostics).toEqual([]);
  const applying = await start();
  await applying.apply("instance", machineWith(first), seen);
  const set = cloud.emulator.log.entries({ operation: "update_port_security_groups" }).length;
  const known = { ...planned, values: { ...planned.values, portId } };
  const failed = await applying.applyPlanned("port-security-groups", groupsWith(second), known);
  expect(failed.diagnostics).toEqual([refused('the instance "web"', portId)]);
  expect(cloud.emulator.log.entries({ operation: "update_port_security_groups" })).toHaveLength(set);
  expect(live(cloud, "port").map(({ uses }) => uses)).toEqual([[first]]);
});

test("a port whose own groups change is named, in the words of each engine", async () => {
  const { cloud, written, first, second } = await openPort();
  const { vpcId, subnetId } = written;
  const inputs = { vpcId, subnetId, name: "berth", securityGroups: [first ?? ""] } as Values;
  const port = await cloud.run(cloud.create("port", inputs));
  const portId = String(port.id);
  const list = { portId, securityGroups: [first ?? ""] };
  const session = cloud.reopen();
  await cloud.run(engine.create(session, resource("port-security-groups"), list, cloud.call));
  const change = { ...inputs, securityGroups: [second] };
  const updated = engine.update(session, resource("port"), port, change, cloud.call);
  const detail = await cloud.run(
    updated.then(String, (error: InputError) => error.problems[0]?.problem ?? ""),
  );
  expect(inWordsOf("pulumi", detail)).toContain(
    `differs from the list that the port security groups of this configuration sets for the port ${port.id}: each run would undo the other. Add the option ignoreChanges: ["securityGroups"] to the port "berth"`,
  );
  expect(inWordsOf("terraform", detail)).toContain(
    'Add lifecycle { ignore_changes = [security_groups] } to the port "berth"',
  );
});
