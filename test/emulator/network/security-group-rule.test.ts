import { expect, test } from "@jest/globals";
import { at, cloud, makeGroup, makeVpc, refusal, textAt } from "../client.ts";

const create = "POST /securityGroup/v1/rule";
const attach = "POST /securityGroup/v1/attachrule";
const detach = "POST /securityGroup/v1/deattachrule";

const rule = (more: Record<string, unknown> = {}) => ({
  direction: "ingress",
  ethertypes: "ipv4",
  protocol: "tcp",
  portMinRange: 443,
  portMaxRange: 443,
  remoteIPPrefix: "10.0.0.0/8",
  ...more,
});

async function ready(options: Parameters<typeof cloud>[0] = {}) {
  const emulator = cloud(options);
  const vpc = await makeVpc(emulator);
  const group = await makeGroup(emulator, vpc);
  const make = async (more: Record<string, unknown> = {}) =>
    (await emulator.call(create, { body: rule({ vpcid: vpc, ...more }) })).body;
  const rules = async () =>
    at((await emulator.call(`GET /securityGroup/v1/${vpc}`)).body, "result.0.rules") as unknown[];
  const pair = (ruleid: string) => ({ body: { ruleid, securityid: group, vpcid: vpc } });
  return { emulator, vpc, group, make, rules, pair };
}

test("a rule is created, attached, detached and deleted; the list shows it only while attached", async () => {
  const { emulator, make, rules, pair } = await ready();
  const made = await make();
  const id = textAt(made, "result.id");
  expect(made).toEqual({ message: "rule created", status: "success", result: { id } });
  expect(id).toMatch(/^krn:sgr:In-Bangalore-1:.*:sgr:/);
  expect(await rules()).toEqual([]);
  expect((await emulator.call(attach, pair(id))).body).toEqual({
    message: "rule attached",
    status: "success",
  });
  expect(await rules()).toEqual([id]);
  expect((await emulator.call(detach, pair(id))).body).toEqual({
    message: "rule detached",
    status: "success",
  });
  expect(await rules()).toEqual([]);
  expect((await emulator.call(`DELETE /securityGroup/v1/rule/${id}`)).status).toBe(204);
  expect(await refusal(emulator, attach, pair(id))).toEqual([404, `rule ${id} not found`]);
});

test("a rule belongs to several groups, and remains after the delete of one", async () => {
  const { emulator, vpc, group, make, pair } = await ready();
  const other = await makeGroup(emulator, vpc, "other");
  const id = textAt(await make(), "result.id");
  await emulator.call(attach, pair(id));
  await emulator.call(attach, { body: { ...pair(id).body, securityid: other } });
  expect((await emulator.call(`GET /securityGroup/v1/${vpc}`)).body).toMatchObject({
    result: [{ rules: [id] }, { rules: [id] }],
  });
  for (const krn of [group, other]) await emulator.call(`DELETE /securityGroup/v1/${krn}`);
  expect((await emulator.call(`DELETE /securityGroup/v1/rule/${id}`)).status).toBe(204);
});

test("the field names of the seed document are accepted too, without a VPC: the rule gets that of its first attachment", async () => {
  const { emulator, vpc, pair } = await ready();
  const seed = { direction: "egress", ethertype: "IPv6", protocol: "ALL" };
  const range = { port_range_min: 1, port_range_max: 65535, remote_ip_prefix: "::/0" };
  const made = await emulator.call(create, { body: { ...seed, ...range } });
  const id = textAt(made.body, "result.id");
  expect(emulator.inventory.get(id)).toMatchObject({ parents: [], ethertype: "IPv6", protocol: "all" });
  await emulator.call(attach, pair(id));
  expect(emulator.inventory.get(id)).toMatchObject({ parents: [vpc] });
  const body = { ...rule(), ethertype: "ipv6" };
  expect(await refusal(emulator, create, { body })).toEqual([400, "ethertype: disagrees with ethertypes"]);
});

test.each([
  ["another direction", { direction: "in" }, /^direction: /],
  ["another ethertype", { ethertypes: "arp" }, /^ethertypes: must be one of ipv4, ipv6/],
  ["another protocol", { protocol: "any" }, /^protocol: must be one of tcp, udp, icmp, all$/],
  ["a range from 0", { portMinRange: 0 }, /^portMinRange: must be from 1 to 65535$/],
  ["a range beyond the last port", { portMaxRange: 65536 }, /^portMaxRange: must be from 1 to 65535$/],
  ["a range reversed", { portMinRange: 444 }, /^portMinRange: must not be above portMaxRange$/],
  ["an invalid prefix", { remoteIPPrefix: "10.0.0.1" }, /^remoteIPPrefix: not a CIDR/],
  ["a prefix of the other version", { remoteIPPrefix: "::/0" }, /^remoteIPPrefix: is IPv6, the ethertype/],
  ["an unknown field", { name: "x" }, /^name: unknown field "name"$/],
])("a rule with %s is a 400 that names it", async (_, wrong, message) => {
  const [status, text] = await refusal(cloud(), create, { body: rule(wrong) });
  expect([status, text]).toEqual([400, expect.stringMatching(message)]);
});

test.each([
  ["lower", "IPv4", "ethertypes: must be one of ipv4, ipv6"],
  ["title", "ipv4", "ethertypes: must be one of IPv4, IPv6"],
] as const)(
  "with the ethertype's case set to %s, %s is a 400",
  async (ethertypeCase, ethertypes, message) => {
    const emulator = cloud({ assume: { ethertypeCase } });
    expect(await refusal(emulator, create, { body: rule({ ethertypes }) })).toEqual([400, message]);
  },
);

test("switches allow the protocol any and the port 0", async () => {
  const emulator = cloud({ assume: { ruleProtocolAny: true, rulePortZero: true } });
  const body = rule({ protocol: "any", portMinRange: 0, portMaxRange: 0 });
  expect((await emulator.call(create, { body })).status).toBe(201);
});

test.each([
  ["result", "uuid", (uuid: string) => ({ result: { id: uuid } })],
  ["result", "both", (uuid: string, krn: string) => ({ result: { id: uuid, krn } })],
  ["top", "krn", (_: string, krn: string) => ({ id: krn })],
  ["top", "both", (uuid: string, krn: string) => ({ id: uuid, krn })],
  ["named", "uuid", (uuid: string) => ({ ruleid: uuid })],
  ["named", "both", (uuid: string, krn: string) => ({ ruleid: uuid, rulekrn: krn })],
] as const)(
  "a create answers in the shape %s with the id as %s",
  async (ruleCreateShape, ruleId, expected) => {
    const { emulator, make } = await ready({ assume: { ruleCreateShape, ruleId } });
    const made = await make();
    const krn = emulator.inventory.list().find(({ kind }) => kind === "security_group_rule")?.krn ?? "";
    expect(made).toEqual({ message: "rule created", status: "success", ...expected(krn.slice(-36), krn) });
  },
);

test("rules are attached, listed, detached and deleted by UUID as well", async () => {
  const { emulator, make, rules, pair } = await ready({ assume: { ruleId: "uuid", ruleListId: "uuid" } });
  const uuid = textAt(await make(), "result.id");
  expect((await emulator.call(attach, pair(uuid))).status).toBe(200);
  expect(await rules()).toEqual([uuid]);
  expect((await emulator.call(detach, pair(uuid))).status).toBe(200);
  expect((await emulator.call(`DELETE /securityGroup/v1/rule/${uuid}`)).status).toBe(204);
});

test("the list holds whole rules if a switch is set", async () => {
  const { emulator, vpc, make, pair } = await ready({ assume: { groupListShape: "items" } });
  const id = textAt(await make(), "result.id");
  await emulator.call(attach, pair(id));
  expect((await emulator.call(`GET /securityGroup/v1/${vpc}`)).body).toMatchObject({
    items: [
      {
        rules: [
          {
            id,
            direction: "ingress",
            portRangeMin: 443,
            portRangeMax: 443,
            protocol: "tcp",
            remote: "10.0.0.0/8",
          },
        ],
      },
    ],
    totalCount: 1,
  });
});

test("a repeated attach or detach is a 409, or succeeds if a switch is set", async () => {
  const { emulator, make, pair } = await ready();
  const id = textAt(await make(), "result.id");
  const name = id.slice(-36);
  expect(await refusal(emulator, detach, pair(id))).toEqual([
    409,
    `rule ${name} is not attached to security group web`,
  ]);
  await emulator.call(attach, pair(id));
  expect(await refusal(emulator, attach, pair(id))).toEqual([
    409,
    `rule ${name} is already attached to security group web`,
  ]);
  emulator.configure({ assume: { repeatedAttach: 200 } });
  expect((await emulator.call(attach, pair(id))).status).toBe(200);
});

test("an attached rule cannot be deleted, or is detached first if a switch is set", async () => {
  const { emulator, make, rules, pair } = await ready();
  const id = textAt(await make(), "result.id");
  await emulator.call(attach, pair(id));
  const remove = `DELETE /securityGroup/v1/rule/${id}`;
  expect(await refusal(emulator, remove)).toEqual([
    409,
    `rule ${id.slice(-36)} is attached to a security group; detach it first`,
  ]);
  emulator.configure({ assume: { attachedRuleDelete: "detach" } });
  expect((await emulator.call(remove)).status).toBe(204);
  expect(await rules()).toEqual([]);
});

test("rule and group of an attachment must be in its VPC", async () => {
  const { emulator, group, make } = await ready();
  const other = await makeVpc(emulator, "other");
  const otherGroup = await makeGroup(emulator, other, "strange");
  const ruleid = textAt(await make(), "result.id");
  const body = (securityid: string, vpcid: string) => ({ body: { ruleid, securityid, vpcid } });
  expect(await refusal(emulator, attach, body(group, other))).toEqual([
    400,
    "security group web is not of VPC other",
  ]);
  expect(await refusal(emulator, attach, body(otherGroup, other))).toEqual([
    400,
    `rule ${ruleid.slice(-36)} is not of VPC other`,
  ]);
  expect(await refusal(emulator, attach, body("x", other))).toEqual([404, "security group x not found"]);
});

test("a rule does not block the delete of its VPC, and is deleted with it", async () => {
  const { emulator, vpc, group, make } = await ready();
  await make();
  await emulator.call(`DELETE /securityGroup/v1/${group}`);
  expect((await emulator.call(`DELETE /v1/highlvlvpc/delete_vpc?vpc_id=${vpc}`)).status).toBe(202);
  await emulator.clock.advance(1000);
  expect(emulator.inventory.list()).toEqual([]);
});
