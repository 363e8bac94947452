import { expect, test } from "@jest/globals";
import { aiPodRestart, aiPodStart, aiPodStop } from "../../functions/ai-pod-power.ts";
import { explain } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { openPods, pod, written } from "../support/ai-pod-world.ts";
import { failure, live, requests } from "../support/cloud.ts";

test("a pod is created with only the configured fields, in the spelling of the API", async () => {
  const { cloud, make } = openPods();
  const state = await make({
    containerDiskSizeGb: 20,
    volumeMountPath: "/data",
    exposeHttpPorts: [8888, 6006],
    exposeTcpPorts: [22],
    sshAccess: true,
    environmentVariables: { MODEL: "tiny" },
  });
  expect(requests(cloud, "create_pod").map(({ body }) => body)).toEqual([
    {
      pod_name: "train",
      pod_template_id: 1,
      flavor_name: "p1.small",
      sshkey_name: "demo-key",
      container_disk_size: "20",
      volume_disk_size: "50",
      volume_mount_path: "/data",
      expose_http_ports: "8888,6006",
      expose_tcp_ports: "22",
      has_encrypt_volume: false,
      has_jupyter_notebook: false,
      has_ssh_access: true,
      region: "In-Bangalore-1",
      environment_variables: [{ name: "MODEL", value: "tiny" }],
      category: "aipod",
    },
  ]);
  expect(state.id).toBe(live(cloud, "ai_pod")[0]?.krn);
  expect(state.values).toMatchObject({ name: "train", powerState: "running", exposeHttpPorts: [8888, 6006] });
});

test("a pod is created from an image", async () => {
  const { cloud, make } = openPods();
  const imageKrn = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";
  await make({ templateId: null, imageKrn });
  expect(requests(cloud, "create_pod")[0]?.body).toMatchObject({ imageKrn, environment_variables: [] });
});

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

test("empty lists of ports close the ports of the template, and the next plan is empty", async () => {
  const { cloud, inputs, make, read } = openPods({ podRead: "pod" });
  const closed = { exposeHttpPorts: [], exposeTcpPorts: [] };
  const state = await make(closed);
  const [sent] = requests(cloud, "create_pod");
  expect(sent?.body).toMatchObject({ expose_http_ports: "", expose_tcp_ports: "" });
  const seen = await read(state, cloud.reopen());
  expect(seen?.values).toMatchObject(closed);
  expect(engine.plan(pod, seen, inputs(closed), cloud.session).action).toBe("none");
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
  ["a name with a space", { name: "my pod" }, ["name must be 1 to 32 letters, digits, _ or -"]],
  ["a long name", { name: "x".repeat(33) }, ["name must be 1 to 32 letters, digits, _ or -"]],
  ["the longest name", { name: "A-z_9".padEnd(32, "x") }, []],
  ["no size", { volumeDiskSizeGb: 0 }, ["volumeDiskSizeGb must be at least 1"]],
  ["a size as text", { volumeDiskSizeGb: "50" }, ["volumeDiskSizeGb must be a number"]],
  ["ports beyond the last", { exposeTcpPorts: [22, 65_536] }, ["exposeTcpPorts.1 must be at most 65535"]],
  ["ports as text", { exposeHttpPorts: "8888" }, ["exposeHttpPorts must be a list"]],
  ["an unknown power state", { powerState: "off" }, ['powerState must be "running" or "stopped"']],
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
