import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import { UNKNOWN, type Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import {
  failure,
  kept,
  live,
  openCloud,
  operationsOn,
  requests,
  resource,
  settle,
} from "../support/cloud.ts";
import { problemsOf } from "../support/problem.ts";

const rule = resource("security-group-rule");
const https = {
  direction: "ingress",
  protocol: "tcp",
  portRangeMin: 443,
  portRangeMax: 443,
  remoteIpPrefix: "0.0.0.0/0",
};

/** Creates a VPC with two security groups; `written` has the inputs of a rule in the first one. */
async function withGroups(...args: Parameters<typeof openCloud>) {
  const cloud = openCloud(...args);
  const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
  const group = async (name: string) =>
    String((await cloud.run(cloud.create("security-group", { vpcId, name }))).id);
  const [web, data] = [await group("web"), await group("data")];
  const written = { vpcId, securityGroupId: web, ...https };
  const { update, remove, run } = operationsOn(cloud, "security-group-rule");
  const later = () => cloud.run(cloud.session.ports.clock.sleep(6_000));
  const make = (inputs: Values = written) => cloud.create("security-group-rule", inputs);
  const attached = () => live(cloud, "security_group_rule").map((item) => "groups" in item && item.groups);
  return { cloud, vpcId, web, data, written, make, change: update, read: run.read, remove, later, attached };
}

test.each<[string, Values, string[]]>([
  ["a range of ports", {}, []],
  ["one port", { portRangeMin: 443, portRangeMax: 443 }, []],
  ["every port", { portRangeMin: null, portRangeMax: null, protocol: "icmp" }, []],
  ["a port that is not known yet", { portRangeMin: UNKNOWN, portRangeMax: 80 }, []],
  ["any spelling of the kind", { ethertype: "ipV6", remoteIpPrefix: "::/0" }, []],
  [
    "a reversed range",
    { portRangeMin: 443, portRangeMax: 80 },
    ["portRangeMin must not be above port_range_max, 80"],
  ],
  ["a range without an end", { portRangeMax: null }, ["portRangeMax is required with port_range_min"]],
  ["a range without a beginning", { portRangeMin: null }, ["portRangeMin is required with port_range_max"]],
  ["a port beyond the last", { portRangeMax: 65_536 }, ["portRangeMax must be at most 65535"]],
  [
    "a range of another IP version",
    { remoteIpPrefix: "::/0" },
    ['remoteIpPrefix is an IPv6 CIDR: add ethertype = "IPv6"'],
  ],
  ["a range of IPv6", { remoteIpPrefix: "::/0", ethertype: "ipv6" }, []],
])("checked: %s", (_, change, expected) => {
  const written = { vpcId: "vpc-1", securityGroupId: "group-1", ...https, portRangeMin: 80 };
  expect(problemsOf("security-group-rule", { ...written, ...change })).toEqual(expected);
});

test("an unlisted protocol is a warning", () => {
  const { warnings } = engine.check(rule, { protocol: "tcpp" });
  expect(warnings.map(({ problem }) => problem)).toEqual(['"tcpp" is not a known value; did you mean tcp?']);
});

test("another spelling of a rule is no change", () => {
  const values = { vpcId: "v", securityGroupId: "g", ...https, ethertype: "IPv4", region: "r" };
  const state = { id: "rule-1", task: undefined, values, unread: [] };
  const spelled = { ...values, ethertype: "ipv4", protocol: "TCP", remoteIpPrefix: "0.0.0.1/0" };
  expect(engine.plan(rule, state, spelled, undefined).action).toBe("none");
  expect(engine.plan(rule, state, { ...values, protocol: "udp" }, undefined).action).toBe("replace");
});

test("a rule is created, attached, read, and deleted", async () => {
  const { cloud, web, written, make, read, remove, attached } = await withGroups();
  const state = await cloud.run(make());
  expect(attached()).toEqual([[web]]);
  expect(live(cloud, "security_group_rule")).toMatchObject([
    { krn: state.id, direction: "ingress", protocol: "tcp", portMin: 443, portMax: 443, remote: "0.0.0.0/0" },
  ]);
  expect(state.values).toEqual({
    ...written,
    ethertype: "IPv4",
    description: null,
    region: "In-Bangalore-1",
  });
  expect(await read(state)).toEqual(state);
  await cloud.run(remove(state));
  expect(live(cloud, "security_group_rule")).toEqual([]);
});

test("a rule without ports covers every port", async () => {
  const { cloud, written, make } = await withGroups();
  await cloud.run(make({ ...written, protocol: "icmp", portRangeMin: null, portRangeMax: null }));
  expect(live(cloud, "security_group_rule")).toMatchObject([{ portMin: 1, portMax: 65_535 }]);
});

test.each([
  { ethertypeCase: "lower" },
  { ethertypeCase: "title" },
  { ruleCreateShape: "top", ruleId: "both" },
  { ruleCreateShape: "named", ruleId: "uuid" },
  { ruleCreateShape: "named", ruleId: "both" },
  { ruleId: "uuid", ruleListId: "krn" },
  { ruleId: "krn", ruleListId: "uuid" },
  { groupListShape: "items" },
  { repeatedAttach: 200 },
  { repeatedAttach: 404 },
  { attachedRuleDelete: "detach" },
] as const)("a rule is created, moved and deleted under every assumption: %j", async (assume) => {
  const { cloud, data, written, make, change, read, remove, later, attached } = await withGroups({ assume });
  const state = await cloud.run(make());
  await later();
  expect(await read(state)).toEqual(state);
  const moved = await cloud.run(change(state, { ...written, securityGroupId: data }));
  expect(moved).toEqual({ ...state, values: { ...state.values, securityGroupId: data } });
  expect(attached()).toEqual([[data]]);
  await cloud.run(remove(moved));
  expect(live(cloud, "security_group_rule")).toEqual([]);
  expect(cloud.warnings).toEqual([]);
});

test("a create without a clear response fails: a rule that is not attached cannot be found", async () => {
  const { cloud, make, attached } = await withGroups();
  cloud.emulator.faults.add({ target: "create_rule", kind: "cut-length" });
  const failed = await cloud.run(failure(make()));
  const { summary, detail } = explain(failed);
  expect(summary).toBe("Creating the security group rule failed");
  expect(detail.replace(/ request id request-\d+,/, "")).toBe(
    [
      "The API gave no clear response, and an unattached object cannot be searched for.",
      "The response ended early. (status 201, POST /securityGroup/v1/rule)",
      "The object may exist.",
      "The next run creates another one. This one, if it exists, is not attached to anything and has no effect.",
    ].join("\n"),
  );
  expect(attached()).toEqual([[]]);
  expect(requests(cloud, "create_rule")).toHaveLength(1);
});

test.each(["before", "after"] as const)(
  "an attachment without a clear response, lost %s its effect, is read first",
  async (when) => {
    const { cloud, web, make, attached } = await withGroups();
    cloud.emulator.faults.add({ target: "attach_rule", kind: "reset", when, from: 1, times: 1 });
    await cloud.run(make());
    expect(attached()).toEqual([[web]]);
    expect(requests(cloud, "attach_rule")).toHaveLength(when === "before" ? 2 : 1);
  },
);

test("a rule that cannot be attached is recorded, and the next run deletes it", async () => {
  const { cloud, web, written, make, read, remove, attached } = await withGroups();
  cloud.emulator.faults.add({ target: "attach_rule", kind: "422" });
  const failed = await cloud.run(failure(make()));
  const half = kept(failed);
  expect(failed.existence).toEqual({ is: "recorded", id: half.id });
  expect(half.values.securityGroupId).toBeNull();
  cloud.emulator.faults.clear();
  expect(await read(half)).toEqual(half);
  const inputs = engine.check(rule, written).inputs;
  expect(engine.plan(rule, half, inputs, cloud.session)).toMatchObject({
    action: "replace",
    changes: [
      {
        path: ["securityGroupId"],
        reason:
          "The API does not show the object: it may have no effect or be deleted, so what remains of it is deleted first.",
      },
    ],
  });
  await cloud.run(remove(half));
  await cloud.run(make());
  expect(attached()).toEqual([[web]]);
});

test.each(["detached", "deleted"] as const)(
  "a rule %s outside the engine is replaced, and the old one is deleted",
  async (how) => {
    const { cloud, web, written, make, read, remove, attached } = await withGroups();
    const state = await cloud.run(make());
    await settle(cloud);
    if (how === "deleted") cloud.emulator.inventory.remove(String(state.id));
    else cloud.emulator.inventory.change(String(state.id), { groups: [] });
    const found = await read(state);
    expect(found).toEqual({ ...state, values: { ...state.values, securityGroupId: null } });
    expect(cloud.warnings).toEqual([
      {
        summary: `The API no longer shows the security group rule (${state.id})`,
        detail: `The security group rule (${state.id}) was detached or deleted outside of Terraform or OpenTofu. The next terraform apply (or tofu apply) deletes what remains of it and creates it again.`,
      },
    ]);
    const { inputs } = engine.check(rule, { ...written, securityGroupId: UNKNOWN });
    expect(engine.plan(rule, found, inputs, cloud.session).action).toBe("replace");
    await cloud.run(remove(found as ResourceState));
    await cloud.run(make());
    expect(attached()).toEqual([[web]]);
  },
);

test("a rule whose group was deleted is still deleted", async () => {
  const { cloud, web, make, remove } = await withGroups();
  const state = await cloud.run(make());
  cloud.emulator.inventory.remove(web);
  await cloud.run(remove(state));
  expect(live(cloud, "security_group_rule")).toEqual([]);
});

test("a rule that another user attached to a second group is read in its own group, and deleted from both", async () => {
  const { cloud, web, data, make, read, remove, later } = await withGroups();
  const state = await cloud.run(make());
  await later();
  cloud.emulator.inventory.change(String(state.id), { groups: [data, web] });
  expect(await read(state)).toEqual(state);
  await cloud.run(remove(state));
  expect(live(cloud, "security_group_rule")).toEqual([]);
});

test("a delete lost after its effect is confirmed by 404 responses for settle_seconds: no listing shows a detached rule", async () => {
  const { cloud, make, remove } = await withGroups();
  const state = await cloud.run(make());
  cloud.emulator.faults.add({ target: "delete_rule", kind: "reset", when: "after", from: 1, times: 1 });
  const began = cloud.elapsed();
  await cloud.run(remove(state));
  expect(live(cloud, "security_group_rule")).toEqual([]);
  expect(cloud.elapsed() - began).toBeGreaterThanOrEqual(120_000);
});

test("a rule that was detached outside is deleted in spite of an unclear response and one 404 of a gateway", async () => {
  const { cloud, make, remove, later } = await withGroups();
  const state = await cloud.run(make());
  await later();
  cloud.emulator.inventory.change(String(state.id), { groups: [] });
  cloud.emulator.faults.add({ target: "delete_rule", kind: "500", when: "before", from: 1, times: 1 });
  cloud.emulator.faults.add({ target: "delete_rule", kind: "404", from: 2, times: 1 });
  await cloud.run(remove(state));
  expect(live(cloud, "security_group_rule")).toEqual([]);
});

test("a rule that was just detached and whose delete a gateway does not find is deleted, not only removed from the state", async () => {
  const { cloud, make, remove } = await withGroups();
  const state = await cloud.run(make());
  cloud.emulator.faults.add({ target: "delete_rule", kind: "404", from: 1, times: 2 });
  await cloud.run(remove(state));
  expect(live(cloud, "security_group_rule")).toEqual([]);
  expect(requests(cloud, "delete_rule")).toHaveLength(3);
});

test("a delete that the API reports as failed does not explain the 404 of a gateway to the next delete", async () => {
  const { cloud, make, remove } = await withGroups();
  const state = await cloud.run(make());
  const target = "delete_rule";
  cloud.emulator.faults.add({ target, kind: "refusal-in-200", when: "before", from: 1, times: 1 });
  cloud.emulator.faults.add({ target, kind: "404", from: 2, times: 2 });
  await cloud.run(remove(state));
  expect(live(cloud, "security_group_rule")).toEqual([]);
  expect(requests(cloud, target)).toHaveLength(4);
});

test.each(["before", "after"] as const)(
  "a move whose first step is lost %s its effect ends in the new group alone",
  async (when) => {
    const { cloud, data, written, make, change, attached } = await withGroups({ listingLagMs: 3_000 });
    await cloud.run(cloud.session.ports.clock.sleep(10_000));
    const state = await cloud.run(make());
    cloud.emulator.faults.add({ target: "detach_rule", kind: "503", when, from: 1, times: 1 });
    await cloud.run(change(state, { ...written, securityGroupId: data }));
    expect(attached()).toEqual([[data]]);
  },
);

test("a rejected move leaves a rule that the next run replaces", async () => {
  const { cloud, data, written, make, change, attached } = await withGroups();
  const state = await cloud.run(make());
  cloud.emulator.faults.add({ target: "attach_rule", kind: "422" });
  const failed = await cloud.run(failure(change(state, { ...written, securityGroupId: data })));
  expect(kept(failed).values.securityGroupId).toBeNull();
  expect(attached()).toEqual([[]]);
});

test("an imported rule is recorded from the configuration, and nothing is sent", async () => {
  const { cloud, vpcId, written, make, change } = await withGroups();
  const state = await cloud.run(make());
  const imported = await cloud.run(engine.import(cloud.session, rule, `${vpcId},${state.id}`, cloud.call));
  expect(engine.plan(rule, imported, written, cloud.session).action).toBe("update");
  const sent = cloud.emulator.log.entries().filter(({ method }) => method !== "GET").length;
  expect((await cloud.run(change(imported, written))).values).toEqual(state.values);
  expect(cloud.emulator.log.entries().filter(({ method }) => method !== "GET")).toHaveLength(sent);
});
