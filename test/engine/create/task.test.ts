import { expect, test } from "@jest/globals";
import { engine } from "../../../provider/engine/engine.ts";
import type { Transport } from "../../../provider/platform/ports.ts";
import { failure, kept, live, openCloud, resource } from "../../support/cloud.ts";
import { openNetwork } from "../../support/instance-world.ts";

/** Tests ids of tasks that the API gives to a later task again. */

const vpc = resource("vpc");

test("a task ID that the API used for an earlier object does not make that object the created one", async () => {
  let first: string | undefined;
  const wrap = ({ send }: Transport): Transport => ({
    async send(request, signal) {
      const reply = await send(request, signal);
      if (reply.kind !== "answer" || !request.url.endsWith("/create_vpc_async")) return reply;
      const task = /"task_id":"([^"]+)"/.exec(reply.body)?.[1] ?? "";
      first ??= task;
      return { ...reply, body: reply.body.replaceAll(task, first) };
    },
  });
  const cloud = openCloud({}, {}, { wrap });
  const earlier = await cloud.run(cloud.create("vpc", { name: "earlier" }));
  const later = await cloud.run(cloud.create("vpc", { name: "later" }));
  expect([earlier, later].map(({ id, values }) => [id, values.name])).toEqual(
    live(cloud, "vpc").map(({ krn, name }) => [krn, name]),
  );
});

test("the object of another name under the task of an interrupted create is not touched, and the error names it", async () => {
  const cloud = openCloud({ taskMs: 60_000 });
  const stop = new AbortController();
  const { inputs } = engine.check(vpc, { name: "net" });
  const work = engine.create(cloud.session, vpc, inputs, { stop: stop.signal, report: () => stop.abort() });
  const state = kept(await cloud.run(failure(work)));
  const [row] = live(cloud, "vpc");
  cloud.emulator.inventory.change(String(row?.krn), { name: "theirs" });
  for (const operation of [engine.read, engine.delete]) {
    const failed = await cloud.run(
      failure(operation(cloud.reopen(), vpc, state, cloud.call) as Promise<unknown>),
    );
    expect([failed.step, failed.existence]).toEqual([
      `its task ${state.task} names ${row?.krn}, which is an object with another name: the API may have used the ID of the task again`,
      { is: "unknown" },
    ]);
  }
  expect(live(cloud, "vpc").map(({ name }) => name)).toEqual(["theirs"]);
});

test("a destroy after a stop deletes the object that its failed task names, even if the object was renamed", async () => {
  const { cloud, create, remove } = await openNetwork({ taskMs: 60_000 });
  const stop = new AbortController();
  const call = { stop: stop.signal, report: () => stop.abort() };
  const state = kept(await cloud.run(failure(create({ name: "web-fails" }, call))));
  expect([state.id, typeof state.task]).toEqual([undefined, "string"]);
  await cloud.run(cloud.session.ports.clock.sleep(60_000));
  const [left] = live(cloud, "instance");
  cloud.emulator.inventory.change(String(left?.krn), { name: "other" });
  await cloud.run(remove(state));
  expect(live(cloud, "instance")).toEqual([]);
});
