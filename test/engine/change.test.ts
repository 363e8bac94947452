import { describe, expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import { engine, graceMs } from "../../provider/engine/engine.ts";
import { outputsOf, stateOf } from "../../provider/pulumi/pulumi.ts";
import { encodePrivate, fromState, toState } from "../../provider/terraform/codec/state.ts";
import { openPods } from "../support/ai-pod-world.ts";
import { failure, kept, openCloud, requests, resource, settle } from "../support/cloud.ts";
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

describe("errors inside a 2xx response: a body with the status `failed`, without an id or a task", () => {
  const said = "The API reports: quota exceeded. (status 200, ";

  test("a stop of a pod with an error inside a 200 is not a success", async () => {
    const { cloud, make, update } = openPods();
    const state = await make();
    cloud.emulator.faults.add({ target: "update_pod", kind: "refusal-in-200", word: "quota exceeded" });
    const failed = await failure(update(state, { powerState: "stopped" }));
    expect(explain(failed).detail).toContain(said);
    expect([requests(cloud, "update_pod").length, cloud.warnings]).toEqual([1, []]);
    expect(failed.state?.values.powerState).toBe("running");
  });

  test("a detach of a rule with an error and no status inside a 200 is not a success", async () => {
    const cloud = openCloud();
    const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
    const group = (name: string) => cloud.run(cloud.create("security-group", { vpcId, name }));
    const [one, two] = [await group("one"), await group("two")];
    const rule = { vpcId, direction: "ingress", protocol: "tcp", portMin: 80, portMax: 80 };
    const written = { ...rule, remoteIpPrefix: "10.0.0.0/16", securityGroupId: String(one.id) };
    const state = await cloud.run(cloud.create("security-group-rule", written));
    cloud.emulator.faults.add({ target: "detach_rule", kind: "error-in-200" });
    const { inputs } = engine.check(resource("security-group-rule"), {
      ...written,
      securityGroupId: String(two.id),
    });
    const end = engine.update(cloud.session, resource("security-group-rule"), state, inputs, cloud.call);
    expect(explain(await cloud.run(failure(end))).detail).toContain("The API reports: internal failure.");
  });
});
