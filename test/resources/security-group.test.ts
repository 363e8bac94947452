import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import type { Transport } from "../../provider/platform/ports.ts";
import { failure, kept, live, openCloud, requests, resource, settle } from "../support/cloud.ts";
import { idOf, problemsOf } from "../support/problem.ts";

const securityGroup = resource("security-group");

async function withVpc(...args: Parameters<typeof openCloud>) {
  const cloud = openCloud(...args);
  const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
  const make = (name: string, description = "") =>
    cloud.run(cloud.create("security-group", { vpcId, name, description }));
  const read = (state: ResourceState) =>
    cloud.run(engine.read(cloud.session, securityGroup, state, cloud.call));
  const remove = (state: ResourceState, timeout?: number) =>
    engine.delete(cloud.session, securityGroup, state, { ...cloud.call, timeout });
  /** Sleeps 6 s, so that a read does not use the listing of a create. */
  const later = () => cloud.run(cloud.session.ports.clock.sleep(6_000));
  return { cloud, vpcId, make, read, remove, later };
}

test("a group is created, read from the list of its VPC, and deleted", async () => {
  const { cloud, vpcId, make, read, remove } = await withVpc();
  const state = await make("web", "What the web servers take");
  expect(state.id).toBe(live(cloud, "security_group")[0]?.krn);
  expect(state.values).toEqual({
    vpcId,
    name: "web",
    description: "What the web servers take",
    region: "In-Bangalore-1",
  });
  expect(await read(state)).toEqual(state);
  await cloud.run(remove(state));
  expect(live(cloud, "security_group")).toEqual([]);
});

test.each(["top", "result", "named"] as const)(
  "a create that answers by %s names the group",
  async (shape) => {
    const { cloud, make } = await withVpc({ assume: { groupCreateShape: shape } });
    expect((await make("web")).id).toBe(live(cloud, "security_group")[0]?.krn);
    expect(cloud.warnings).toEqual([]);
  },
);

test.each([
  { groupPageMax: 2, groupTotalSpelling: "totalCount" },
  { groupPageMax: 2, groupTotalSpelling: "total_count" },
  { groupPageMax: 2, groupListShape: "items" },
] as const)("all groups of a VPC are found with any page size: %j", async (assume) => {
  const { make, read, later } = await withVpc({ assume });
  const made: ResourceState[] = [];
  for (const name of ["a", "b", "c", "d", "e"]) made.push(await make(name));
  await later();
  for (const state of made) expect(await read(state)).toEqual(state);
});

test("a list that is shorter than its total does not prove a delete", async () => {
  const short = JSON.stringify({ result: [], pagination: { totalCount: 1 } });
  let cut = false;
  const wrap = ({ send }: Transport): Transport => ({
    async send(request, signal) {
      const reply = await send(request, signal);
      const listing = request.method === "GET" && request.url.includes("/securityGroup/v1/");
      return cut && listing && reply.kind === "answer" ? { ...reply, body: short } : reply;
    },
  });
  const { make, read, later } = await withVpc({}, {}, { wrap });
  const state = await make("web");
  await later();
  cut = true;
  const failed = await failure(read(state));
  expect(explain(failed)).toEqual({
    summary: 'Reading the security group "web" failed',
    detail: [
      "The response could not be read.",
      "The listing contains 0 of 1 security groups. (GET /securityGroup/v1/{vpc})",
      "The state stays unchanged.",
      "Run again, or check base_url and the network.",
    ].join("\n"),
  });
});

test("a group whose VPC was deleted leaves the state with it", async () => {
  const { cloud, vpcId, make, read } = await withVpc();
  const state = await make("web");
  await settle(cloud);
  cloud.emulator.inventory.remove(vpcId);
  expect(await read(state)).toBeUndefined();
  expect(cloud.warnings.map(({ summary }) => summary)).toEqual([
    'The security group "web" was deleted outside of Terraform or OpenTofu',
  ]);
});

test("every change replaces the group, with a warning of the consequences", () => {
  const values = { vpcId: "vpc-1", name: "web", description: "Web", region: "In-Bangalore-1" };
  const state = { id: "group-1", task: undefined, values, unread: [] };
  for (const change of [{ vpcId: "vpc-2" }, { name: "www" }, { description: "WWW" }]) {
    const plan = engine.plan(securityGroup, state, { ...values, ...change }, undefined);
    expect(plan.action).toBe("replace");
    expect(plan.changes.map(({ reason }) => reason)).toEqual([
      "The old group can be deleted only once no port or instance uses it.",
    ]);
  }
});

test("the delete of a group in use waits", async () => {
  const { cloud, make, remove } = await withVpc();
  const state = await make("web");
  cloud.emulator.faults.add({ target: "delete_security_group", kind: "409", from: 1, times: 5 });
  await cloud.run(remove(state));
  expect(live(cloud, "security_group")).toEqual([]);
  expect(requests(cloud, "delete_security_group")).toHaveLength(6);
});

test("the error about a group in use until the deadline has the message of the API", async () => {
  const { cloud, make, remove } = await withVpc();
  const state = await make("web");
  const body = { message: "security group web is in use by shop-1" };
  cloud.emulator.faults.add({ target: "delete_security_group", kind: "409", body });
  const failed = await cloud.run(failure(remove(state, 60)));
  expect(explain(failed).detail.replace(/ request id request-\d+,/, "")).toBe(
    [
      "The object is in use, or another operation on it is running: the timeout of 60 s expired.",
      "The API reports: security group web is in use by shop-1. (status 409, DELETE /securityGroup/v1/{group})",
      "The object still exists and stays in the state.",
      "Remove the conflicting object or wait until its operation has finished, then run again.",
    ].join("\n"),
  );
});

test("an existing group with that name stops the create with the import command", async () => {
  const { cloud, vpcId, make } = await withVpc();
  const { id } = await make("web");
  const failed = await failure(make("web"));
  expect(inWordsOf("terraform", failed.next)).toBe(
    `Import it if nothing manages it (terraform import kcloud_security_group.NAME '${vpcId},${id}', or tofu import with the same arguments), or choose another name, or set adopt_existing = true to adopt it. If this run replaces it, remove create_before_destroy from the lifecycle of this resource and of those that depend on it, to which it extends; if another resource of this configuration gives up the object or its name in this run, run again`,
  );
  const imported = await cloud.run(engine.import(cloud.session, securityGroup, `${vpcId},${id}`, cloud.call));
  expect(imported.id).toBe(id);
});

test.each<[string, Values, string[]]>([
  ["the required fields", {}, []],
  ["no VPC", { vpcId: null }, ["vpcId is required"]],
  [
    "an id of another kind in place of a VPC",
    { vpcId: idOf("subnet") },
    ["vpcId is the ID of a subnet, but the ID of a VPC is required"],
  ],
  ["no name", { name: "" }, ["name must not be empty"]],
  ["a number for a description", { description: 1 }, ["description must be a string"]],
  ["rules, which are separate resources", { rules: [] }, ["rules is not a known attribute"]],
])("checked: %s", (_, change, expected) => {
  expect(problemsOf("security-group", { vpcId: idOf("vpc"), name: "web", ...change })).toEqual(expected);
});

test("an id of another kind is rejected in place of a group's id", async () => {
  const { cloud, vpcId } = await withVpc();
  const work = engine.import(cloud.session, securityGroup, `${vpcId},${vpcId}`, cloud.call);
  await expect(cloud.run(work)).rejects.toThrow(
    `id: its part "${vpcId}" is the ID of a VPC, but the ID of a security group is required`,
  );
});

test("a create without a clear response is resolved by the list", async () => {
  const { cloud, make } = await withVpc();
  cloud.emulator.faults.add({ target: "create_security_group", kind: "reset", when: "after" });
  const state = await make("web");
  expect(live(cloud, "security_group").map(({ krn }) => krn)).toEqual([state.id]);
  expect(requests(cloud, "create_security_group")).toHaveLength(1);
});

test("a stopped create records the created group in the state", async () => {
  const { cloud, vpcId } = await withVpc({ listingLagMs: 30_000 });
  await cloud.run(cloud.session.ports.clock.sleep(30_000));
  const stop = new AbortController();
  const { inputs } = engine.check(securityGroup, { vpcId, name: "web" });
  const work = engine.create(cloud.session, securityGroup, inputs, {
    stop: stop.signal,
    report: () => stop.abort(),
  });
  const failed = await cloud.run(failure(work));
  expect(kept(failed).id).toBe(live(cloud, "security_group")[0]?.krn);
});
