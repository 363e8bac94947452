import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import { secret } from "../../../provider/core/value.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { failure, kept, live, requests } from "../../support/cloud.ts";
import { instance, openNetwork } from "../../support/instance-world.ts";

/** Tests creates with lost responses and stopped creates: none creates a second instance, none loses the first. */

test.each(["reset", "503", "html-200", "cut-json", "no-content"] as const)(
  "a create that was executed and answered by %s is found by its name and not sent again",
  async (kind) => {
    const { cloud, create } = await openNetwork({ listingLagMs: 2_000 });
    cloud.emulator.faults.add({ target: "create_instance", kind, when: "after", times: 1 });
    const state = await cloud.run(create());
    expect(live(cloud, "instance").map(({ krn }) => krn)).toEqual([state.id]);
    expect(requests(cloud, "create_instance")).toHaveLength(1);
  },
);

test("a create that was neither executed nor answered reports that the instance may exist", async () => {
  const { cloud, create } = await openNetwork();
  cloud.emulator.faults.add({ target: "create_instance", kind: "503", times: 1 });
  const failed = await cloud.run(failure(create()));
  expect([failed.existence.is, requests(cloud, "create_instance").length]).toEqual(["may exist", 1]);
});

test("an instance of that name is not created twice, and the error names the import", async () => {
  const { cloud, vpcId, create } = await openNetwork();
  const state = await cloud.run(create());
  const failed = await cloud.run(failure(create()));
  expect(explain(failed).detail).toContain(`terraform import kcloud_instance.NAME '${vpcId},${state.id}'`);
  expect(live(cloud, "instance")).toHaveLength(1);
});

test("adopt_existing adopts an instance that equals the configuration", async () => {
  const { cloud, create, inputs } = await openNetwork();
  const state = await cloud.run(create());
  const other = cloud.reopen({ adoptExisting: true });
  const adopted = await cloud.run(engine.create(other, instance, inputs(), cloud.call));
  expect([adopted.id, live(cloud, "instance").length]).toEqual([state.id, 1]);
});

test("a rejection has the message of the API, and reports that no listing shows the instance", async () => {
  const { cloud, create } = await openNetwork();
  const failed = await cloud.run(failure(create({ instanceType: "c9.huge" })));
  expect(failed.existence.is).toBe("not listed");
  expect(explain(failed).detail).toContain("instance type c9.huge not found");
});

test("a group of another VPC is rejected with the message of the API", async () => {
  const { cloud, create } = await openNetwork();
  const vpc = await cloud.run(cloud.create("vpc", { name: "other" }));
  const group = await cloud.run(cloud.create("security-group", { vpcId: String(vpc.id), name: "far" }));
  const failed = await cloud.run(failure(create({ securityGroups: [String(group.id)] })));
  expect(failed.existence.is).toBe("nothing created");
  expect(explain(failed).detail).toContain("security group far");
});

test("a stop ends immediately with the id, and the next run resumes the create", async () => {
  const { cloud, create, update } = await openNetwork({ taskMs: 60_000 });
  const stop = new AbortController();
  const work = failure(create({}, { stop: stop.signal }));
  await cloud.run(cloud.session.ports.clock.sleep(20_000));
  stop.abort();
  const began = cloud.elapsed();
  const failed = await cloud.run(work);
  expect(cloud.elapsed() - began).toBeLessThan(2_000);
  const [machine] = live(cloud, "instance");
  expect(explain(failed).detail).toMatch(/last seen: BUILD, \d+ s/);
  expect([kept(failed).id, failed.existence]).toEqual([machine?.krn, { is: "recorded", id: machine?.krn }]);
  const resumed = await cloud.run(update(kept(failed), {}));
  expect([resumed.id, resumed.values.status]).toEqual([machine?.krn, "ACTIVE"]);
});

test("a stop before the KRN is known stores the task, and the next run reads it", async () => {
  const { cloud, create, read } = await openNetwork({ taskMs: 60_000, assume: { instanceKrn: "active" } });
  const stop = new AbortController();
  const work = failure(create({}, { stop: stop.signal }));
  await cloud.run(cloud.session.ports.clock.sleep(20_000));
  stop.abort();
  const state = kept(await cloud.run(work));
  expect([state.id, typeof state.task]).toEqual([undefined, "string"]);
  const found = await cloud.run(read(state));
  expect(found).toMatchObject({ id: live(cloud, "instance")[0]?.krn, values: { status: "ACTIVE" } });
});

test("a run that reads nothing else reads the task of a stopped create", async () => {
  const { cloud, create } = await openNetwork({ taskMs: 60_000, assume: { instanceKrn: "active" } });
  const stop = new AbortController();
  const work = failure(create({}, { stop: stop.signal }));
  await cloud.run(cloud.session.ports.clock.sleep(20_000));
  stop.abort();
  const state = kept(await cloud.run(work));
  const read = engine.read(cloud.reopen(), instance, state, cloud.call);
  expect((await cloud.run(read))?.id).toBe(live(cloud, "instance")[0]?.krn);
});

test("a deadline stores the id", async () => {
  const { cloud, create } = await openNetwork({ taskMs: 60_000 });
  const failed = await cloud.run(failure(create({}, { timeout: 10 })));
  expect(kept(failed).id).toBe(live(cloud, "instance")[0]?.krn);
  expect(explain(failed).detail).toContain("The timeout of 10 s expired.");
});

test("a row that appears late is found by its task, which is read only then", async () => {
  const { cloud, create } = await openNetwork({ listingLagMs: 20_000, taskMs: 30_000 });
  const state = await cloud.run(create());
  expect(state.values.status).toBe("ACTIVE");
  expect(requests(cloud, "get_instance_task_status").length).toBeLessThan(5);
});

test("a 429 pauses all requests, not only those of one caller", async () => {
  const { cloud, create } = await openNetwork({ taskMs: 30_000 });
  cloud.emulator.faults.add({ target: "search_instances", kind: "429", retryAfter: "20", times: 1 });
  const began = cloud.elapsed();
  const names = ["a", "b", "c", "d"];
  await cloud.run(Promise.all(names.map((name) => create({ name }))));
  const [refused, next] = requests(cloud, "search_instances");
  expect([refused?.outcome, next?.outcome]).toEqual([429, 200]);
  const posts = requests(cloud, "create_instance").map(({ at }) => Date.parse(at));
  expect(Math.min(...posts)).toBeGreaterThanOrEqual(Date.parse(refused?.at ?? "") + 20_000);
  expect(cloud.elapsed() - began).toBeLessThan(70_000);
});

test("a secret that the API quotes is redacted in all outputs", async () => {
  const password = "correct horse battery";
  const { cloud, create } = await openNetwork(
    {},
    {},
    {
      wrap: (transport) => ({
        async send(request, signal) {
          const reply = await transport.send(request, signal);
          if (reply.kind !== "answer" || !request.url.endsWith("create_instance_async")) return reply;
          return { ...reply, status: 422, body: JSON.stringify({ message: `bad body: ${request.body}` }) };
        },
      }),
    },
  );
  const secrets = { gatewayPassword: password, userData: "secret-data", instanceType: secret("c1.private") };
  const failed = await cloud.run(failure(create(secrets)));
  const { detail } = explain(failed);
  expect(detail).toContain("bad body");
  for (const text of [password, "secret-data", "c2VjcmV0LWRhdGE", "c1.private"])
    expect(detail).not.toContain(text);
});
