import { describe, expect, test } from "@jest/globals";
import { aiPodRestart, aiPodStart, aiPodStop } from "../../functions/ai-pod-power.ts";
import { explain } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { openPods, pod, written } from "../support/ai-pod-world.ts";
import { type Cloud, failure, kept, live, requests } from "../support/cloud.ts";

test.each([404, 405] as const)(
  "if a read returns %d, the state is kept, with one warning per run",
  async (podRead) => {
    const { cloud, make, read } = openPods({ podRead });
    const state = await make();
    const other = await make({ name: "serve" });
    expect(await read(state)).toEqual(state);
    expect(await read(other)).toEqual(other);
    expect(cloud.warnings).toEqual([
      {
        summary: 'Drift of the AI pod "train" cannot be detected',
        detail: `The API does not show the AI pod "train" (${state.id}), nor other objects of its kind. The state stays unchanged.`,
      },
    ]);
    cloud.emulator.inventory.remove(state.id ?? "");
    expect(await read(state, cloud.reopen())).toEqual(state);
  },
);

test("if pods can be read, drift is detected and the plan reverts it", async () => {
  const { cloud, inputs, make, read } = openPods({ podRead: "pod" });
  const state = await make({ powerState: "running" });
  await cloud.run(engine.invoke(cloud.session, aiPodStop, { aiPodId: state.id ?? "" }, cloud.call));
  const seen = await read(state);
  expect([seen?.values.powerState, seen?.values.status]).toEqual(["stopped", "stopped"]);
  const { changes } = engine.plan(pod, seen, inputs({ powerState: "running" }), cloud.session);
  expect(changes.map(({ path, effect }) => [...path, effect])).toEqual([["powerState", "update"]]);
  expect(engine.plan(pod, seen, inputs(), cloud.session).action).toBe("none");
  expect(cloud.warnings).toEqual([]);
});

test("an unset field keeps the value of the template, and the plan is empty", async () => {
  const { cloud, inputs, make } = openPods({ podRead: "pod" });
  const state = await make();
  expect(state.values).toMatchObject({
    containerDiskSizeGb: 20,
    volumeMountPath: "/workspace",
    exposeHttpPorts: [8888],
    exposeTcpPorts: [22],
  });
  expect(engine.plan(pod, state, inputs(), cloud.session)).toMatchObject({ action: "none", changes: [] });
});

test.each([405, "pod"] as const)(
  "a pod is stopped, started and restarted as configured (a read answers %s)",
  async (podRead) => {
    const { make, update, acts } = openPods({ podRead });
    const running = await make({ powerState: "running", restartWhenChanged: { by: "1" } });
    expect(acts()).toEqual([]);
    const restarted = await update(running, { powerState: "running", restartWhenChanged: { by: "2" } });
    expect(acts()).toEqual([{ action: "restart" }]);
    const stopped = await update(restarted, { powerState: "stopped", restartWhenChanged: { by: "2" } });
    const still = await update(stopped, { powerState: "stopped", restartWhenChanged: { by: "3" } });
    const started = await update(still, { powerState: "running", restartWhenChanged: { by: "3" } });
    expect(started.values.powerState).toBe("running");
    const all = acts().map((body) => (body as { action: string }).action);
    expect(all.filter((action, at) => action !== all[at - 1])).toEqual(["restart", "stop", "start"]);
  },
);

test.each([405, "pod"] as const)(
  "a pod with the power state stopped is created, then stopped (a read answers %s)",
  async (podRead) => {
    const { make, acts } = openPods({ podRead });
    expect((await make({ powerState: "stopped" })).values.powerState).toBe("stopped");
    expect(new Set(acts().map((body) => (body as { action: string }).action))).toEqual(new Set(["stop"]));
  },
);

test("a pod that cannot be read cannot be imported, with a clear error; others can", async () => {
  const unreadable = openPods();
  const { id = "" } = await unreadable.make();
  expect(explain(await failure(unreadable.take(id))).detail).toBe(
    [
      `The API does not read objects of this kind, so ${id} cannot be imported.`,
      "Nothing was changed.",
      "Create it with this configuration instead of importing it.",
    ].join("\n"),
  );
  const { cloud, make, take, inputs } = openPods({ podRead: "pod" });
  const made = await make({ environmentVariables: { MODEL: "tiny" } });
  const state = await take(made.id ?? "");
  const plan = engine.plan(pod, state, inputs({ environmentVariables: { MODEL: "tiny" } }), cloud.session);
  expect(plan.changes).toEqual([]);
});

test.each([404, "pod"] as const)("a pod is deleted (a read answers %s)", async (podRead) => {
  const { cloud, make, remove } = openPods({ podRead });
  const state = await make();
  await remove(state);
  await cloud.run(cloud.session.ports.clock.sleep(5_000));
  expect(live(cloud, "ai_pod")).toEqual([]);
  await remove(state);
});

test("unset fields stay unchanged when another field changes", async () => {
  const { make, update } = openPods();
  const state = await make({ powerState: "stopped", restartWhenChanged: { by: "1" } });
  const changed = await update(state, { restartWhenChanged: { by: "2" } });
  expect(changed.values).toMatchObject({ powerState: "stopped", restartWhenChanged: { by: "2" } });
});

test.each([aiPodStart, aiPodStop, aiPodRestart])(
  "an action is sent once and waited for: $name",
  async (action) => {
    for (const podRead of [405, "pod"] as const) {
      const { cloud, make, acts } = openPods({ podRead, repeatedPower: 202 });
      const { id = "" } = await make();
      await cloud.run(cloud.session.ports.clock.sleep(5_000));
      await cloud.run(engine.invoke(cloud.session, action, { aiPodId: id }, cloud.call));
      expect(acts()).toEqual([{ action: action.name.split("-").at(-1) }]);
    }
  },
);

test.each<[string, Values, string[]]>([
  ["a template", {}, []],
  ["an image", { templateId: null, imageKrn: "krn:vm:r:default:default:image:1" }, []],
  ["neither", { templateId: null }, ["imageKrn or templateId is required"]],
  ["both", { imageKrn: "image-1" }, ["templateId conflicts with imageKrn: set only one of them"]],
  [
    "an id of another kind in place of an image",
    { templateId: null, imageKrn: "krn:vm:r:1:2:instance:3" },
    ["imageKrn is the ID of an instance, but the ID of an image is required"],
  ],
  ["a long name", { name: "x".repeat(33) }, ["name must be 1 to 32 letters, digits, _ or -"]],
  ["the longest name", { name: "A-z_9".padEnd(32, "x") }, []],
  ["ports beyond the last", { exposeTcpPorts: [22, 65_536] }, ["exposeTcpPorts.1 must be at most 65535"]],
])("checked: %s", (_, change, expected) => {
  const { problems } = engine.check(pod, { ...written, ...change });
  expect(
    problems.map(({ path, problem }) => `${path.join(".")} ${inWordsOf("pulumi", problem)}`.trim()),
  ).toEqual(expected);
});

test("the environment variables of a pod are secret", () => {
  const secret = Object.entries(pod.fields).filter(
    ([, { kind, options }]) => kind === "field" && "secret" in options,
  );
  expect(secret.map(([name]) => name)).toEqual(["environmentVariables"]);
});

/** Returns the id of the last request of an operation. */
const last = (cloud: Cloud, operation: string) => requests(cloud, operation).at(-1)?.id;

describe("Responses that do not come from the API, and pods that no read shows", () => {
  test("a stop without a clear response that no read can confirm counts as done, with a warning", async () => {
    const { cloud, make, update, acts } = openPods();
    const state = await make();
    await cloud.run(cloud.session.ports.clock.sleep(5_000));
    cloud.emulator.faults.add({ target: "update_pod", kind: "reset", when: "after" });
    expect((await update(state, { powerState: "stopped" })).values.powerState).toBe("stopped");
    expect(acts()).toEqual([{ action: "stop" }]);
    expect(cloud.warnings.map(({ detail }) => detail)).toEqual([
      'The API gave no clear response to the change of power_state of the AI pod "train". It is recorded as done and is not sent again. If it was not done, change power_state again.',
    ]);
  });

  test("a create without a clear response reports that the pod may exist", async () => {
    const { cloud, make } = openPods();
    cloud.emulator.faults.add({ target: "create_pod", kind: "reset", when: "after" });
    expect(explain(await failure(make()))).toEqual({
      summary: 'Creating the AI pod "train" failed',
      detail: [
        "The API gave no clear response, and does not list objects of this kind.",
        "The connection was closed before the response. (POST /v1/kpod/pod)",
        "The object may exist.",
        "Look for it in the cloud's console; if it exists, delete it there before the next run, which creates another.",
      ].join("\n"),
    });
  });

  test("a create whose pod shows another value than configured fails, and the pod is in the state", async () => {
    const { cloud, make } = openPods({ podRead: "pod" });
    cloud.emulator.faults.add({ target: "get_pod", kind: "big-int" });
    const failed = await failure(make({ powerState: "running" }));
    expect(explain(failed).detail).toMatch(/The API shows a different template_id than configured/);
    expect([failed.existence.is, failed.state?.id]).toEqual(["recorded", live(cloud, "ai_pod")[0]?.krn]);
  });

  test("a pod with an id that no route accepts does not count as deleted, and the error has a remedy", async () => {
    const { cloud, make, remove } = openPods({ podId: "other" });
    const state = await make();
    expect(explain(await failure(remove(state))).detail).toBe(
      [
        `The API does not find ${state.id}, which may not be an ID of the object.`,
        `The API reports: pod ${state.id} not found. (status 404, request id ${last(cloud, "delete_pod")}, DELETE /v1/kpod/pod/{pod})`,
        "The state stays unchanged.",
        `Delete the AI pod "train" (pod-a6ff96fa-e575-4ec1-a6b4-b98ba560596e) in the cloud's console, then remove it from the state (terraform state rm kcloud_ai_pod.NAME, or tofu state rm kcloud_ai_pod.NAME).`,
      ].join("\n"),
    );
    expect(live(cloud, "ai_pod")).toHaveLength(1);
  });

  test("a pod counts as gone once its delete is answered 404 for settle_seconds, and no sooner", async () => {
    const { cloud, make, remove } = openPods();
    const state = await make();
    cloud.emulator.faults.add({ target: "delete_pod", kind: "404", times: 6 });
    await remove(state);
    expect(requests(cloud, "delete_pod").map(({ outcome }) => outcome)).toEqual([
      404, 404, 404, 404, 404, 404, 200,
    ]);
    await cloud.run(cloud.session.ports.clock.sleep(5_000));
    const began = cloud.elapsed();
    await remove(state);
    expect(cloud.elapsed() - began).toBeGreaterThanOrEqual(120_000);
  });

  test("an unknown status does not change the recorded power state", async () => {
    const { cloud, make, update } = openPods({ podRead: "pod" });
    const state = await make();
    expect(state.values).toMatchObject({ status: "creating", powerState: "running" });
    cloud.emulator.faults.add({ target: "get_pod", kind: "unknown-status" });
    const changed = await update(state, { restartWhenChanged: { by: "1" } });
    expect(changed.values).toMatchObject({ status: "MYSTERY", powerState: "running" });
  });

  test("a response without a pod does not count as a read", async () => {
    const { cloud, make, read } = openPods({ podRead: "pod" });
    cloud.emulator.faults.add({ target: "get_pod", kind: "error-in-200" });
    const state = await make();
    expect(state.values.powerState).toBe("running");
    expect(await read(state)).toEqual(state);
    expect(cloud.warnings.map(({ summary }) => summary)).toEqual([
      'Drift of the AI pod "train" cannot be detected',
    ]);
  });

  test("a change of a deleted pod reports that the pod may have to be recreated", async () => {
    const { cloud, make, update } = openPods();
    const state = await make();
    cloud.emulator.inventory.remove(state.id ?? "");
    const failed = await failure(update(state, { powerState: "stopped" }));
    expect(explain(failed).detail).toBe(
      [
        "The API did not confirm the change.",
        `The API reports: pod ${state.id} not found. (status 404, request id ${last(cloud, "update_pod")}, PUT /v1/kpod/pod/{pod})`,
        "The state stays unchanged.",
        "Check the object in the cloud's console, or replace it with terraform apply -replace=ADDRESS (or tofu apply -replace=ADDRESS).",
      ].join("\n"),
    );
    expect(kept(failed).values).toEqual(state.values);
  });

  test("a pod that is already stopped but not readable is not stopped, and the error has a remedy", async () => {
    const { cloud, make, update } = openPods({ repeatedPower: 409 });
    const state = await make();
    await cloud.run(cloud.session.ports.clock.sleep(5_000));
    await cloud.run(engine.invoke(cloud.session, aiPodStop, { aiPodId: state.id ?? "" }, cloud.call));
    await cloud.run(cloud.session.ports.clock.sleep(5_000));
    const failed = await failure(update(state, { powerState: "stopped" }));
    expect(explain(failed).detail).toBe(
      [
        "The API did not confirm the change; last seen: the API reports: cannot stop pod train: it is stopped, 599 s.",
        "The timeout of 600 s expired.",
        "The object exists. Part of the change may have been made.",
        "Run again, or set a longer timeout (timeouts). If the object already has the configured value, first change it back to the value in the state.",
      ].join("\n"),
    );
  });

  test("a delete is sent again until it gets a clear response", async () => {
    const { cloud, make, remove } = openPods();
    const state = await make();
    cloud.emulator.faults.add({ target: "delete_pod", kind: "503", times: 2 });
    await remove(state);
    await cloud.run(cloud.session.ports.clock.sleep(5_000));
    expect(live(cloud, "ai_pod")).toEqual([]);
  });
});
