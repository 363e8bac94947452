import { expect, test } from "@jest/globals";
import { actions } from "../../functions/index.ts";
import type { Given } from "../../provider/config/setting.ts";
import { explain, InputError, type OperationError } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import type { Action } from "../../provider/definition/function.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Cloud, failure, openCloud, requests } from "../support/cloud.ts";
import { machineStatus, makeMachine } from "../support/machine.ts";

const action = (name: string): Action => {
  const found = actions.find((known) => known.name === name);
  if (found === undefined) throw new Error(`no action ${name}`);
  return found;
};

const vpc = { name: "net", primarySubnet: { name: "first", cidr: "10.0.0.0/24" } };

/** Opens a cloud with one running instance; returns a function that invokes actions on it. */
async function withMachine(options: Parameters<typeof openCloud>[0] = {}, given: Given = {}) {
  const cloud = openCloud(options, given);
  const { id = "" } = await cloud.run(cloud.create("vpc", vpc));
  const pause = () => cloud.run(cloud.session.ports.clock.sleep(1_000));
  const machine = await makeMachine(cloud.emulator, id, pause);
  const reports: string[] = [];
  return {
    cloud,
    machine,
    reports,
    status: () => machineStatus(cloud.emulator, machine),
    invoke: (name: string, stop: AbortSignal = cloud.call.stop, instanceId = machine, given: Values = {}) =>
      cloud.run(
        engine.invoke(
          cloud.session,
          action(name),
          { instanceId, ...given },
          { stop, report: (text) => reports.push(inWordsOf("terraform", text)) },
        ),
      ),
  };
}

const sent = (cloud: Cloud) => requests(cloud, "control_instance").length;
const text = (error: OperationError) => {
  const { summary, detail } = explain(error);
  return `${summary}\n${detail}`;
};

test("a stop is sent once, its progress has the status of the API, and a read confirms it", async () => {
  const { cloud, invoke, status, reports } = await withMachine({ taskMs: 3_000 });
  await invoke("instance-stop");
  expect(await status()).toBe("SHUTOFF");
  expect(sent(cloud)).toBe(1);
  expect(reports[0]).toBe("ACTIVE, requested, 0 s");
  expect(reports).toContain("STOPPING, 1 s");
});

test("an action fails at its timeout, and the error contains the timeout", async () => {
  const { cloud, invoke } = await withMachine({ taskMs: 60_000 });
  const began = cloud.elapsed();
  const work = invoke("instance-stop", undefined, undefined, { timeout: "30s" });
  expect(text(await failure(work))).toContain("30 s");
  expect(cloud.elapsed() - began).toBeLessThan(40_000);
});

test("an invalid timeout is an error at its attribute, and nothing is sent", async () => {
  const { cloud, invoke } = await withMachine();
  await expect(invoke("instance-stop", undefined, undefined, { timeout: "soon" })).rejects.toMatchObject({
    problems: [{ path: ["timeout"], problem: "must be a duration such as 30s, 10m or 1h30m" }],
  });
  expect(sent(cloud)).toBe(0);
});

test("an instance that already has the requested status gets no action", async () => {
  const { cloud, invoke, reports } = await withMachine();
  await invoke("instance-start");
  expect(sent(cloud)).toBe(0);
  expect(reports).toEqual(["already ACTIVE"]);
});

test.each(["SHUTOFF", "STOPPED", "SHUTDOWN"] as const)(
  "an instance that is shown as %s is stopped",
  async (stoppedWord) => {
    const { invoke, reports } = await withMachine({ assume: { stoppedWord } });
    await invoke("instance-stop");
    await invoke("instance-stop");
    expect(reports.at(-1)).toBe(`already ${stoppedWord}`);
  },
);

test("a restart is complete when the instance has changed its status and runs again", async () => {
  const { cloud, invoke, status, reports } = await withMachine({ taskMs: 3_000 });
  await invoke("instance-restart");
  expect(reports).toContain("REBOOT, 1 s");
  expect(await status()).toBe("ACTIVE");
  expect(sent(cloud)).toBe(1);
});

test("a restart that is too quick to observe counts as done after some time", async () => {
  const { cloud, invoke } = await withMachine();
  cloud.emulator.configure({ taskMs: 0 });
  const began = cloud.elapsed();
  await invoke("instance-restart");
  expect(Math.round((cloud.elapsed() - began) / 10_000)).toBe(2);
  expect(sent(cloud)).toBe(1);
});

test("an action waits for a conflict to end", async () => {
  const { cloud, invoke, status } = await withMachine({ taskMs: 5_000 });
  cloud.emulator.faults.add({ target: "control_instance", kind: "409", when: "before", times: 2 });
  await invoke("instance-stop");
  expect(await status()).toBe("SHUTOFF");
  expect(sent(cloud)).toBe(3);
});

test("a restart of a stopped instance fails within 120 s, and its progress has the reason from the first conflict", async () => {
  const { cloud, invoke, reports } = await withMachine();
  await invoke("instance-stop");
  reports.length = 0;
  const began = cloud.elapsed();
  const failed = await failure(invoke("instance-restart"));
  expect(cloud.elapsed() - began).toBeLessThanOrEqual(120_000);
  expect([failed.existence.is, failed.next]).toEqual([
    "nothing changed",
    "Start the instance instead: it is stopped",
  ]);
  expect(reports[0]).toMatch(/^SHUTOFF: /);
});

test("after an ambiguous response, an executed stop is not sent again", async () => {
  const { cloud, invoke, status } = await withMachine();
  cloud.emulator.faults.add({ target: "control_instance", kind: "503", when: "after" });
  await invoke("instance-stop");
  expect(await status()).toBe("SHUTOFF");
  expect(sent(cloud)).toBe(1);
});

test("after an ambiguous response, a stop that was not executed is sent again", async () => {
  const { cloud, invoke, status } = await withMachine();
  cloud.emulator.faults.add({ target: "control_instance", kind: "503", when: "before", times: 1 });
  await invoke("instance-stop");
  expect(await status()).toBe("SHUTOFF");
  expect(sent(cloud)).toBe(2);
});

test("after an ambiguous response, a restart that no read shows is never sent again", async () => {
  const { cloud, invoke } = await withMachine();
  cloud.emulator.faults.add({ target: "control_instance", kind: "503", when: "before", times: 1 });
  expect(text(await failure(invoke("instance-restart")))).toBe(
    `Restarting the instance failed
The API gave no clear response, and the status is still ACTIVE.
The API reports: injected fault. (status 503, request id ${requests(cloud, "control_instance")[0]?.id}, PUT /vm/v1/instance/{instance})
The action may have been executed.
Check the object in the cloud's console, then run again.`,
  );
  expect(sent(cloud)).toBe(1);
});

test("a missing instance is reported after several reads, and nothing is sent", async () => {
  const { cloud, invoke, machine } = await withMachine();
  const other = machine.replace(/[0-9a-f]{4}$/, "ffff");
  const began = cloud.elapsed();
  expect(text(await failure(invoke("instance-stop", undefined, other)))).toBe(
    `Stopping the instance failed
No object has this ID in In-Bangalore-1.
Nothing was changed.
Check the ID, the region and the account of the API key.`,
  );
  expect(cloud.elapsed() - began).toBeLessThan(8_000);
  expect(sent(cloud)).toBe(0);
});

test("the id of another kind is rejected before anything is sent", async () => {
  const { cloud, invoke } = await withMachine();
  const before = cloud.emulator.log.entries().length;
  await expect(invoke("instance-stop", undefined, "krn:vpc:r:a:c:vpc:1")).rejects.toThrow(InputError);
  await expect(invoke("instance-stop", undefined, "")).rejects.toThrow("instanceId: must not be empty");
  expect(cloud.emulator.log.entries()).toHaveLength(before);
});

test("an interrupt ends the wait within two seconds with the known status", async () => {
  const { cloud, invoke } = await withMachine();
  cloud.emulator.configure({ taskMs: 3_600_000 });
  const stop = new AbortController();
  void cloud.emulator.clock.sleep(10_000).then(() => stop.abort());
  const began = cloud.elapsed();
  expect(text(await failure(invoke("instance-stop", stop.signal)))).toMatch(
    /^Stopping the instance failed\nThe API accepted the request, but does not show its result; last seen: STOPPING, \d+ s\.\nThe run was stopped\.\nThe action may have been executed\.\nCheck the object in the cloud's console, then run again\.$/,
  );
  expect(cloud.elapsed() - began).toBeLessThan(12_000);
});
