import { expect, test } from "@jest/globals";
import type { Given } from "../../provider/config/setting.ts";
import { explain } from "../../provider/core/error.ts";
import { engine } from "../../provider/engine/engine.ts";
import { openSession } from "../../provider/engine/session.ts";
import { type Cloud, failure, live, openCloud, resource } from "../support/cloud.ts";

const data = (vpcId: string, name: string) => ({ vpcId, name, sizeGb: 1, volumeType: "HNSS" });

/** Creates, reads and deletes `count` volumes concurrently; returns the time of each request in ms. */
async function runLifecycles(cloud: Cloud, count: number): Promise<number[]> {
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  const names = Array.from({ length: count }, (_, index) => `data-${index}`);
  const volume = resource("volume");
  const made = await cloud.run(
    Promise.all(names.map((name) => cloud.create("volume", data(String(vpc.id), name)))),
  );
  const read = await cloud.run(
    Promise.all(made.map((state) => engine.read(cloud.session, volume, state, cloud.call))),
  );
  expect(read.map((state) => state?.id)).toEqual(made.map(({ id }) => id));
  await cloud.run(Promise.all(made.map((state) => engine.delete(cloud.session, volume, state, cloud.call))));
  expect(live(cloud, "volume")).toEqual([]);
  return cloud.emulator.log.entries().map(({ at }) => Date.parse(at));
}

test("an API that is stricter than the setting slows down all requests without failures", async () => {
  const cloud = openCloud({ rateLimit: 5 }, { maxRequestsPerSecond: 0 });
  await runLifecycles(cloud, 20);
  const refused = cloud.emulator.log.entries().filter(({ outcome }) => outcome === 429);
  expect(refused.length).toBeGreaterThan(0);
});

test("sessions of one account share a rate limit, and another account has a separate one", () => {
  const cloud = openCloud();
  const { ports } = cloud.session;
  const given = { baseUrl: "https://cloud.example", apiKey: "one", maxRequestsPerSecond: 5 };
  const { rateLimiter } = openSession(given, ports);
  expect(openSession({ ...given, region: "In-Hyderabad-1" }, ports).rateLimiter).toBe(rateLimiter);
  expect(openSession({ ...given, apiKey: "other" }, ports).rateLimiter).not.toBe(rateLimiter);
  const signedIn = (email: string, more: Given = {}) =>
    openSession(
      { baseUrl: given.baseUrl, email, password: "secret-password", maxRequestsPerSecond: 5, ...more },
      ports,
    ).rateLimiter;
  expect(signedIn("a@example.com")).toBe(signedIn("a@example.com"));
  expect(signedIn("a@example.com")).not.toBe(signedIn("b@example.com"));
  const [one, other] = ["111111111111", "222222222222"].map((accountId) =>
    signedIn("a@example.com", { accountUser: true, accountId }),
  );
  expect(one).not.toBe(other);
});

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
