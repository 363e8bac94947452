import { expect } from "@jest/globals";
import type { ResourceState } from "../../../provider/core/state.ts";
import type { Values } from "../../../provider/core/value.ts";
import { engine } from "../../../provider/engine/engine.ts";
import type { Reply, Transport, WireRequest } from "../../../provider/platform/ports.ts";
import { type Cloud, failure, resource, settle } from "../../support/cloud.ts";
import { openNetwork } from "../../support/instance-world.ts";

/** Full lifecycles in the engine, without an adapter. */

type Inputs = (name: string) => Values;

export interface World {
  readonly cloud: Cloud;
  readonly kinds: Readonly<Record<string, Inputs>>;
}

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0v8v7l3H5Gm0r5nq0m7xq4b1cQm0mJm0Yk1v0m2k3p";

export async function openWorld(...args: Parameters<typeof openNetwork>): Promise<World> {
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
export async function runLifecycle({ cloud }: World, noun: string, written: Values): Promise<void> {
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

export const nothingToDo = (noun: string, state: ResourceState | undefined, inputs: Values) =>
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

/** Returns a transport wrapper that rewrites response bodies, and the URL, headers and body of requests. */
export const rewriting = (
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
