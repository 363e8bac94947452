import { expect, test } from "@jest/globals";
import { engine } from "../../../provider/engine/engine.ts";
import { failure, kept, live, requests } from "../../support/cloud.ts";
import { instance, openNetwork } from "../../support/instance-world.ts";

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

test("a row that appears late is found by its task, which is read only then", async () => {
  const { cloud, create } = await openNetwork({ listingLagMs: 20_000, taskMs: 30_000 });
  const state = await cloud.run(create());
  expect(state.values.status).toBe("ACTIVE");
  expect(requests(cloud, "get_instance_task_status").length).toBeLessThan(5);
});
