import { describe, expect, test } from "@jest/globals";
import { documentResult, documentResultUrl } from "../../functions/document-result.ts";
import { InputError } from "../../provider/core/error.ts";
import { reveal, type Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { resource } from "../support/cloud.ts";
import { letterInputs, openDocuments } from "../support/document-world.ts";

describe("the result of a job", () => {
  const lookup = ({ cloud }: ReturnType<typeof openDocuments>, fileId: string) =>
    cloud.run(engine.lookup(cloud.reopen(), documentResult, { fileId }, cloud.call));
  const opened = ({ cloud }: ReturnType<typeof openDocuments>, fileId: string) =>
    cloud.run(engine.open(cloud.reopen(), documentResultUrl, { fileId }, cloud.call));
  const submitted = async (world: ReturnType<typeof openDocuments>, written: Values = letterInputs) => {
    const { inputs } = engine.check(resource("document-text"), written);
    const call = { ...world.cloud.call, timeout: 2 };
    const { id = "" } = await world.cloud.run(
      engine.create(world.cloud.session, resource("document-text"), inputs, call),
    );
    return id;
  };

  test("is null while the job runs, then a signed URL that is new each time", async () => {
    const world = openDocuments({ taskMs: 60_000 });
    const id = await submitted(world);
    expect(await lookup(world, id)).toMatchObject({ status: "in-progress", url: undefined });
    const { values } = await opened(world, id);
    expect(values).toMatchObject({ status: "success", url: expect.stringContaining("/document/results/") });
    expect(reveal((await lookup(world, id)).url ?? null)).toMatch(/^http/);
  });

  test("of a failed job and of an unknown one is an error at the id", async () => {
    const world = openDocuments({ taskMs: 10_000 });
    const id = await submitted(world, { ...letterInputs, language: "english-fails" });
    await world.cloud.run(world.cloud.session.ports.clock.sleep(20_000));
    for (const [fileId, problem] of [
      [id, "names a job that the API reports as failed"],
      ["00000000-0000-4000-8000-000000000000", "is not the ID of a document job"],
    ] as const) {
      await expect(lookup(world, fileId)).rejects.toThrow(problem);
      await expect(opened(world, fileId)).rejects.toBeInstanceOf(InputError);
    }
  });

  test.each([
    ["ftp://files.example/result", "does not use https"],
    ["no address", "is invalid"],
    ["https://files.example/r?X-Amz-Date=20200101T000000Z&X-Amz-Expires=60", "has expired already"],
    ["https://files.example/r?Expires=1577836800", "has expired already"],
  ])("at %s is an error at the id", async (address, problem) => {
    const world = openDocuments(
      {},
      {
        wrap: (transport) => ({
          async send(request, signal) {
            const reply = await transport.send(request, signal);
            if (reply.kind !== "answer" || !reply.body.includes("output_file")) return reply;
            const body = JSON.parse(reply.body) as { data: object };
            return { ...reply, body: JSON.stringify({ data: { ...body.data, output_file: address } }) };
          },
        }),
      },
    );
    const { id = "" } = await world.create(letterInputs);
    await expect(lookup(world, id)).rejects.toThrow(problem);
  });
});
