import { describe, expect, test } from "@jest/globals";
import { OperationError } from "../../../provider/core/error.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import type { Values } from "../../../provider/core/value.ts";
import { engine } from "../../../provider/engine/engine.ts";
import type { Session } from "../../../provider/engine/session.ts";
import { type Cloud, failure, resource } from "../../support/cloud.ts";
import { createEveryKind, type Made, oneOfEach, openEveryKind } from "../../support/every-kind.ts";
import { openNetwork } from "../../support/instance-world.ts";

/** Tests responses that lack a field of the object. */

/** Creates an object of every kind. The volumes of the emulator have two forms (docs/contract.md#8). */
async function openEvery(volumeSpelling?: "alias"): Promise<{ cloud: Cloud; made: readonly Made[] }> {
  const assume = { podRead: "pod" as const, sessionAttempts: 10_000 };
  const cloud = openEveryKind({
    assume: volumeSpelling === undefined ? assume : { ...assume, volumeSpelling },
  });
  return { cloud, made: oneOfEach(await createEveryKind(cloud)) };
}

/** Creates one object of each kind that a VPC holds, with many fields set, and returns them with their inputs. */
async function openStack(): Promise<{ cloud: Cloud; made: readonly Made[] }> {
  const { cloud, vpcId, create, inputs } = await openNetwork({}, { accountId: "000000000000" });
  const made: Made[] = [];
  const make = async (kind: string, given: Values): Promise<string> => {
    const state = await cloud.run(cloud.create(kind, given));
    made.push({ kind, inputs: engine.check(resource(kind), given).inputs, state });
    return String(state.id);
  };
  const instance = await cloud.run(create());
  made.push({ kind: "instance", inputs: inputs(), state: instance });
  await make("vpc", { name: "other", primarySubnet: { name: "a", cidr: "10.0.0.0/24" } });
  const subnetId = await make("subnet", { vpcId, name: "b", cidr: "10.0.64.0/24" });
  const securityGroupId = await make("security-group", { vpcId, name: "db", description: "of data" });
  await make("security-group-rule", {
    ...{ vpcId, securityGroupId, direction: "ingress", protocol: "tcp", portMin: 80, portMax: 80 },
    remoteIpPrefix: "10.0.0.0/16",
  });
  await make("port", { vpcId, subnetId, name: "p", securityGroups: [securityGroupId] });
  const volume = { vpcId, name: "data", sizeGb: 20, volumeType: "HNSS", availabilityZone: "nova" };
  await make("volume", { ...volume, qos: { iops: { readIopsSec: 500 } }, metadata: { of: "ana" } });
  await make("floating-ip", { vpcId, subnetId, name: "f" });
  await make("bucket", { name: "backup", tags: { of: "ana" }, versioning: true });
  return { cloud, made };
}

/** Returns the names of all fields in the responses to a read of the object. */
async function fieldsOf(cloud: Cloud, { kind, state }: Made): Promise<string[]> {
  const names = new Set<string>();
  const session = cloud.reopen();
  const { send } = session.ports.transport;
  Object.assign(session.ports.transport, {
    send: async (...given: Parameters<typeof send>) => {
      const reply = await send(...given);
      if (reply.kind === "answer")
        for (const [, name = ""] of reply.body.matchAll(/"(\w+)":/g)) names.add(name);
      return reply;
    },
  });
  await cloud.run(engine.read(session, resource(kind), state, cloud.call));
  return [...names];
}

/** Reads an object, and plans it unchanged; a read that fails leaves the state as it is. */
async function expectUnchanged(cloud: Cloud, session: Session, one: Made, field: string): Promise<void> {
  const definition = resource(one.kind);
  const read = await cloud
    .run(engine.read(session, definition, one.state, cloud.call))
    .catch((error: unknown) => {
      if (error instanceof OperationError) return one.state;
      throw error;
    });
  const { action, changes } = engine.plan(definition, read, one.inputs, session);
  expect({ kind: one.kind, field, action, changes }).toMatchObject({ action: "none", changes: [] });
}

/** Changes the responses to a session as long as `change` returns another text. */
function changeResponses({ ports: { transport } }: Session, change: (body: string) => string): void {
  const { send } = transport;
  Object.assign(transport, {
    send: async (...given: Parameters<typeof send>) => {
      const reply = await send(...given);
      return reply.kind === "answer" ? { ...reply, body: change(reply.body) } : reply;
    },
  });
}

const volumes = async () => {
  const { cloud, vpcId } = await openNetwork();
  const inputs = { vpcId, name: "data", sizeGb: 20, volumeType: "HNSS", availabilityZone: "nova" };
  return { cloud, volume: resource("volume"), made: await cloud.run(cloud.create("volume", inputs)) };
};

describe("Responses that lack a field of the object", () => {
  test.each([
    { world: "full objects", open: openStack },
    { world: "every kind", open: () => openEvery() },
    { world: "every kind, volumes in the other form", open: () => openEvery("alias") },
  ])("no field that one response omits makes a plan change an unchanged object: $world", async ({ open }) => {
    const { cloud, made } = await open();
    let tried = 0;
    for (const one of made) {
      for (const field of await fieldsOf(cloud, one))
        for (const from of [1, 2]) {
          cloud.emulator.faults.clear();
          cloud.emulator.faults.add({ target: "*", kind: "missing-field", field, from, times: 1 });
          const session = cloud.reopen();
          await expectUnchanged(cloud, session, one, field);
          tried += 1;
        }
    }
    expect(tried).toBeGreaterThan(200);
  });

  test("no field that one response shows as an empty text or as zero makes a plan change an unchanged object", async () => {
    const { cloud, made } = await openStack();
    let tried = 0;
    for (const one of made) {
      // The label `of` may have an empty value.
      const fields = (await fieldsOf(cloud, one)).filter((name) => name !== "of");
      for (const field of fields) {
        const session = cloud.reopen();
        let isChanged = false;
        changeResponses(session, (body) => {
          if (isChanged) return body;
          const other = body
            .replaceAll(new RegExp(`"${field}":"[^"]*"`, "g"), `"${field}":""`)
            .replaceAll(new RegExp(`"${field}":\\d+(?=[,}])`, "g"), `"${field}":0`);
          isChanged = other !== body;
          return other;
        });
        await expectUnchanged(cloud, session, one, field);
        if (isChanged) tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(80);
  });

  test.each([
    { world: "full objects", open: openStack },
    { world: "every kind", open: () => openEvery() },
  ])("no id that a response masks changes the state: $world", async ({ open }) => {
    const { cloud, made } = await open();
    const read = (kind: string, state: ResourceState) =>
      cloud.run(engine.read(cloud.reopen(), resource(kind), state, cloud.call));
    for (const { kind, inputs, state } of made) {
      cloud.emulator.faults.clear();
      const before = (await read(kind, state)) ?? state;
      cloud.emulator.faults.add({ target: "*", kind: "masked-ids" });
      const seen = await read(kind, before);
      expect({ kind, ...seen }).toEqual({ kind, ...before });
      expect({ kind, ...engine.plan(resource(kind), seen, inputs, cloud.session) }).toMatchObject({
        ...{ kind, action: "none", changes: [] },
      });
    }
  });

  test("a refresh whose response omits a required field keeps the recorded value, and warns once", async () => {
    const { cloud, volume, made } = await volumes();
    cloud.emulator.faults.add({ target: "*", kind: "missing-field", field: "size" });
    const session = cloud.reopen();
    for (let nth = 0; nth < 2; nth++)
      expect(await cloud.run(engine.read(session, volume, made, cloud.call))).toEqual(made);
    expect(cloud.warnings).toEqual([
      {
        summary: 'The response for the volume "data" was incomplete',
        detail: 'The API did not return size_gb of the volume "data". The state keeps the recorded value.',
      },
    ]);
  });

  test("an import fails where the response omits a required field", async () => {
    const { cloud, volume, made } = await volumes();
    cloud.emulator.faults.add({ target: "*", kind: "missing-field", field: "size" });
    const id = `${String(made.values.vpcId)},${made.id}`;
    const failed = await cloud.run(failure(engine.import(cloud.reopen(), volume, id, cloud.call)));
    expect(failed.existence).toEqual({ is: "nothing changed" });
    expect(failed.message).toContain("the API did not return its");
  });

  test("an import fails where the response shows a required field as an empty text", async () => {
    const { cloud, vpcId } = await openNetwork();
    const session = cloud.reopen();
    changeResponses(session, (body) => body.replaceAll('"name":"net"', '"name":""'));
    const failed = await cloud.run(failure(engine.import(session, resource("vpc"), vpcId, cloud.call)));
    expect(failed.existence).toEqual({ is: "nothing changed" });
    expect(failed.step).toContain("the API did not return its name");
  });

  test.each([
    ["volume-attachment", "remote_attachment_id"],
    ["port", "port_id"],
    ["port-security-groups", "port_id"],
    ["floating-ip", "floating_ip_krn"],
  ])(
    "a %s whose row has no %s, in every response of a run, stays in the state with an error",
    async (kind, field) => {
      const { cloud, made } = await openEvery();
      const { state } = made.find((one) => one.kind === kind) ?? { state: undefined };
      if (state === undefined) throw new Error(`there is no ${kind}`);
      cloud.emulator.faults.add({ target: "*", kind: "missing-field", field });
      const read = engine.read(
        cloud.reopen(),
        resource(kind),
        { ...state, createdAt: undefined },
        cloud.call,
      );
      expect((await cloud.run(failure(read))).existence.is).toBe("unknown");
      expect(cloud.warnings).toEqual([]);
    },
  );
});
