import { expect, test } from "@jest/globals";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import type { Reply, Transport, WireRequest } from "../../provider/platform/ports.ts";
import { type Cloud, failure, live, openCloud, resource, settle } from "../support/cloud.ts";
import { openNetwork } from "../support/instance-world.ts";

/** Tests full lifecycles with unusual names, ids and status texts in the engine, without an adapter. */

type Inputs = (name: string) => Values;
interface World {
  readonly cloud: Cloud;
  readonly kinds: Readonly<Record<string, Inputs>>;
}

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0v8v7l3H5Gm0r5nq0m7xq4b1cQm0mJm0Yk1v0m2k3p";

async function openWorld(...args: Parameters<typeof openNetwork>): Promise<World> {
  const { cloud, vpcId, written } = await openNetwork(...args);
  let ranges = 1;
  return {
    cloud,
    kinds: {
      vpc: (name) => ({ name }),
      subnet: (name) => ({ vpcId, name, cidr: `10.0.${16 * ranges++}.0/20` }),
      volume: (name) => ({ vpcId, name, sizeGb: 1, volumeType: "ssd" }),
      "security-group": (name) => ({ vpcId, name, description: name }),
      "ssh-key": (name) => ({ name, publicKey: key }),
      instance: (name) => ({ ...written, name, tags: { [name]: name } }),
    },
  };
}

/** Creates, reads, imports and deletes an object, and checks that every value comes back unchanged. */
async function runLifecycle({ cloud }: World, noun: string, written: Values): Promise<void> {
  const kind = resource(noun);
  const { session, call } = cloud;
  const { inputs, problems } = engine.check(kind, written);
  expect(problems).toEqual([]);
  const state = await cloud.run(engine.create(session, kind, inputs, call));
  expect(state.values).toMatchObject(inputs);
  const again = cloud.reopen();
  const twin = await cloud.run(failure(engine.create(again, kind, inputs, call)));
  expect(`${noun}: ${twin.message}`).toMatch(/an object with this name already exists/);
  const seen = await cloud.run(engine.read(again, kind, state, call));
  expect(nothingToDo(noun, seen, inputs)).toEqual([]);
  await canImport(cloud, noun, state);
  await cloud.run(engine.delete(again, kind, seen as ResourceState, call));
  await settle(cloud);
  if (typeof kind.verbs.delete === "function")
    expect(await cloud.run(engine.read(cloud.reopen(), kind, state, call))).toBeUndefined();
}

const nothingToDo = (noun: string, state: ResourceState | undefined, inputs: Values) =>
  engine.plan(resource(noun), state, inputs, undefined).changes.map(({ path }) => path.join("."));

async function canImport(cloud: Cloud, noun: string, state: ResourceState): Promise<void> {
  const kind = resource(noun);
  const values: Values = Object.fromEntries(
    (kind.parents ?? []).map((parent) => [parent, state.values[parent] ?? null]),
  );
  const where = { id: state.id ?? "", region: undefined, values };
  const imported = await cloud.run(engine.import(cloud.reopen(), kind, where, cloud.call));
  expect(imported.id).toBe(state.id);
  expect(String(imported.values.name).normalize()).toBe(String(state.values.name).normalize());
}

const names = [
  "with spaces and a tab\t",
  " beginning and ending with one ",
  "a/b\\c?d=e&f#g%h%2Fi+j",
  "\"quoted\" 'twice' `and` $(again) ${x} <b>&amp;</b>",
  "krn:vpc:In-Bangalore-1:1:2:vpc:3",
  "a,b:c;d|e",
  "..",
  "__proto__",
  "constructor",
  "null",
  "0",
  "ПРИВЕТ 你好 नमस्ते",
  "e\u0301 and é",
  "👩‍👩‍👧 \u200b\u202eright",
  "x".repeat(255),
];

test.each(names)("every object with a name may have the name %j", async (name) => {
  const world = await openWorld({ taskMs: 0 });
  for (const [noun, inputs] of Object.entries(world.kinds)) await runLifecycle(world, noun, inputs(name));
});

/** Returns a transport wrapper that rewrites response bodies, and the URL, headers and body of requests. */
const rewriting = (
  answer: (body: string, request: WireRequest) => string,
  request: (text: string) => string = (text) => text,
) => ({
  wrap: (transport: Transport): Transport => ({
    async send(wire, signal): Promise<Reply> {
      const { body } = wire;
      const headers = Object.entries(wire.headers).map(([name, value]) => [name, request(value)]);
      const sent = {
        ...wire,
        url: request(wire.url),
        headers: Object.fromEntries(headers),
        ...(body === undefined ? {} : { body: request(body) }),
      };
      const reply = await transport.send(sent, signal);
      return reply.kind === "answer" ? { ...reply, body: answer(reply.body, wire) } : reply;
    },
  }),
});

test.each([
  ["NFC", "NFD"],
  ["NFD", "NFC"],
] as const)("a name written in %s that the API returns in %s is the same name", async (given, shown) => {
  const world = await openWorld(
    { taskMs: 0 },
    {},
    rewriting((body) => body.normalize(shown)),
  );
  const { cloud, kinds } = world;
  const vpcId = String(live(cloud, "vpc")[0]?.krn);
  const subnetId = String(live(cloud, "subnet")[0]?.krn);
  const named: World["kinds"] = {
    ...kinds,
    volume: (name) => ({ ...kinds.volume?.(name), metadata: { [name]: name } }),
    port: (name) => ({ vpcId, subnetId, name }),
    "floating-ip": (name) => ({ vpcId, subnetId, name }),
    "instance-template": (name) => ({ ...kinds.instance?.(name), tags: null }),
  };
  for (const [noun, inputs] of Object.entries(named))
    await runLifecycle(world, noun, inputs("é".normalize(given)));
});

/** Transport wrapper for the compact layout of ids, whose last part is `<type>/<uuid>` (docs/contract.md#1.4). */
const compact = rewriting(
  (body) => body.replace(/krn:(\w+):([\w-]+):(\w+):[\w-]+:(\w+):([\da-f-]{36})/g, "krn:$1:net:$2:$3:$4/$5"),
  (text) =>
    text.replace(
      /krn(:|%3A)(\w+)\1net\1([\w-]+)\1(\w+)\1(\w+)(?:\/|%2F)([\da-f-]{36})/g,
      "krn$1$2$1$3$1$4$1" + "00000000-0000-4000-8000-000000000000" + "$1$5$1$6",
    ),
);

test("ids whose last part has a slash are sent as one path segment", async () => {
  const cloud = openCloud({ taskMs: 0 }, {}, compact);
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  expect(vpc.id).toMatch(/:vpc\/[\da-f-]{36}$/);
  const vpcId = String(vpc.id);
  const world: World = { cloud, kinds: {} };
  await runLifecycle(world, "volume", { vpcId, name: "data", sizeGb: 1, volumeType: "ssd" });
  await runLifecycle(world, "subnet", { vpcId, name: "a", cidr: "10.0.0.0/20" });
  await runLifecycle(world, "security-group", { vpcId, name: "web" });
  await cloud.run(engine.delete(cloud.session, resource("vpc"), vpc, cloud.call));
});

/** Returns a transport wrapper that changes the case of status texts in responses. */
const withStatusCase = (letters: (word: string) => string) =>
  rewriting((body) =>
    body.replace(
      /"(status|state|last_action_status)":"(\w+)"/g,
      (_, name: string, word: string) => `"${name}":"${letters(word)}"`,
    ),
  );

test.each([
  ["capitals", (word: string) => word.toUpperCase()],
  ["small letters", (word: string) => word.toLowerCase()],
  ["one capital", (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()],
])("status values in %s are recognized", async (_, letters) => {
  const world = await openWorld({ taskMs: 1_000 }, {}, withStatusCase(letters));
  for (const [noun, inputs] of Object.entries(world.kinds)) await runLifecycle(world, noun, inputs("odd"));
});

/** Transport wrapper that masks the customer part of ids in listings (docs/contract.md#1.4). */
const masking = rewriting((body, { method, url }) =>
  method === "GET" && /list|search|volumes\?|volumes$|securityGroup/.test(url)
    ? body.replaceAll(":00000000-0000-4000-8000-000000000000:", ":***:")
    : body,
);

test("objects that listings show with masked ids are recognized by their full ids", async () => {
  const cloud = openCloud({ taskMs: 0 }, {}, masking);
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  const vpcId = String(vpc.id);
  expect(vpcId).not.toContain("***");
  const made: [string, ResourceState][] = [];
  const kinds: readonly (readonly [string, () => Values])[] = [
    ["volume", () => ({ name: "a", sizeGb: 1, volumeType: "ssd" })],
    ["subnet", () => ({ name: "a", cidr: "10.0.0.0/20" })],
    ["floating-ip", () => ({ name: "a", subnetId: made.at(-1)?.[1].id ?? null })],
    ["security-group", () => ({ name: "a" })],
    [
      "security-group-rule",
      () => ({
        securityGroupId: made.at(-1)?.[1].id ?? null,
        direction: "ingress",
        protocol: "tcp",
        remoteIpPrefix: "0.0.0.0/0",
      }),
    ],
  ];
  for (const [noun, more] of kinds) {
    const kind = resource(noun);
    const { inputs } = engine.check(kind, { vpcId, ...more() });
    const began = cloud.elapsed();
    const state = await cloud.run(engine.create(cloud.session, kind, inputs, cloud.call));
    expect(cloud.elapsed() - began).toBeLessThan(10_000);
    expect(state.id).not.toContain("***");
    const seen = await cloud.run(engine.read(cloud.reopen(), kind, state, cloud.call));
    expect(nothingToDo(noun, seen, inputs)).toEqual([]);
    made.push([noun, state]);
  }
  for (const [noun, state] of made.toReversed())
    await cloud.run(engine.delete(cloud.session, resource(noun), state, cloud.call));
  await cloud.run(engine.delete(cloud.session, resource("vpc"), vpc, cloud.call));
  expect(cloud.emulator.inventory.list()).toEqual([]);
});
