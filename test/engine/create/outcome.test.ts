import { expect, test } from "@jest/globals";
import { explain, OperationError, StopError } from "../../../provider/core/error.ts";
import { inWordsOf } from "../../../provider/core/wording.ts";
import { check } from "../../../provider/definition/check.ts";
import { engine } from "../../../provider/engine/engine.ts";
import type { Transport } from "../../../provider/platform/ports.ts";
import { failure, live, openCloud, requests, resource, settle } from "../../support/cloud.ts";
import { data, net, withVpc } from "./vpc.ts";

/**
 * Tests faults around the single POST of a create: the error that the user reads and the state that is stored
 * (docs/reliability.md#3.3, docs/reliability.md#4.3).
 */

test("a conflict of the only request is not caused by this run: the error names the import of the existing object", async () => {
  const { cloud, vpcId } = await withVpc();
  cloud.emulator.faults.add({ target: "create_volume", kind: "409", when: "after" });
  const failed = await cloud.run(failure(cloud.create("volume", data(vpcId))));
  const [volume] = live(cloud, "volume");
  expect([failed.existence, failed.state]).toEqual([{ is: "exists", id: volume?.krn }, undefined]);
  expect(explain(failed).detail).toContain(`terraform import kcloud_volume.NAME '${vpcId},${volume?.krn}'`);
  expect(requests(cloud, "create_volume")).toHaveLength(1);
});

test("a conflict without a new object reports that nothing was created, and names the conflict", async () => {
  const { cloud, vpcId } = await withVpc();
  await cloud.run(cloud.create("subnet", { vpcId, name: "a", cidr: "10.0.0.0/24" }));
  const failed = await cloud.run(failure(cloud.create("subnet", { vpcId, name: "b", cidr: "10.0.0.0/16" })));
  expect(explain(failed)).toEqual({
    summary: 'Creating the subnet "b" failed',
    detail: [
      "The object conflicts with an existing one or is in use.",
      `The API reports: 10.0.0.0/16 overlaps 10.0.0.0/24 of subnet a. (status 409, request id ${requests(cloud, "create_subnet")[1]?.id}, POST /v1/highlvlvpc/create_subnet)`,
      "Probably nothing was created: a listing 5 s later did not show the object.",
      `Remove or detach the conflicting objects, or choose another value, then run again: the subnet "a" (${live(cloud, "subnet")[0]?.krn}).`,
    ].join("\n"),
  });
  expect(live(cloud, "subnet")).toHaveLength(1);
});

test("a create waits for a parent that this process created and the API does not find yet", async () => {
  const { cloud, vpcId } = await withVpc();
  cloud.emulator.faults.add({ target: "list_volumes", kind: "404", times: 2 });
  cloud.emulator.faults.add({ target: "create_volume", kind: "404", times: 3 });
  await cloud.run(cloud.create("volume", data(vpcId)));
  expect(live(cloud, "volume")).toHaveLength(1);
  expect(requests(cloud, "create_volume")).toHaveLength(4);
});

test("a wrong parent fails after one listing that shows nothing new", async () => {
  const { cloud, vpcId } = await withVpc();
  const before = cloud.elapsed();
  const wrong = vpcId.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  const failed = await cloud.run(failure(cloud.create("volume", data(wrong))));
  expect(explain(failed).detail).toBe(
    [
      "The API rejected the request.",
      `The API reports: VPC ${wrong} not found. (status 404, request id ${requests(cloud, "create_volume")[0]?.id}, POST /kbs/v1/volumes)`,
      "Probably nothing was created: a listing 5 s later did not show the object.",
      `Correct what the API rejected, then run again. If it appears later, import it before the next run (terraform import kcloud_volume.NAME '${wrong},ID', or tofu import with the same arguments).`,
    ].join("\n"),
  );
  expect(cloud.elapsed() - before).toBeLessThan(6_000);
  expect(requests(cloud, "create_volume")).toHaveLength(1);
});

test("a 429 pauses every request of the process for Retry-After, and nothing is created twice", async () => {
  const { cloud, vpcId } = await withVpc();
  cloud.emulator.faults.add({ target: "create_volume", kind: "429", retryAfter: "30", times: 1 });
  const before = cloud.elapsed();
  await cloud.run(cloud.create("volume", data(vpcId)));
  const [first, second] = requests(cloud, "create_volume").map(({ at }) => Date.parse(at));
  expect((second ?? 0) - (first ?? 0)).toBe(30_000);
  const meanwhile = cloud.emulator.log
    .entries()
    .filter(({ at }) => Date.parse(at) > (first ?? 0) && Date.parse(at) < (second ?? 0));
  expect(meanwhile).toEqual([]);
  expect(cloud.elapsed() - before).toBeGreaterThan(30_000);
  expect(live(cloud, "volume")).toHaveLength(1);
});

test("a create that is always answered 429 is sent twenty times at most", async () => {
  const { cloud, vpcId } = await withVpc();
  cloud.emulator.faults.add({ target: "create_volume", kind: "429", retryAfter: "1" });
  const create = engine.create(
    cloud.session,
    resource("volume"),
    check(resource("volume"), data(vpcId)).inputs,
    { ...cloud.call, timeout: 7_200 },
  );
  expect((await cloud.run(failure(create))).existence.is).toBe("not listed");
  expect(requests(cloud, "create_volume")).toHaveLength(20);
});

test("a conflict of the second request is caused by the first, which was executed before its 429", async () => {
  const { cloud, vpcId } = await withVpc({ listingLagMs: 20_000 });
  await settle(cloud);
  cloud.emulator.faults.add({ target: "create_volume", kind: "429", when: "after", times: 1 });
  cloud.emulator.faults.add({ target: "create_volume", kind: "409", from: 2 });
  const made = await cloud.run(cloud.create("volume", data(vpcId)));
  expect(live(cloud, "volume").map(({ krn }) => krn)).toEqual([made.id]);
});

test.each([
  ["401", "the API rejected the API key", "Set a valid api_key (or SERVICE_API_KEY), then run again"],
  ["403", "the API rejected the request", "Correct what the API rejected, then run again"],
  ["422", "the API rejected the request", "Correct what the API rejected, then run again"],
])("a %s is reported, not sent again, and created nothing", async (kind, step, next) => {
  const { cloud, vpcId } = await withVpc();
  cloud.emulator.faults.add({ target: "create_volume", kind });
  const failed = await cloud.run(failure(cloud.create("volume", data(vpcId))));
  expect([failed.step, failed.existence, inWordsOf("terraform", failed.next), failed.state]).toEqual([
    step,
    { is: "nothing created" },
    next,
    undefined,
  ]);
  expect(requests(cloud, "create_volume")).toHaveLength(1);
});

test.each([["vpc", "create_vpc", net] as const, ["volume", "create_volume", data] as const])(
  "an error inside a 200 does not hide the %s that was created anyway",
  async (kind, target, written) => {
    const { cloud, vpcId } = await withVpc();
    cloud.emulator.faults.add({ target, kind: "error-in-200" });
    const values = typeof written === "function" ? written(vpcId) : { name: "second" };
    const made = await cloud.run(cloud.create(kind, values));
    expect(live(cloud, kind).map(({ krn }) => krn)).toContain(made.id);
    expect(cloud.warnings).toHaveLength(1);
  },
);

test("several new objects that may be the created one stop the create, and the error names their imports", async () => {
  const { cloud, vpcId } = await withVpc();
  cloud.emulator.faults.add({ target: "create_volume", kind: "reset", when: "after" });
  const { inputs } = check(resource("volume"), data(vpcId));
  const other = cloud.reopen();
  const both = [cloud.session, other].map((session) =>
    failure(engine.create(session, resource("volume"), inputs, cloud.call)),
  );
  const [failed] = await cloud.run(Promise.all(both));
  const ids = live(cloud, "volume").map(({ krn }) => `'${vpcId},${krn}'`);
  expect([failed?.step, failed?.existence.is, inWordsOf("terraform", failed?.next ?? "")]).toEqual([
    "several new objects match",
    "may exist",
    `Import the one that belongs to this resource (terraform import kcloud_volume.NAME 'ID', or tofu import with the same arguments): ${ids.join(", ")}`,
  ]);
});

test("a create whose request is never sent, because its references cannot be read, adopts no other object", async () => {
  const { cloud, vpcId } = await withVpc();
  const subnet = await cloud.run(cloud.create("subnet", { vpcId, name: "a", cidr: "10.0.0.0/24" }));
  const port = { vpcId, subnetId: String(subnet.id), name: "web" };
  const began = cloud.elapsed();
  cloud.emulator.faults.add({ target: "get_vpc", kind: "500", times: 3 });
  const ours = failure(cloud.create("port", port));
  const theirs = cloud.session.ports.clock
    .sleep(5_000)
    .then(() =>
      engine.create(cloud.reopen(), resource("port"), check(resource("port"), port).inputs, cloud.call),
    );
  const failed = await cloud.run(ours);
  expect([failed.existence.is, failed.step]).toEqual(["nothing created", "the API gave no clear response"]);
  expect(cloud.elapsed() - began).toBeLessThan(10_000);
  expect((await cloud.run(theirs)).id).toMatch(/^krn:/);
});

test("an object that a listing shows only after the search is reported as possible, and the next run finds it", async () => {
  const { cloud, vpcId } = await withVpc({ listingLagMs: 60_000 }, { settleSeconds: 10 });
  cloud.emulator.faults.add({ target: "create_volume", kind: "reset", when: "after" });
  const failed = await cloud.run(failure(cloud.create("volume", data(vpcId))));
  expect(explain(failed).detail).toBe(
    [
      "The API gave no clear response, and a search found no new object.",
      "The connection was closed before the response. (POST /kbs/v1/volumes)",
      "The object may exist.",
      `Look for it in the cloud's console; if it exists, import it before the next run (terraform import kcloud_volume.NAME '${vpcId},ID', or tofu import with the same arguments), or set adopt_existing = true to adopt it.`,
    ].join("\n"),
  );
  cloud.emulator.configure({ listingLagMs: 0 });
  const { inputs } = check(resource("volume"), data(vpcId));
  const next = engine.create(cloud.reopen(), resource("volume"), inputs, cloud.call);
  const again = await cloud.run(failure(next));
  expect(again.existence).toEqual({ is: "exists", id: live(cloud, "volume")[0]?.krn });
  expect(requests(cloud, "create_volume")).toHaveLength(1);
});

/** Masks the customer part of ids in the VPC listing, as some listings of the API do (docs/contract.md#1.4). */
const masked = (transport: Transport): Transport => ({
  async send(request, signal) {
    const reply = await transport.send(request, signal);
    if (reply.kind !== "answer" || !request.url.endsWith("/get_vpc_list")) return reply;
    return { ...reply, body: reply.body.replaceAll("00000000-0000-4000-8000-000000000000", "***") };
  },
});

test("a listing without the id of the new object does not prove that nothing was created", async () => {
  const { cloud, vpcId } = await withVpc();
  const subnet = await cloud.run(cloud.create("subnet", { vpcId, name: "a", cidr: "10.0.0.0/24" }));
  cloud.emulator.faults.add({ target: "create_port", kind: "404", when: "after", times: 1 });
  const hidden = { target: "list_floating_ips", kind: "missing-field", field: "floating_ip_krn" } as const;
  cloud.emulator.faults.add({ ...hidden, times: 2 });
  const made = await cloud.run(
    cloud.create("floating-ip", { vpcId, subnetId: String(subnet.id), name: "entry" }),
  );
  expect(live(cloud, "floating_ip").map(({ krn }) => krn)).toEqual([made.id]);
  expect(requests(cloud, "create_port")).toHaveLength(1);
});

test.each([
  { times: 2, is: "made" },
  { times: 1_000, is: "may exist" },
])(
  "a listing that shows the new object $times times without its creation time does not prove that nothing was created",
  async ({ times, is }) => {
    const { cloud, vpcId } = await withVpc();
    const subnet = await cloud.run(cloud.create("subnet", { vpcId, name: "a", cidr: "10.0.0.0/24" }));
    const port = (name: string) => cloud.create("port", { vpcId, subnetId: String(subnet.id), name });
    await cloud.run(port("first"));
    cloud.emulator.faults.add({ target: "create_port", kind: "404", when: "after", times: 1 });
    const undated = { target: "search_port", kind: "missing-field", field: "created_at", times } as const;
    cloud.emulator.faults.add(undated);
    const made = await cloud.run(port("second").catch((error: OperationError) => error));
    const error = made instanceof OperationError ? made : undefined;
    expect([error?.existence.is ?? "made", error?.step]).toEqual([
      is,
      error &&
        "the only matching new object has no creation time, so it may have been created by someone else",
    ]);
    expect(live(cloud, "port").map(({ name }) => name)).toEqual(["first", "second"]);
    expect(requests(cloud, "create_port")).toHaveLength(2);
  },
);

test("a masked id is never recorded", async () => {
  const cloud = openCloud(
    { assume: { vpcCreateAnswersEmpty: true } },
    { settleSeconds: 5 },
    { wrap: masked },
  );
  const failed = await cloud.run(failure(cloud.create("vpc", net)));
  expect([failed.step, failed.existence.is, failed.state]).toEqual([
    "a listing shows it without an ID or with a masked one",
    "may exist",
    undefined,
  ]);
  const again = await cloud.run(failure(cloud.create("vpc", net)));
  expect([again.step, again.existence.is]).toEqual([
    "an object with this name exists, but a listing shows it without an ID or with a masked one",
    "nothing created",
  ]);
  expect(live(cloud, "vpc")).toHaveLength(1);
});

test("a task that the API does not find yet is read again", async () => {
  const cloud = openCloud();
  cloud.emulator.faults.add({ target: "get_vpc_task_status", kind: "404", times: 3 });
  const made = await cloud.run(cloud.create("vpc", net));
  expect(made.id).toBe(live(cloud, "vpc")[0]?.krn);
});

test("an invalid region is rejected at its path before anything is sent", async () => {
  const cloud = openCloud();
  await expect(cloud.run(cloud.create("vpc", { ...net, region: "a\nb" }))).rejects.toMatchObject({
    problems: [{ path: ["region"], problem: "is not a region such as In-Bangalore-1" }],
  });
  expect(cloud.emulator.log.entries()).toEqual([]);
});

test("without any region, the error names the setting and its variable", async () => {
  const cloud = openCloud({}, { region: undefined });
  await expect(cloud.run(cloud.create("vpc", net))).rejects.toMatchObject({
    problems: [
      { path: ["region"], problem: "is required: set it here or in the provider (region or SERVICE_REGION)" },
    ],
  });
});

test("an object that only a listing shows after a lost response is not adopted, and the error names its import", async () => {
  const cloud = openCloud();
  cloud.emulator.faults.add({ target: "create_vpc", kind: "reset", when: "after", times: 1 });
  cloud.emulator.faults.add({ target: "get_vpc", kind: "404" });
  const failed = await cloud.run(failure(cloud.create("vpc", net)));
  expect([failed.step, failed.existence.is]).toEqual([
    "the only matching new object has different state, so it may have been created by someone else",
    "may exist",
  ]);
  expect(inWordsOf("terraform", failed.next)).toContain(
    `terraform import kcloud_vpc.NAME '${live(cloud, "vpc")[0]?.krn}'`,
  );
});

test("a create that is stopped during the TLS handshake of its request created nothing, and leaves no state", async () => {
  const stop = new AbortController();
  const handshake = (transport: Transport): Transport => ({
    send: (request, signal) =>
      request.method !== "POST"
        ? transport.send(request, signal)
        : new Promise((resolve) => {
            signal.addEventListener("abort", () => resolve({ kind: "unsent", reason: "no connection" }));
            stop.abort(new StopError("stop"));
          }),
  });
  const cloud = openCloud({}, {}, { wrap: handshake });
  const { inputs } = engine.check(resource("vpc"), net);
  const call = { ...cloud.call, stop: stop.signal, graceMs: 1_500 };
  const failed = await cloud.run(failure(engine.create(cloud.session, resource("vpc"), inputs, call)));
  expect([failed.existence, failed.state]).toEqual([{ is: "nothing created" }, undefined]);
  expect(cloud.elapsed()).toBeLessThan(2_000);
});

test("a create whose TLS handshakes all fail created nothing, and the error says so within seconds", async () => {
  const reason = "The secure connection to the host cloud.example could not be opened (ECONNRESET)";
  const cloud = openCloud(
    {},
    {},
    {
      wrap: (transport) => ({
        send: async (request, signal) =>
          request.method === "POST" ? { kind: "unsent", reason } : transport.send(request, signal),
      }),
    },
  );
  const failed = await cloud.run(failure(cloud.create("vpc", net)));
  expect([failed.existence, failed.state]).toEqual([{ is: "nothing created" }, undefined]);
  expect(explain(failed).detail).toContain(reason);
  expect(cloud.elapsed()).toBeLessThan(20_000);
});
