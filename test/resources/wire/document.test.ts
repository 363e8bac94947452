import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { failure, resource } from "../../support/cloud.ts";
import { letterInputs, openDocuments } from "../../support/document-world.ts";

test("an unknown status is a failure", async () => {
  const { create } = openDocuments({ taskMs: 1_000, assume: { documentFailureWord: "rejected" } });
  const error = await failure(create({ ...letterInputs, language: "english-fails" }));
  expect(explain(error).detail).toContain("rejected");
});

test("a finished job, which is not read again, does not prove a 404 for another one", async () => {
  const { cloud, create } = openDocuments({ taskMs: 200_000 });
  const finished = await create(letterInputs);
  const stopped = engine.create(
    cloud.session,
    resource("document-text"),
    engine.check(resource("document-text"), letterInputs).inputs,
    { ...cloud.call, timeout: 2 },
  );
  const running = await cloud.run(stopped);
  await cloud.run(cloud.session.ports.clock.sleep(130_000));
  const session = cloud.reopen();
  const read = (state: ResourceState) =>
    cloud.run(engine.read(session, resource("document-text"), state, cloud.call));
  expect(await read(finished)).toEqual(finished);
  cloud.emulator.faults.add({ target: "get_document_status", kind: "404", times: 7 });
  expect((await read(running))?.id).toBe(running.id);
});
