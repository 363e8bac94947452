import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { Text } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Cloud, failure, openCloud, resource } from "../support/cloud.ts";

/** Tests log lines of operations: each names the object, so that the lines of one object can be found. */

const data = (vpcId: string, name: string) => ({ vpcId, name, sizeGb: 1, volumeType: "HNSS" });

/** Wraps the sleep of a cloud's clock; returns a function that counts pending sleeps. */
function counted(cloud: Cloud): () => number {
  const { clock } = cloud.session.ports;
  const { sleep } = clock;
  let sleeping = 0;
  Object.assign(clock, {
    sleep: (ms: number, signal?: AbortSignal) => {
      sleeping += 1;
      return sleep(ms, signal).finally(() => {
        sleeping -= 1;
      });
    },
  });
  return () => sleeping;
}

test("no timer remains after its operation has ended in any way", async () => {
  const cloud = openCloud();
  const sleeping = counted(cloud);
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  expect(sleeping()).toBe(0);
  await cloud.run(failure(cloud.create("volume", data(String(vpc.id), "data-fails"))));
  expect(sleeping()).toBe(0);
  cloud.emulator.faults.add({ target: "create_volume", kind: "hang" });
  const stop = new AbortController();
  const { inputs } = engine.check(resource("volume"), data(String(vpc.id), "data"));
  const work = failure(engine.create(cloud.session, resource("volume"), inputs, { stop: stop.signal }));
  await cloud.run(cloud.session.ports.clock.sleep(1_000));
  stop.abort();
  expect(explain(await cloud.run(work)).detail).toContain("The outcome of the request is unknown.");
  expect(sleeping()).toBe(0);
  await cloud.run(
    failure(engine.delete(cloud.session, resource("vpc"), vpc, { ...cloud.call, timeout: 20 })),
  );
  expect(sleeping()).toBe(0);
});

test("lines of requests and of waits have kind, name, id and request id, and the facts that the adapter adds", async () => {
  const lines: { message: Text; facts: object }[] = [];
  const log = (_: string, message: Text, facts: object = {}) => void lines.push({ message, facts });
  const cloud = openCloud({}, {}, { log });
  const vpc = resource("vpc");
  const state = await cloud.run(cloud.create("vpc", { name: "net" }));
  expect(lines.filter(({ message }) => message === "waiting")).not.toEqual([]);
  for (const { facts } of lines) expect(facts).toMatchObject({ resource: "vpc", name: "net" });
  lines.length = 0;
  const call = { ...cloud.call, facts: { urn: "urn:pulumi:dev::shop::kcloud:index:Vpc::net" } };
  await cloud.run(engine.read(cloud.reopen(), vpc, state, call));
  const object = { resource: "vpc", name: "net", id: state.id, urn: call.facts.urn };
  expect(lines.map(({ message }) => message)).toContain("request");
  for (const { message, facts } of lines) {
    expect(facts).toMatchObject(object);
    if (message === "request") expect(facts).toMatchObject({ requestId: expect.stringMatching(/\S/) });
  }
});
