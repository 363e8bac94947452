import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../emulator/emulator.ts";
import { explain } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import { secret, type Values } from "../../provider/core/value.ts";
import { inWordsOf, type Text } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Cloud, failure, kept, live, openCloud, requests, resource, settle } from "../support/cloud.ts";
import { data, first, nouns, withAll } from "./existence/stored-network.ts";

test.each(nouns)(
  "a read of an unchanged %s returns the stored state, and its plan is empty",
  async (kind) => {
    const { cloud, heldOf, read } = await withAll();
    const seen = await cloud.run(read(kind));
    expect(seen).toEqual(heldOf(kind));
    expect(engine.plan(resource(kind), seen, seen?.values ?? {}, cloud.session).action).not.toBe("replace");
  },
);

test.each(
  nouns.flatMap((noun) =>
    [
      "401",
      "403",
      "500",
      "503",
      "html-200",
      "html-403",
      "cut-length",
      "cut-json",
      "empty-200",
      "wrong-types",
      "307",
      "reset",
    ].map((kind) => [noun, kind] as const),
  ),
)("a read of a %s that is answered by %s is an error and does not change the state", async (noun, kind) => {
  const { cloud, heldOf, read } = await withAll();
  const before = structuredClone(heldOf(noun));
  cloud.emulator.faults.add({ target: "*", kind });
  const failed = await cloud.run(failure(read(noun)));
  expect([failed.existence, failed.state]).toEqual([{ is: "unknown" }, undefined]);
  expect(heldOf(noun)).toEqual(before);
  expect(cloud.warnings).toEqual([]);
});

test.each([
  [
    "volume",
    { description: "by hand", size: 50, metadata: { a: "1" } },
    { description: "by hand", sizeGb: 50, metadata: { a: "1" } },
  ],
  ["subnet", { name: "other" }, { name: "other" }],
  ["vpc", { name: "other" }, { name: "other" }],
] as const)(
  "a %s changed outside the engine is read with its new values, and the plan shows the difference",
  async (noun, change, drift) => {
    const { cloud, heldOf, read } = await withAll();
    cloud.emulator.inventory.change(String(heldOf(noun).id), change);
    const seen = await cloud.run(read(noun));
    expect(seen?.values).toMatchObject(drift);
    const wanted = engine.check(resource(noun), inputsOf(noun, heldOf(noun).values)).inputs;
    const { changes, problems } = engine.plan(resource(noun), seen, wanted, cloud.session);
    expect(changes.length + problems.length).toBeGreaterThan(0);
  },
);

/** Returns the inputs that a user would have written to get these values. */
function inputsOf(noun: string, values: Values): Values {
  const { fields } = resource(noun);
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => fields[name]?.kind === "field" && name !== "region"),
  );
}

test("values that the API never returns are kept in the state", async () => {
  const { cloud, read } = await withAll();
  const seen = await cloud.run(read("vpc"));
  expect(seen?.values).toMatchObject({ description: "mine", enabled: false, adminStateUp: true });
  expect(seen?.values.primarySubnet).toMatchObject({ ...first, ingress: true, egress: true });
});

test("the user's spelling is kept if it means the same as the value of the API", async () => {
  const { cloud, vpcId } = await withAll();
  const made = await cloud.run(cloud.create("subnet", { vpcId, name: "c", cidr: "10.0.2.7/24" }));
  expect(made.values.cidr).toBe("10.0.2.7/24");
  const seen = await cloud.run(engine.read(cloud.reopen(), resource("subnet"), made, cloud.call));
  expect(seen?.values.cidr).toBe("10.0.2.7/24");
});

test("a refresh of a hundred volumes of a VPC is one listing", async () => {
  const { cloud, vpcId } = await withAll();
  const names = Array.from({ length: 100 }, (_, index) => `data-${index}`);
  const made = await cloud.run(Promise.all(names.map((name) => cloud.create("volume", data(vpcId, name)))));
  const before = cloud.emulator.log.entries().length;
  const session = cloud.reopen();
  const seen = await cloud.run(
    Promise.all(made.map((state) => engine.read(session, resource("volume"), state, cloud.call))),
  );
  expect(seen).toEqual(made);
  const sent = cloud.emulator.log.entries().slice(before);
  expect(sent.map(({ operation }) => operation)).toEqual(["list_volumes"]);
});

/** Stops the create of a VPC whose task has not named an id yet, and returns its state. */
async function withTaskOnly(options: EmulatorOptions = {}): Promise<{ cloud: Cloud; state: ResourceState }> {
  const cloud = openCloud({ taskMs: 60_000, ...options });
  const stop = new AbortController();
  const { inputs } = engine.check(resource("vpc"), { name: "net" });
  const work = engine.create(cloud.session, resource("vpc"), inputs, {
    stop: stop.signal,
    report: () => stop.abort(),
  });
  const state = kept(await cloud.run(failure(work)));
  expect([state.id, typeof state.task]).toEqual([undefined, "string"]);
  return { cloud, state };
}

test.each([0, 400])(
  "a task that failed is an object that was never created, %i s after a stop",
  async (seconds) => {
    const { cloud, state } = await withTaskOnly();
    cloud.emulator.inventory.remove(String(live(cloud, "vpc")[0]?.krn));
    await cloud.run(cloud.session.ports.clock.sleep(seconds * 1000));
    const before = cloud.elapsed();
    const read = () => cloud.run(engine.read(cloud.reopen(), resource("vpc"), state, cloud.call));
    if (seconds === 0) {
      expect(await read()).toEqual(state);
      expect(cloud.elapsed() - before).toBeLessThan(80_000);
      expect(cloud.warnings.map(({ detail }) => detail)).toEqual([
        `The VPC "net" was created less than 120 s ago. Its task ${state.task} shows no ID yet, nor does a listing show it. It stays in the state. A refresh after that time records its ID or removes it.`,
      ]);
      cloud.warnings.length = 0;
      await settle(cloud);
    }
    expect(await read()).toBeUndefined();
    expect(cloud.warnings.map(({ detail }) => detail)).toEqual([
      `The task ${state.task} failed, and no listing shows the VPC "net". The next terraform apply (or tofu apply) creates it. If the task left an object that has another name now, delete it in the cloud's console.`,
    ]);
    await cloud.run(engine.delete(cloud.reopen(), resource("vpc"), state, cloud.call));
  },
);

test("an object that was renamed before its task returned its ID is reported as created, by a refresh and by a destroy", async () => {
  const { cloud, state } = await withTaskOnly({ assume: { vpcTaskShape: "flat" } });
  await cloud.run(cloud.session.ports.clock.sleep(400_000));
  cloud.emulator.inventory.change(String(live(cloud, "vpc")[0]?.krn), { name: "renamed" });
  expect(await cloud.run(engine.read(cloud.reopen(), resource("vpc"), state, cloud.call))).toBeUndefined();
  await cloud.run(engine.delete(cloud.reopen(), resource("vpc"), state, cloud.call));
  const warned = {
    summary: 'The VPC "net" was created but not found',
    detail: `The task ${state.task} created the VPC "net" without returning its ID, and no listing shows an object with this name: it was renamed or deleted outside of Terraform or OpenTofu. It is no longer in the state. If it has another name now, delete it in the cloud's console.`,
  };
  expect(cloud.warnings).toEqual([expect.objectContaining(warned), expect.objectContaining(warned)]);
});

test("a destroy right after a stop waits for the id of a task that is not known yet, and deletes the object", async () => {
  const { cloud, state } = await withTaskOnly();
  cloud.emulator.configure({ listingLagMs: 100_000 });
  cloud.emulator.faults.add({ target: "get_vpc_task_status", kind: "404" });
  const known = cloud.session.ports.clock.sleep(80_000).then(() => cloud.emulator.faults.clear());
  const lines: string[] = [];
  const call = { ...cloud.call, report: (line: Text) => lines.push(inWordsOf("terraform", line)) };
  await cloud.run(engine.delete(cloud.reopen(), resource("vpc"), state, call));
  await cloud.run(known);
  expect(requests(cloud, "delete_vpc")).toHaveLength(1);
  expect(lines[0]).toBe("the task is not visible yet, 0 s");
  expect(lines).toContain(`its task ${state.task} shows no ID yet`);
});

test("an unknown task does not lead to the adoption of an object with that name", async () => {
  const cloud = openCloud({ taskMs: 60_000 });
  const stop = new AbortController();
  const { inputs } = engine.check(resource("vpc"), { name: "net" });
  const work = engine.create(cloud.session, resource("vpc"), inputs, {
    stop: stop.signal,
    report: () => stop.abort(),
  });
  const state = { ...kept(await cloud.run(failure(work))), task: "forgotten" };
  const failed = await cloud.run(failure(engine.delete(cloud.reopen(), resource("vpc"), state, cloud.call)));
  expect([failed.step, failed.existence.is]).toEqual([
    "the task of the create names no ID, and nothing shows whether the object with this name is the created one",
    "exists",
  ]);
  expect(live(cloud, "vpc")).toHaveLength(1);
});

test("a value that an adapter marks as secret is compared and sent by its content", async () => {
  const { cloud, vpcId, heldOf } = await withAll();
  const { values, ...rest } = heldOf("volume");
  const hidden = { ...rest, values: { ...values, vpcId: secret(vpcId), name: secret("data") } };
  const seen = await cloud.run(engine.read(cloud.reopen(), resource("volume"), hidden, cloud.call));
  expect(seen?.values).toEqual(values);
});

test("check and plan send nothing", async () => {
  const { cloud, vpcId, heldOf } = await withAll();
  const before = cloud.emulator.log.entries().length;
  const { inputs } = engine.check(resource("volume"), { ...data(vpcId), sizeGb: 40 });
  engine.plan(resource("volume"), heldOf("volume"), inputs, cloud.session);
  engine.plan(resource("volume"), undefined, inputs, cloud.session);
  cloud.reopen();
  expect(cloud.emulator.log.entries()).toHaveLength(before);
});

test("a read that is throttled until its deadline names the last response and the setting that lowers the rate", async () => {
  const { cloud, read } = await withAll();
  cloud.emulator.faults.add({ target: "*", kind: "429" });
  const failed = await cloud.run(failure(read("vpc")));
  const last = requests(cloud, "get_vpc").at(-1);
  const cause = `The timeout of 120 s expired. The API limits the number of requests (status 429, request id ${last?.id}, POST /v1/highlvlvpc/get_vpc).`;
  expect(explain(failed).detail).toContain(cause);
  const remedy = (timeout: string, rate: string) =>
    `Run again, or set a longer timeout (${timeout}). To send fewer requests, set a lower ${rate}.`;
  expect(explain(failed).detail).toContain(remedy("timeouts", "max_requests_per_second"));
  expect(explain(failed, "pulumi").detail).toContain(remedy("customTimeouts", "maxRequestsPerSecond"));
});
