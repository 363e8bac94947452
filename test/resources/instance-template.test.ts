import { expect, test } from "@jest/globals";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { live, operationsOn, requests, resource } from "../support/cloud.ts";
import { openNetwork } from "../support/instance-world.ts";
import { idOf, machine, problemsOf } from "../support/problem.ts";

const template = resource("instance-template");

const script = "#!/bin/sh\nexit 0\n";

const encoded = Buffer.from(script).toString("base64");

async function openTemplates(...args: Parameters<typeof openNetwork>) {
  const { cloud, vpcId, written: instance } = await openNetwork(...args);
  const written: Values = { ...instance, name: "worker" };
  const { inputs, run } = operationsOn(cloud, "instance-template", written);
  return { cloud, vpcId, written, inputs, ...run, make: run.create };
}

test("a template is created, read, and deleted", async () => {
  const { cloud, written, make, read, remove } = await openTemplates();
  const state = await make({ userData: script });
  expect(state.id).toBe(live(cloud, "template")[0]?.krn);
  expect(requests(cloud, "create_template")[0]?.body).toMatchObject({
    volume_name: "worker-volume",
    volume_size: 10,
    user_data: "***",
    isGpu: false,
  });
  expect(state.values).toMatchObject({
    ...written,
    bootVolume: { ...(written.bootVolume as Values), name: "worker-volume" },
    userData: script,
    userDataBase64: null,
    isGpu: false,
  });
  expect(await read(state)).toEqual(state);
  const { config } = live(cloud, "template")[0] as unknown as { config: { user_data: string } };
  expect(config.user_data).toBe(encoded);
  await remove(state);
  expect(live(cloud, "template")).toEqual([]);
});

test("an import records the user data in Base64, and a plan compares both forms with it", async () => {
  const { cloud, make, take, inputs } = await openTemplates();
  const { id = "" } = await make({ userData: script });
  const state = await take(id);
  expect([state.values.userData, state.values.userDataBase64, state.unread]).toEqual([null, encoded, []]);
  const effects = (given: Values) =>
    engine
      .plan(template, state, inputs(given), cloud.session)
      .changes.map(({ path, effect, recordOnly }) => [path.join("."), recordOnly ? "record" : effect]);
  expect(effects({ userDataBase64: encoded })).toEqual([]);
  expect(effects({ userData: script })).toEqual([
    ["userData", "record"],
    ["userDataBase64", "record"],
  ]);
  for (const given of [{}, { userData: "other" }, { userDataBase64: "b3RoZXI=" }])
    expect(effects(given)).toContainEqual(["userDataBase64", "replace"]);
});

test("an import of a template without user data compares a configured one with it", async () => {
  const { cloud, make, take, inputs } = await openTemplates();
  const { id = "" } = await make({});
  const state = await take(id);
  expect(engine.plan(template, state, inputs(), cloud.session).changes).toEqual([]);
  const { changes } = engine.plan(template, state, inputs({ userData: script }), cloud.session);
  expect(changes.map(({ effect }) => effect)).toEqual(["replace"]);
});

test("every change replaces the template, and the plan says what is kept", async () => {
  const { cloud, inputs, make } = await openTemplates();
  const state = await make();
  const changes: Values[] = [
    { name: "other" },
    { instanceType: "c1.large" },
    { sshkeyName: "other" },
    { securityGroups: ["other"] },
    { isGpu: true },
    { userData: script },
  ];
  for (const change of changes) {
    const plan = engine.plan(template, state, inputs(change), cloud.session);
    expect([plan.action, plan.changes.map(({ reason }) => reason)]).toEqual([
      "replace",
      ["A batch that refers to the template is replaced too, with its instances."],
    ]);
  }
});

test.each<[string, Values, string[]]>([
  ["the required fields", {}, []],
  [
    "an id of another kind in place of a group",
    { securityGroups: [idOf("subnet")] },
    ["securityGroups.0 is the ID of a subnet, but the ID of a security group is required"],
  ],
  [
    "a group of another region",
    { securityGroups: [idOf("sg", "In-Hyderabad-1")] },
    ["securityGroups.0 belongs to another region or account than the VPC"],
  ],
  [
    "both forms of user data",
    { userData: "x", userDataBase64: "eA==" },
    ["userDataBase64 conflicts with user_data: set only one of them"],
  ],
])("checked: %s", (_, change, expected) => {
  expect(problemsOf("instance-template", { ...machine, ...change })).toEqual(expected);
});
