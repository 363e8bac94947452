import { describe, expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import type { Values } from "../../../provider/core/value.ts";
import { engine } from "../../../provider/engine/engine.ts";
import type { Properties } from "../../../tools/plugin/pulumi.ts";
import { failure, live, openCloud, requests, resource, settle } from "../../support/cloud.ts";
import { openProvider } from "../../support/engine/provider.ts";
import { withDriver } from "../../support/pulumi/driver.ts";

const data = (vpcId: string) => ({ vpcId, name: "data", sizeGb: 20, volumeType: "HNSS" });

async function withAll(...args: Parameters<typeof openCloud>) {
  const cloud = openCloud(...args);
  const vpc = await cloud.run(
    cloud.create("vpc", { name: "net", primarySubnet: { name: "a", cidr: "10.0.0.0/24" } }),
  );
  const vpcId = String(vpc.id);
  const subnet = await cloud.run(cloud.create("subnet", { vpcId, name: "b", cidr: "10.0.1.0/24" }));
  const volume = await cloud.run(cloud.create("volume", data(vpcId)));
  const state: Record<string, ResourceState> = { vpc, subnet, volume };
  const remove = (kind: string, call: object = {}, from = state[kind] as ResourceState) =>
    engine.delete(cloud.session, resource(kind), from, { ...cloud.call, ...call });
  return { cloud, vpcId, stored: state, remove };
}

test("a delete is confirmed by a listing that starts after it", async () => {
  const { cloud, remove } = await withAll();
  await cloud.run(remove("volume"));
  const sent = cloud.emulator.log.entries();
  const deleted = sent.findIndex(({ operation }) => operation === "delete_volume");
  expect(sent.slice(deleted + 1).some(({ operation }) => operation === "list_volumes")).toBe(true);
});

test("a row that a listing still shows is not gone yet", async () => {
  const { cloud, remove } = await withAll();
  cloud.emulator.configure({ listingLagMs: 20_000, taskMs: 0 });
  await cloud.run(cloud.session.ports.clock.sleep(20_000));
  const began = cloud.elapsed();
  await cloud.run(remove("volume"));
  expect(cloud.elapsed() - began).toBeGreaterThanOrEqual(20_000);
});

test.each([0, 3_600])(
  "a conflict %i s after the start is tried again until the object is free",
  async (seconds) => {
    const { cloud, remove } = await withAll();
    await cloud.run(cloud.session.ports.clock.sleep(seconds * 1000));
    const both = Promise.all([
      remove("vpc"),
      cloud.session.ports.clock.sleep(30_000).then(() => Promise.all([remove("volume"), remove("subnet")])),
    ]);
    await cloud.run(both);
    expect(cloud.emulator.inventory.list()).toEqual([]);
  },
);

test("a delete waits for the end of a conflict with an object that this run is deleting", async () => {
  const { cloud, remove } = await withAll();
  cloud.emulator.faults.add({ target: "delete_volume", kind: "503" });
  const works = cloud.session.ports.clock.sleep(200_000).then(() => cloud.emulator.faults.clear());
  await cloud.run(Promise.all([remove("vpc"), remove("volume"), remove("subnet"), works]));
  expect(cloud.emulator.inventory.list()).toEqual([]);
});

test("the error of a conflict that lasts until the deadline names the dependents", async () => {
  const { cloud, remove } = await withAll();
  const failed = await cloud.run(failure(remove("vpc", { timeout: 60 })));
  const [subnet, volume] = ["subnet", "volume"].map((kind) => live(cloud, kind).at(-1)?.krn);
  expect(explain(failed)).toEqual({
    summary: 'Deleting the VPC "net" failed',
    detail: [
      "The object is in use, or another operation on it is running: the timeout of 60 s expired.",
      `The API reports: cannot delete vpc net: still in use by ${subnet}, ${volume}. (status 409, request id ${requests(cloud, "delete_vpc").at(-1)?.id}, DELETE /v1/highlvlvpc/delete_vpc)`,
      "The object still exists and stays in the state.",
      `Remove or detach the objects that use it, then run again: the volume "data" (${volume}), the subnet "b" (${subnet}).`,
    ].join("\n"),
  });
  expect(live(cloud, "vpc")).toHaveLength(1);
});

test.each([
  ["401", "the API rejected the API key"],
  ["403", "the API rejected the request"],
  ["400", "the API rejected the request"],
])("a %s ends the delete immediately and never counts as proof of a delete", async (kind, step) => {
  const { cloud, remove } = await withAll();
  cloud.emulator.faults.add({ target: "delete_volume", kind });
  const failed = await cloud.run(failure(remove("volume")));
  expect([failed.step, failed.existence]).toEqual([step, { is: "still exists" }]);
  expect([requests(cloud, "delete_volume").length, live(cloud, "volume").length]).toEqual([1, 1]);
});

test.each([
  ["reset", "after"],
  ["504", "after"],
  ["html-200", "after"],
  ["reset", "before"],
  ["503", "before"],
] as const)("a delete answered by %s %s its effect is followed by reads", async (kind, when) => {
  const { cloud, remove } = await withAll();
  cloud.emulator.faults.add({ target: "delete_volume", kind, when, times: 1 });
  await cloud.run(remove("volume"));
  expect(live(cloud, "volume")).toEqual([]);
  expect(requests(cloud, "delete_volume")).toHaveLength(when === "after" ? 1 : 2);
});

test("an old object that no read shows after a lost response is not deleted a second time", async () => {
  const { cloud, remove } = await withAll();
  await settle(cloud);
  cloud.emulator.configure({ taskMs: 0 });
  cloud.emulator.faults.add({ target: "delete_volume", kind: "reset", when: "after", times: 1 });
  await cloud.run(remove("volume"));
  expect(requests(cloud, "delete_volume")).toHaveLength(1);
});

test.each(["401", "403", "500", "html-200", "cut-length"])(
  "a delete whose confirmation fails with %s is an error that says that the object may exist",
  async (kind) => {
    const { cloud, remove } = await withAll();
    for (const target of ["get_volume", "list_volumes"]) cloud.emulator.faults.add({ target, kind });
    const failed = await cloud.run(failure(remove("volume")));
    expect([failed.step, failed.existence.is]).toEqual([
      "the API accepted the delete, but still shows the object",
      "may exist",
    ]);
  },
);

test("an object whose listed id is masked still exists after a delete that was not executed", async () => {
  const { cloud, remove } = await withAll();
  await settle(cloud);
  cloud.emulator.faults.add({ target: "delete_volume", kind: "empty-200", when: "before" });
  cloud.emulator.faults.add({ target: "get_volume", kind: "404" });
  cloud.emulator.faults.add({ target: "list_volumes", kind: "masked-ids" });
  const failed = await cloud.run(failure(remove("volume", { timeout: 60 })));
  expect([failed.existence.is, live(cloud, "volume").length]).toEqual(["may exist", 1]);
});

test("a 404 counts as a delete only if a listing confirms it", async () => {
  const { cloud, stored, remove } = await withAll();
  cloud.emulator.inventory.remove(String(stored.volume?.id));
  await cloud.run(remove("volume"));
  expect(requests(cloud, "delete_volume").map(({ outcome }) => outcome)).toEqual([404]);
  const wrong = await withAll();
  wrong.cloud.emulator.faults.add({ target: "delete_volume", kind: "404" });
  const failed = await wrong.cloud.run(failure(wrong.remove("volume", { timeout: 30 })));
  expect([failed.existence.is, live(wrong.cloud, "volume").length]).toEqual(["may exist", 1]);
});

test("a failed volume is deleted by force", async () => {
  const { cloud, vpcId } = await withAll();
  const failed = await cloud.run(failure(cloud.create("volume", { ...data(vpcId), name: "x-fails" })));
  const stored = failed.state as ResourceState;
  const seen = await cloud.run(engine.read(cloud.session, resource("volume"), stored, cloud.call));
  await cloud.run(engine.delete(cloud.session, resource("volume"), seen as ResourceState, cloud.call));
  expect(requests(cloud, "delete_volume").map(({ query }) => query)).toEqual([{ force: "true" }]);
});

test("a delete that is stopped during its confirmation keeps the state, and the next run completes it", async () => {
  const { cloud, remove } = await withAll();
  cloud.emulator.configure({ taskMs: 60_000 });
  const stop = new AbortController();
  const failed = await cloud.run(
    failure(remove("volume", { stop: stop.signal, report: () => stop.abort() })),
  );
  expect([failed.existence.is, failed.state]).toEqual(["may exist", undefined]);
  await cloud.run(remove("volume"));
  expect(live(cloud, "volume")).toEqual([]);
});

describe("objects that no route deletes: every adapter warns wherever the engine can show a warning", () => {
  const notDeleted = "The API cannot delete a port: it remains until its subnet is deleted.";

  /** Creates a port through the Terraform provider; returns its state and its configuration. */
  async function openPort() {
    const cloud = openCloud();
    const provider = openProvider(cloud);
    expect(await provider.configure()).toEqual([]);
    const primarySubnet: Values = { name: "first", cidr: "10.0.0.0/24" };
    const vpc = await provider.apply("vpc", { name: "net", primarySubnet });
    const config: Values = {
      vpcId: vpc.values?.id ?? null,
      name: "berth",
      subnetId: live(cloud, "subnet")[0]?.krn ?? null,
    };
    return { cloud, provider, config, port: await provider.apply("port", config) };
  }

  test("the plan of a destroy and the destroy itself say that nothing is deleted", async () => {
    const { cloud, provider, port } = await openPort();
    expect((await provider.plan("port", undefined, port)).diagnostics).toEqual([
      `warning: The port "berth" will not be deleted: The port "berth" (${String(port.values?.id)}): ${notDeleted}`,
    ]);
    const gone = await provider.apply("port", undefined, port);
    expect([gone.values, gone.diagnostics]).toEqual([
      undefined,
      [
        `warning: No request deleted the port "berth": ${notDeleted} Nothing manages the port "berth" (${String(port.values?.id)}) any more.`,
      ],
    ]);
    expect(live(cloud, "port").map(({ krn }) => krn)).toEqual([port.values?.id]);
  });

  test("the plan of a replacement says that the old object remains", async () => {
    const { provider, config, port } = await openPort();
    const { replaces, diagnostics } = await provider.plan("port", { ...config, name: "other" }, port);
    expect([replaces, diagnostics]).toEqual([
      ["name"],
      [`warning: The change of name replaces the port "berth": ${notDeleted} (at name)`],
    ]);
  });

  test("an unchanged object that an engine replaces is retained and resumed", async () => {
    const { cloud, provider, config, port } = await openPort();
    await provider.apply("port", undefined, port);
    const again = await provider.apply("port", config);
    expect([again.values?.id, again.diagnostics]).toEqual([port.values?.id, []]);
    expect(requests(cloud, "create_port")).toHaveLength(1);
  });

  test("Pulumi shows the warning of a delete", () =>
    withDriver(async (driver) => {
      await driver.configure();
      const make = async (type: string, written: Properties) =>
        driver.create(type, (await driver.check(type, written)).inputs);
      const primarySubnet = { name: "first", cidr: "10.0.0.0/24" };
      const vpc = await make("Vpc", { name: "net", primarySubnet });
      const subnet = driver.emulator.inventory.list().find(({ kind }) => kind === "subnet");
      const port = await make("Port", { vpcId: vpc.id, name: "berth", subnetId: subnet?.krn ?? "" });
      await driver.remove("Port", port);
      await driver.until(() => driver.logged.some(({ severity }) => severity === "WARNING"));
      expect(
        driver.logged.filter(({ severity }) => severity === "WARNING").map(({ message }) => message),
      ).toEqual([
        `No request deleted the port "berth"\n${notDeleted} Nothing manages the port "berth" (${port.id}) any more.`,
      ]);
    }));
});
