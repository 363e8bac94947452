import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { listingParents } from "../../provider/definition/resource.ts";
import { engine } from "../../provider/engine/engine.ts";
import { resources } from "../../resources/index.ts";
import { openPods } from "../support/ai-pod-world.ts";
import { failure, live, openCloud, requests, resource } from "../support/cloud.ts";
import { openLifecycle } from "../support/lifecycle-world.ts";

/** Tests errors inside a 2xx response: a body with the status `failed`, without an id or a task. */

const said = "The API reports: quota exceeded. (status 200, ";

async function withVolume() {
  const cloud = openCloud();
  const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
  const written = { vpcId, name: "data", sizeGb: 20, volumeType: "HNSS" };
  const refuse = (target: string) =>
    cloud.emulator.faults.add({ target, kind: "refusal-in-200", word: "quota exceeded" });
  return { cloud, written, refuse };
}

test("only consecutive errors inside a 200 end a delete: another response between them starts the count again", async () => {
  const { cloud, written } = await withVolume();
  const state = await cloud.run(cloud.create("volume", written));
  const kinds = ["refusal-in-200", "refusal-in-200", "503", "refusal-in-200"];
  for (const [before, kind] of kinds.entries())
    cloud.emulator.faults.add({
      target: "delete_volume",
      kind,
      word: "quota exceeded",
      from: before + 1,
      times: 1,
    });
  await cloud.run(engine.delete(cloud.session, resource("volume"), state, cloud.call));
  expect(requests(cloud, "delete_volume")).toHaveLength(5);
  expect(live(cloud, "volume")).toEqual([]);
});

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

const listed = resources.filter(({ verbs }) => verbs.list !== undefined);

test.each(listed.map((kind) => [kind.name, kind] as const))(
  "a listing of %s that is refused inside a 200 is not empty",
  async (name, kind) => {
    const { cloud, state } = await openLifecycle(name);
    cloud.emulator.faults.add({ target: "*", kind: "refusal-in-200", word: "quota exceeded" });
    const listedIn = listingParents(kind);
    const scope: Values = Object.fromEntries(listedIn.map((name) => [name, state.values[name] ?? null]));
    const failed = await cloud.run(failure(engine.list(cloud.reopen(), kind, scope, cloud.call)));
    expect(explain(failed).summary).toContain("failed");
  },
);
