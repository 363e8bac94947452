import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../emulator/emulator.ts";
import { documentResult, documentResultUrl } from "../../functions/document-result.ts";
import { explain, InputError } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import { reveal, type Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Between, failure, openCloud, requests, resource } from "../support/cloud.ts";

const folder = mkdtempSync(join(tmpdir(), "kcloud-document-"));
afterAll(() => rmSync(folder, { recursive: true }));

const letter = "Name: Ana\nCity: Pune\nThe order is late. Please answer soon.";
const given = { language: "english", fileType: "Digital", content: letter };

function open(options: EmulatorOptions = {}, between: Between = {}) {
  const cloud = openCloud(options, {}, between);
  const create = (written: Values, kind = "document-text") => cloud.run(cloud.create(kind, written));
  const read = (state: ResourceState, kind = "document-text") =>
    cloud.run(engine.read(cloud.reopen(), resource(kind), state, cloud.call));
  const plan = (state: ResourceState | undefined, written: Values, kind = "document-text") =>
    engine.plan(resource(kind), state, engine.check(resource(kind), written).inputs, cloud.session);
  return { cloud, create, read, plan };
}

const cases: readonly { kind: string; action: string; own: Values; body: object }[] = [
  { kind: "document-text", action: "extract_text", own: {}, body: {} },
  {
    kind: "document-information",
    action: "extract_information",
    own: { entities: ["PII", "key_value"], keysToExtract: ["City"] },
    body: { entities: ["PII", "key_value"], keys_to_extract: ["City"] },
  },
  {
    kind: "document-summary",
    action: "doc_summarization",
    own: { wordCountForSummarization: 10 },
    body: { word_count_for_summarization: 10 },
  },
  {
    kind: "document-masking",
    action: "PII_masking",
    own: { keysToMask: ["Name"] },
    body: { keys_to_mask: ["Name"] },
  },
];

describe.each(cases)("$kind", ({ kind, action, own, body }) => {
  test("submits the document once, and waits until the job is done", async () => {
    const { cloud, create, read, plan } = open({ taskMs: 20_000 });
    const state = await create({ ...given, ...own }, kind);
    const sent = cloud.emulator.log.entries({}).filter(({ method }) => method === "POST");
    expect(sent.map(({ path, body }) => [path, body])).toEqual([
      [
        `/v1/document/${action}`,
        expect.objectContaining({ language: "english", file_type: "Digital", ...body }),
      ],
    ]);
    expect(state.values).toMatchObject({
      fileId: state.id,
      status: "success",
      checksum: createHash("sha256").update(letter).digest("hex"),
    });
    expect(JSON.stringify(state)).not.toContain("http");
    const seen = await read(state, kind);
    expect(plan(seen, { ...given, ...own }, kind).action).toBe("none");
  });

  test("a destroy warns that the job remains, and sends nothing", async () => {
    const { cloud, create } = open();
    const state = await create({ ...given, ...own }, kind);
    const before = cloud.emulator.log.entries({}).length;
    await cloud.run(engine.delete(cloud.session, resource(kind), state, cloud.call));
    expect(cloud.emulator.log.entries({})).toHaveLength(before);
    expect(cloud.warnings.map(({ detail }) => detail)).toEqual([
      expect.stringContaining("The API cannot delete a document job"),
    ]);
  });
});

test("a failed job is an error with state, and the next apply submits it again", async () => {
  const { create, plan } = open({ taskMs: 5_000 });
  const written = { ...given, language: "english-fails" };
  const error = await failure(create(written));
  expect(explain(error).detail).toContain("The next apply replaces it");
  expect(error.state?.values.status).toBe("failed");
  expect(plan(error.state, written).action).toBe("replace");
});

test("an unknown status is a failure", async () => {
  const { create } = open({ taskMs: 1_000, assume: { documentFailureWord: "rejected" } });
  const error = await failure(create({ ...given, language: "english-fails" }));
  expect(explain(error).detail).toContain("rejected");
});

test("a deadline while the job runs is a warning, and nothing is submitted twice", async () => {
  const { cloud, read, plan } = open({ taskMs: 7_200_000 });
  const { inputs } = engine.check(resource("document-text"), given);
  const call = { ...cloud.call, timeout: 60 };
  const state = await cloud.run(engine.create(cloud.session, resource("document-text"), inputs, call));
  expect(state.values).toMatchObject({ status: "in-progress", fileId: state.id });
  expect(cloud.warnings).toHaveLength(1);
  const seen = await read(state);
  expect(plan(seen, given).action).toBe("none");
  expect(requests(cloud, "extract_document_text")).toHaveLength(1);
});

test("a job that fails after the deadline is submitted again", async () => {
  const { cloud, read, plan } = open({ taskMs: 120_000 });
  const written = { ...given, language: "english-fails" };
  const { inputs } = engine.check(resource("document-text"), written);
  const call = { ...cloud.call, timeout: 60 };
  const state = await cloud.run(engine.create(cloud.session, resource("document-text"), inputs, call));
  await cloud.run(cloud.session.ports.clock.sleep(120_000));
  expect(plan(await read(state), written).action).toBe("replace");
});

test("each form of content gives the same document", async () => {
  const source = join(folder, "letter.txt");
  writeFileSync(source, letter);
  const base = { language: "english", fileType: "Digital" };
  const forms = [{ content: letter }, { contentBase64: Buffer.from(letter).toString("base64") }, { source }];
  const { cloud, create, plan } = open();
  const states = [];
  for (const form of forms) states.push(await create({ ...base, ...form }));
  const sums = new Set(states.map(({ values }) => values.checksum));
  expect(sums.size).toBe(1);
  // Another form of the same content is only recorded.
  const { action, changes } = plan(states[0], { ...base, source });
  expect([action, changes.every(({ recordOnly }) => recordOnly)]).toEqual(["update", true]);
  expect(requests(cloud, "extract_document_text")).toHaveLength(3);
});

test("a file that is missing in the plan is read in the apply; a changed file replaces", async () => {
  const source = join(folder, "written-later.txt");
  const written = { language: "english", fileType: "Digital", source };
  const { cloud, create, plan } = open();
  const { inputs, problems } = engine.check(resource("document-text"), written);
  expect(problems).toEqual([]);
  const work = engine.create(cloud.session, resource("document-text"), inputs, cloud.call);
  const error = await cloud.run(work).catch((error: unknown) => error);
  expect(explain(error).detail).toBe(`source: ${source} does not exist`);
  expect(requests(cloud, "extract_document_text")).toEqual([]);
  writeFileSync(source, `${letter} Changed.`);
  const state = await create(written);
  writeFileSync(source, letter);
  expect(plan(state, written).action).toBe("replace");
});

test("an unreadable or empty document is an error at its attribute; the apply may write a missing file", () => {
  const empty = join(folder, "empty");
  writeFileSync(empty, "");
  const gone = join(folder, "gone");
  writeFileSync(gone, "x");
  rmSync(gone);
  const base = { language: "english", fileType: "Digital" };
  const pathsOf = (more: Values) =>
    engine.check(resource("document-text"), { ...base, ...more }).problems.map(({ path }) => path);
  expect(pathsOf({})).toEqual([[]]);
  expect(pathsOf({ source: empty })).toEqual([["source"]]);
  expect(pathsOf({ content: "" })).toEqual([["content"]]);
  expect(pathsOf({ source: gone })).toEqual([]);
  expect(pathsOf({ source: folder })).toEqual([["source"]]);
  expect(pathsOf({ contentBase64: "not base64" })).toEqual([["contentBase64"]]);
});

test("an unknown language or type of a document is a warning", () => {
  const { problems, warnings } = engine.check(resource("document-information"), {
    ...given,
    language: "marathi",
    fileType: "digital",
    entities: ["pii"],
  });
  expect(problems).toEqual([]);
  expect(warnings.map(({ path }) => path)).toEqual([["language"], ["fileType"], ["entities", 0]]);
});

describe("the result of a job", () => {
  const lookup = ({ cloud }: ReturnType<typeof open>, fileId: string) =>
    cloud.run(engine.lookup(cloud.reopen(), documentResult, { fileId }, cloud.call));
  const opened = ({ cloud }: ReturnType<typeof open>, fileId: string) =>
    cloud.run(engine.open(cloud.reopen(), documentResultUrl, { fileId }, cloud.call));
  const submitted = async (world: ReturnType<typeof open>, written: Values = given) => {
    const { inputs } = engine.check(resource("document-text"), written);
    const call = { ...world.cloud.call, timeout: 2 };
    const { id = "" } = await world.cloud.run(
      engine.create(world.cloud.session, resource("document-text"), inputs, call),
    );
    return id;
  };

  test("is null while the job runs, then a signed URL that is new each time", async () => {
    const world = open({ taskMs: 60_000 });
    const id = await submitted(world);
    expect(await lookup(world, id)).toMatchObject({ status: "in-progress", url: undefined });
    const { values } = await opened(world, id);
    expect(values).toMatchObject({ status: "success", url: expect.stringContaining("/document/results/") });
    expect(reveal((await lookup(world, id)).url ?? null)).toMatch(/^http/);
  });

  test("of a failed job and of an unknown one is an error at the id", async () => {
    const world = open({ taskMs: 10_000 });
    const id = await submitted(world, { ...given, language: "english-fails" });
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
    const world = open(
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
    const { id = "" } = await world.create(given);
    await expect(lookup(world, id)).rejects.toThrow(problem);
  });
});

test("a finished job, which is not read again, does not prove a 404 for another one", async () => {
  const { cloud, create } = open({ taskMs: 200_000 });
  const finished = await create(given);
  const stopped = engine.create(
    cloud.session,
    resource("document-text"),
    engine.check(resource("document-text"), given).inputs,
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
