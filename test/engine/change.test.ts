import { expect, test } from "@jest/globals";
import { engine, graceMs } from "../../provider/engine/engine.ts";
import { outputsOf, stateOf } from "../../provider/pulumi/pulumi.ts";
import { encodePrivate, fromState, toState } from "../../provider/terraform/codec/state.ts";
import { failure, kept, requests, settle } from "../support/cloud.ts";
import { floatingIp, openAddress } from "../support/floating-ip-world.ts";

/** Tests changes that must not be sent twice and whose effect the run did not read; the next run starts immediately. */

/** Stops the attach of a floating IP two seconds after its request; returns the state and the next run. */
async function stoppedAttach(when: "before" | "after") {
  const { cloud, ports, inputs, create } = await openAddress();
  const state = await cloud.run(create());
  await settle(cloud);
  cloud.emulator.configure({ listingLagMs: 30_000 });
  cloud.emulator.faults.add({ target: "attach_floating_ip", kind: "hang", when, times: 1 });
  const stop = new AbortController();
  const wanted = inputs({ portId: ports[0] });
  const call = { ...cloud.call, stop: stop.signal, graceMs: graceMs.terraform };
  const work = failure(engine.update(cloud.session, floatingIp, state, wanted, call));
  await cloud.run(cloud.session.ports.clock.sleep(3_000));
  expect(requests(cloud, "attach_floating_ip")).toHaveLength(1);
  stop.abort();
  const stopped = kept(await cloud.run(work));
  const { session } = cloud;
  const run = cloud.reopen();
  return {
    cloud,
    stopped,
    port: ports[0],
    rerun: async () => {
      const read = await cloud.run(engine.read(run, floatingIp, stopped, cloud.call));
      if (read === undefined) throw new Error("the address left the state");
      return cloud.run(engine.update(run, floatingIp, read, wanted, cloud.call));
    },
    settled: session.settings.settleSeconds * 1000,
  };
}

test("an attach that was executed is not sent again while listings may not show it", async () => {
  const { cloud, port, rerun, settled } = await stoppedAttach("after");
  const began = cloud.elapsed();
  const state = await rerun();
  expect(state.values.portId).toBe(port);
  expect(state.unconfirmed).toBeUndefined();
  expect(requests(cloud, "attach_floating_ip")).toHaveLength(1);
  expect(cloud.elapsed() - began).toBeLessThan(settled);
});

test("an attach that was not executed is sent again after settle_seconds", async () => {
  const { cloud, port, rerun, settled } = await stoppedAttach("before");
  const state = await rerun();
  expect(state.values.portId).toBe(port);
  const [first = 0, second = 0] = requests(cloud, "attach_floating_ip").map(({ at }) => Date.parse(at));
  expect(second - first).toBeGreaterThanOrEqual(settled - 2_000);
});

test("both engines store the unconfirmed change", async () => {
  const { stopped } = await stoppedAttach("after");
  expect(stopped.unconfirmed).toEqual({
    sentAt: expect.any(Number),
    values: { portId: expect.any(String) },
    isUnanswered: true,
  });
  const { unconfirmed } = stopped;
  expect(toState(fromState(stopped, undefined), encodePrivate(stopped))).toMatchObject({ unconfirmed });
  expect(stateOf(floatingIp, String(stopped.id), outputsOf(floatingIp, stopped))).toMatchObject({
    unconfirmed,
  });
});
