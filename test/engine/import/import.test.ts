import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { explain, InputError } from "../../../provider/core/error.ts";
import type { Values } from "../../../provider/core/value.ts";
import { importableFields, parseImportId } from "../../../provider/definition/import-id.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { importId } from "../../../provider/engine/remediation.ts";
import { resources } from "../../../resources/index.ts";
import { failure, openCloud, resource } from "../../support/cloud.ts";
import { openNetwork } from "../../support/instance-world.ts";

/**
 * Tests imports with another VPC than that of the object. Premises: the API compares the tenant of a volume request with the
 * volume (docs/contract.md#8), and lists of a VPC hold its objects only. The row of an instance shows its VPC.
 */

const vpcId = "krn:vpc:In-Bangalore-1:1:2:vpc:3";

const volumeId = "krn:kbs:In-Bangalore-1:1:2:volume:4";

test("an import id is the id after its parents, and a region may precede them", () => {
  const parse = (kind: string, text: string) => {
    const { id, region, values } = parseImportId(resource(kind), text);
    return [id, region, { ...values }];
  };
  expect(parse("vpc", vpcId)).toEqual([vpcId, undefined, {}]);
  expect(parse("vpc", `In-Hyderabad-1,${vpcId}`)).toEqual([vpcId, "In-Hyderabad-1", {}]);
  expect(parse("volume", `${vpcId},${volumeId}`)).toEqual([volumeId, undefined, { vpcId }]);
  expect(parse("volume", `In-Hyderabad-1, ${vpcId} , ${volumeId}`)).toEqual([
    volumeId,
    "In-Hyderabad-1",
    { vpcId },
  ]);
  expect(parse("subnet", "old-vpc,old-subnet")).toEqual(["old-subnet", undefined, { vpcId: "old-vpc" }]);
});

const vpcForm = "is not of the form id or region,id, where its name can replace the id";

const volumeForm = "is not of the form vpcId,id or region,vpcId,id, where its name can replace the id";

test.each([
  ["vpc", "", `"" ${vpcForm}`],
  ["vpc", `a,b,${vpcId}`, `"a,b,${vpcId}" ${vpcForm}`],
  ["vpc", `,${vpcId}`, `",${vpcId}" ${vpcForm}`],
  ["volume", volumeId, `"${volumeId}" ${volumeForm}`],
  ["volume", `${vpcId},`, `"${vpcId}," ${volumeForm}`],
  ["vpc", volumeId, "is the ID of a volume, but the ID of a VPC is required"],
  ["vpc", "krn:vpc:In-Bangalore-1:1:***:vpc:3", "is masked (***); the full ID is required"],
  ["vpc", "krn:vpc: :1:2:vpc:3", "contains a space or a character that is not allowed in an ID"],
  [
    "security-group-rule",
    `${vpcId},a b`,
    'its part "a b" contains a space or a character that is not allowed in an ID',
  ],
  [
    "volume",
    `${volumeId},${volumeId}`,
    `its part "${volumeId}" is the ID of a volume, but the ID of a VPC is required`,
  ],
  [
    "volume",
    `${vpcId},${vpcId}`,
    `its part "${vpcId}" is the ID of a VPC, but the ID of a volume is required`,
  ],
  [
    "subnet",
    "krn:vpc:In-Bangalore-1:1:***:vpc:3,x",
    'its part "krn:vpc:In-Bangalore-1:1:***:vpc:3" is masked (***); the full ID is required',
  ],
])("%s %j is rejected before anything is sent", async (kind, text, problem) => {
  const cloud = openCloud();
  await expect(cloud.run(engine.import(cloud.session, resource(kind), text, cloud.call))).rejects.toThrow(
    new InputError([{ path: ["id"], problem }]),
  );
  expect(cloud.emulator.log.entries()).toEqual([]);
});

test("a printed import id is parsed as the same id", () => {
  const part = fc
    .stringMatching(/^[\x21-\x7e]{1,20}$/)
    .filter((text) => !/[*:]/.test(text) && !/^\.{1,2}$/.test(text));
  for (const definition of resources.filter(({ stateOnly }) => stateOnly !== true))
    fc.assert(
      fc.property(
        part,
        fc.option(part),
        fc.array(part, { minLength: 4, maxLength: 4 }),
        fc.boolean(),
        (own, drawn, parts, isParent) => {
          const id = isParent ? (parts[0] ?? own) : own;
          const region = definition.regional === false ? null : drawn;
          const parents = (definition.parents ?? []).map((_, at) => parts[at] ?? "");
          const values = Object.fromEntries(
            (definition.parents ?? []).map((name, at) => [name, parents[at] ?? ""]),
          );
          const text = importId(definition, id, values, region ?? undefined);
          const parsed = parseImportId(definition, text);
          expect([parsed.id, parsed.region ?? null, Object.values(parsed.values)]).toEqual([
            id,
            region,
            parents,
          ]);
        },
      ),
    );
});

test("every text is either accepted as an import id or rejected as an invalid input", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      for (const definition of resources)
        try {
          const { id } = parseImportId(definition, text);
          expect(id).toMatch(importableFields(definition).length > 0 ? /\S/ : /^[\x21-\x7e]+$/);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
    }),
  );
});

/** Creates an object, imports it and plans `config`, by default the configuration that created it. */
async function imported(kind: string, written: (vpcId: string) => Values, config = written) {
  const cloud = openCloud();
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  const id = String(vpc.id);
  const made =
    kind === "vpc" && Object.keys(written(id)).length === 1
      ? vpc
      : await cloud.run(cloud.create(kind, written(id)));
  const text = resource(kind).parents ? `${id},${made.id}` : String(made.id);
  const state = await cloud.run(engine.import(cloud.reopen(), resource(kind), text, cloud.call));
  const { inputs } = engine.check(resource(kind), config(id));
  const plan = engine.plan(resource(kind), state, inputs, cloud.session);
  return { cloud, made, state, inputs, plan };
}

const volume = (vpcId: string): Values => ({
  vpcId,
  name: "data",
  sizeGb: 20,
  volumeType: "HNSS",
  description: "x",
  metadata: { a: "1" },
  qos: { iops: { readIopsSec: 5 } },
});

test("a volume is imported completely: nothing is unread and its plan is empty", async () => {
  const { made, state, plan } = await imported("volume", volume);
  expect(state).toEqual({ ...made, createdAt: undefined, unread: [] });
  expect(plan.action).toBe("none");
});

test("a subnet is imported with the fields that its VPC shows; the others have defaults or are unread", async () => {
  const { state, plan } = await imported("subnet", (vpcId) => ({ vpcId, name: "a", cidr: "10.0.0.0/24" }));
  expect(state.values).toMatchObject({ ipVersion: 4, ingress: true, egress: true, gatewayIp: null });
  expect(state.unread).toEqual(["gatewayIp", "description", "ipVersion", "ingress", "egress", "routerKrn"]);
  expect(plan.action).toBe("none");
});

test.each([
  [
    "subnet",
    (vpcId: string) => ({ vpcId, name: "a", cidr: "10.0.0.0/24", egress: false, gatewayIp: "10.0.0.9" }),
  ],
  ["vpc", () => ({ name: "second", enabled: false, adminStateUp: false, description: "x" })],
  ["vpc", () => ({ name: "second", primarySubnet: { name: "a", cidr: "10.0.0.0/24", egress: false } })],
] as const)(
  "a %s whose unread settings are not the defaults is recorded by one update, never replaced",
  async (kind, written) => {
    const { cloud, state, inputs, plan } = await imported(kind, written as (vpcId: string) => Values);
    expect([plan.action, plan.changes.every(({ recordOnly }) => recordOnly)]).toEqual(["update", true]);
    const before = cloud.emulator.log.entries().length;
    const after = await cloud.run(engine.update(cloud.session, resource(kind), state, inputs, cloud.call));
    const sent = cloud.emulator.log.entries().slice(before);
    expect(sent.filter(({ operation }) => operation !== "get_vpc")).toEqual([]);
    expect(engine.plan(resource(kind), after, inputs, cloud.session).action).toBe("none");
  },
);

test("an object of another region is imported from the region that its id or the one of its parent names", async () => {
  const cloud = openCloud();
  const made = await cloud.run(cloud.create("vpc", { name: "net", region: "In-Hyderabad-1" }));
  const read = (text: string) => cloud.run(engine.import(cloud.session, resource("vpc"), text, cloud.call));
  expect((await read(`In-Hyderabad-1,${made.id}`)).values.region).toBe("In-Hyderabad-1");
  expect((await read(String(made.id))).values.region).toBe("In-Hyderabad-1");
  const group = await cloud.run(cloud.create("security-group", { vpcId: String(made.id), name: "web" }));
  expect(group.values.region).toBe("In-Hyderabad-1");
  const byName = engine.import(cloud.session, resource("security-group"), `${made.id},web`, cloud.call);
  expect((await cloud.run(byName)).values.region).toBe("In-Hyderabad-1");
  const failed = await failure(read(`In-Bangalore-1,${made.id}`));
  expect(explain(failed)).toEqual({
    summary: "Importing the VPC failed",
    detail: [
      `No VPC has the ID ${made.id} in In-Bangalore-1.`,
      "Nothing was changed.",
      "Put the region that its ID names, and a comma, before the ID.",
    ].join("\n"),
  });
});

describe("An import with another VPC than that of the object", () => {
  test.each([
    "subnet",
    "security-group",
    "security-group-rule",
    "volume",
    "port",
    "floating-ip",
    "instance",
    "instance-batch",
    "volume-attachment",
  ])("an import of %s with another VPC than its own is an error, or records its own VPC", async (kind) => {
    const { cloud, vpcId, written } = await openNetwork();
    const other = await cloud.run(
      cloud.create("vpc", { name: "other", primarySubnet: { name: "a", cidr: "10.0.0.0/20" } }),
    );
    const make = async (noun: string, inputs: Values) =>
      (await cloud.run(cloud.create(noun, inputs))).id ?? "";
    const { subnetId = "", securityGroups = [] } = written;
    const template = () => make("instance-template", { ...written, name: "t" });
    const inputs: Record<string, () => Promise<Values>> = {
      subnet: async () => ({ vpcId, name: "b", cidr: "10.0.16.0/20" }),
      "security-group": async () => ({ vpcId, name: "b" }),
      "security-group-rule": async () => ({
        ...{ vpcId, securityGroupId: (securityGroups as string[])[0] ?? "", direction: "ingress" },
        ...{ protocol: "tcp", remoteIpPrefix: "0.0.0.0/0" },
      }),
      volume: async () => ({ vpcId, name: "b", sizeGb: 1, volumeType: "ssd" }),
      port: async () => ({ vpcId, subnetId, name: "b" }),
      "floating-ip": async () => ({ vpcId, subnetId, name: "b" }),
      instance: async () => written,
      "instance-batch": async () => ({ vpcId, name: "b", templateId: await template(), machineCount: 1 }),
      "volume-attachment": async () => ({
        vpcId,
        instanceId: await make("instance", written),
        volumeId: await make("volume", { vpcId, name: "b", sizeGb: 1, volumeType: "ssd" }),
      }),
    };
    const state = await cloud.run(cloud.create(kind, (await inputs[kind]?.()) ?? {}));
    const parents = (resource(kind).parents ?? []).map((name) =>
      name === "vpcId" ? other.id : state.values[name],
    );
    const work = engine.import(cloud.reopen(), resource(kind), [...parents, state.id].join(","), cloud.call);
    const outcome = await cloud.run(work).catch((error: unknown) => explain(error).detail);
    const result = typeof outcome === "string" ? outcome : outcome.values.vpcId;
    expect(result).toEqual(
      kind === "instance"
        ? vpcId
        : expect.stringMatching(/^No [a-zI P]+ has the ID krn:|^No .* has the ID or (name|instance_id) "/),
    );
  });
});
