import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import { inWordsOf, type Text } from "../../../provider/core/wording.ts";
import { engine } from "../../../provider/engine/engine.ts";
import type { Transport } from "../../../provider/platform/ports.ts";
import { type Cloud, failure, kept, live, requests } from "../../support/cloud.ts";
import { instance, logged, openNetwork, sentSince } from "../../support/instance-world.ts";

/** Tests power state and restarts of an instance: each action is sent only if needed, and only once. */

const actions = (...args: Parameters<typeof sentSince>) => sentSince(...args).map(([, body]) => body);

test.each(["SHUTOFF", "STOPPED", "SHUTDOWN"] as const)(
  "an instance with the power state stopped is created, then stopped, with the status: %s",
  async (stoppedWord) => {
    const { cloud, inputs, create } = await openNetwork({ assume: { stoppedWord } });
    const before = logged(cloud);
    const state = await cloud.run(create({ powerState: "stopped" }));
    expect(state.values).toMatchObject({ powerState: "stopped", status: stoppedWord });
    expect(sentSince(cloud, before).map(([operation]) => operation)).toEqual([
      "create_instance",
      "control_instance",
    ]);
    const again = engine.plan(instance, state, inputs({ powerState: "stopped" }), cloud.session);
    expect(again.action).toBe("none");
  },
);

test("an instance is stopped and started as configured, and not changed without a configured power state", async () => {
  const { cloud, inputs, create, update, read } = await openNetwork();
  const running = await cloud.run(create({ powerState: "running" }));
  const before = logged(cloud);
  const stopped = await cloud.run(update(running, { powerState: "stopped" }));
  expect([stopped.values.powerState, stopped.values.status]).toEqual(["stopped", "SHUTOFF"]);
  const left = engine.plan(instance, await cloud.run(read(stopped)), inputs(), cloud.session);
  expect(left.action).toBe("none");
  const started = await cloud.run(update(stopped, { powerState: "running" }));
  expect([started.values.powerState, started.values.status]).toEqual(["running", "ACTIVE"]);
  expect(actions(cloud, before)).toEqual([{ action: "stop" }, { action: "start" }]);
});

test("a stop that fails after the create keeps the instance, and the next run stops it", async () => {
  const { cloud, inputs, create, update } = await openNetwork();
  cloud.emulator.faults.add({ target: "control_instance", kind: "422", times: 1 });
  const failed = await cloud.run(failure(create({ powerState: "stopped" })));
  expect(explain(failed).detail).toContain("The object was created, but a later step failed.");
  const state = kept(failed);
  expect([state.id, state.failed]).toEqual([live(cloud, "instance")[0]?.krn, undefined]);
  const plan = engine.plan(instance, state, inputs({ powerState: "stopped" }), cloud.session);
  expect(plan.changes.map(({ path, effect }) => [...path, effect])).toEqual([["powerState", "update"]]);
  const after = await cloud.run(update(state, { powerState: "stopped" }));
  expect(after.values.powerState).toBe("stopped");
});

test("a machine that was ready and fails while its create stops it is not replaced by the next run", async () => {
  const breaksDown = (transport: Transport): Transport => ({
    async send(request, signal) {
      const reply = await transport.send(request, signal);
      if (request.method === "PUT") change({ failure: "host down" });
      return reply;
    },
  });
  const { cloud, inputs, create } = await openNetwork({}, {}, { wrap: breaksDown });
  const change = (work: object) => {
    const [machine] = live(cloud, "instance") as unknown as { krn: string; work: object }[];
    cloud.emulator.inventory.change(machine?.krn ?? "", { work: { ...machine?.work, ...work } });
  };
  const wanted = { powerState: "stopped" };
  const failed = await cloud.run(failure(create(wanted)));
  expect(explain(failed).detail).toContain("host down");
  const state = kept(failed);
  expect(state.id).toBe(live(cloud, "instance")[0]?.krn);
  const { changes } = engine.plan(instance, state, inputs(wanted), cloud.session);
  expect(changes.map(({ path, effect }) => [...path, effect])).toEqual([["powerState", "update"]]);
});

const one = { restartWhenChanged: { release: "1" } };

const two = { restartWhenChanged: { release: "2" } };

test.each([
  ["set for the first time", {}, one, []],
  ["changed", one, two, [{ action: "reboot" }]],
  ["removed", one, {}, []],
  [
    "changed while the instance is stopped",
    { ...one, powerState: "stopped" },
    { ...two, powerState: "stopped" },
    [],
  ],
  [
    "changed together with a start",
    { ...one, powerState: "stopped" },
    { ...two, powerState: "running" },
    [{ action: "start" }],
  ],
  ["changed together with a stop", one, { ...two, powerState: "stopped" }, [{ action: "stop" }]],
] as const)("a value of restart_when_changed that is %s", async (_, from, to, expected) => {
  const { cloud, inputs, create, update } = await openNetwork();
  const state = await cloud.run(create(from));
  const before = logged(cloud);
  const after = await cloud.run(update(state, to));
  expect(actions(cloud, before)).toEqual(expected);
  expect(engine.plan(instance, after, inputs(to), cloud.session).action).toBe("none");
});

test("an import restarts nothing", async () => {
  const { cloud, vpcId, create, inputs, update } = await openNetwork();
  const made = await cloud.run(create(one));
  const state = await cloud.run(engine.import(cloud.session, instance, `${vpcId},${made.id}`, cloud.call));
  const before = logged(cloud);
  const after = await cloud.run(update(state, two));
  expect(sentSince(cloud, before)).toEqual([]);
  expect(engine.plan(instance, after, inputs(two), cloud.session).action).toBe("none");
});

test.each(["reset", "503", "html-200"] as const)(
  "a restart that is answered by %s counts as done and is not sent twice",
  async (kind) => {
    const { cloud, inputs, create, update } = await openNetwork();
    const state = await cloud.run(create(one));
    cloud.emulator.faults.add({ target: "control_instance", kind, when: "after", times: 1 });
    const after = await cloud.run(update(state, two));
    expect(requests(cloud, "control_instance")).toHaveLength(1);
    expect(engine.plan(instance, after, inputs(two), cloud.session).action).toBe("none");
    expect(cloud.warnings).toEqual([
      {
        summary: 'The change of restart_when_changed of the instance "web" was not confirmed',
        detail:
          'The API gave no clear response to the change of restart_when_changed of the instance "web". It is recorded as done and is not sent again. If it was not done, change restart_when_changed again.',
      },
    ]);
  },
);

/** Stops the machine as a user of the console does. */
const stopByHand = (cloud: Cloud) =>
  cloud.emulator.inventory.change(live(cloud, "instance")[0]?.krn ?? "", { running: false });

test("a restart of an instance that another user stopped fails within 120 s, and its progress has the reason from the first conflict", async () => {
  const { cloud, create, update } = await openNetwork();
  const state = await cloud.run(create(one));
  stopByHand(cloud);
  const reports: string[] = [];
  const call = { report: (status: Text) => reports.push(inWordsOf("terraform", status)) };
  const began = cloud.elapsed();
  const failed = await cloud.run(failure(update(state, two, call)));
  expect(cloud.elapsed() - began).toBeLessThanOrEqual(120_000);
  expect([failed.existence.is, explain(failed).detail]).toEqual([
    "nothing changed",
    expect.stringMatching(
      /it is stopped\.(?:.*\n)+Set power_state = "running" first: a restart does not start it\.$/,
    ),
  ]);
  expect(reports[0]).toMatch(/^it is stopped, /);
  const late = await cloud.run(failure(update(state, two, { timeout: 300 })));
  expect(late.cause).toMatchObject({ why: "deadline" });
  expect(cloud.elapsed() - began).toBeGreaterThan(300_000);
});

test("a restart that conflicts until another user starts the machine counts as done", async () => {
  const { cloud, create, update } = await openNetwork();
  const state = await cloud.run(create(one));
  stopByHand(cloud);
  const restarted = cloud.run(update(state, two));
  await cloud.run(cloud.session.ports.clock.sleep(60_000));
  cloud.emulator.inventory.change(live(cloud, "instance")[0]?.krn ?? "", { running: true });
  expect((await restarted).values.restartWhenChanged).toEqual(two.restartWhenChanged);
});

test("an update waits for the restart", async () => {
  const { cloud, create, update } = await openNetwork({ taskMs: 20_000 });
  const state = await cloud.run(create(one));
  const began = cloud.elapsed();
  const after = await cloud.run(update(state, two));
  expect(after.values.status).toBe("ACTIVE");
  expect(cloud.elapsed() - began).toBeGreaterThanOrEqual(20_000);
});

test("a machine that is listed before it has an id is stopped and recorded by its later id", async () => {
  const assume = { instanceKrn: "active" } as const;
  const { cloud, create } = await openNetwork({ assume, listingLagMs: 40_000, taskMs: 20_000 });
  const state = await cloud.run(create({ powerState: "stopped" }));
  const [machine] = live(cloud, "instance");
  expect([state.id, state.values.powerState]).toEqual([machine?.krn, "stopped"]);
  expect(requests(cloud, "control_instance")).toHaveLength(1);
});

test("a failed instance is not adopted, and is reported as failed in any power state", async () => {
  const { cloud, inputs, create } = await openNetwork();
  const wanted = { name: "web-fails", powerState: "stopped" };
  await cloud.run(failure(create(wanted)));
  const session = cloud.reopen({ adoptExisting: true });
  const failed = await cloud.run(failure(engine.create(session, instance, inputs(wanted), cloud.call)));
  expect([failed.step, failed.next]).toEqual([
    "an object with this name already exists and was not adopted: the API accepted the request, but the operation failed",
    "Run again, or delete it in the cloud's console",
  ]);
});
