import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import type { Values } from "../../../provider/core/value.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { failure, requests, resource } from "../../support/cloud.ts";
import { letter, letterInputs, openDocuments } from "../../support/document-world.ts";

const folder = mkdtempSync(join(tmpdir(), "kcloud-document-"));

afterAll(() => rmSync(folder, { recursive: true }));

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
    const { cloud, create, read, plan } = openDocuments({ taskMs: 20_000 });
    const state = await create({ ...letterInputs, ...own }, kind);
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
    expect(plan(seen, { ...letterInputs, ...own }, kind).action).toBe("none");
  });

  test("a destroy warns that the job remains, and sends nothing", async () => {
    const { cloud, create } = openDocuments();
    const state = await create({ ...letterInputs, ...own }, kind);
    const before = cloud.emulator.log.entries({}).length;
    await cloud.run(engine.delete(cloud.session, resource(kind), state, cloud.call));
    expect(cloud.emulator.log.entries({})).toHaveLength(before);
    expect(cloud.warnings.map(({ detail }) => detail)).toEqual([
      expect.stringContaining("The API cannot delete a document job"),
    ]);
  });
});

test("a failed job is an error with state, and the next apply submits it again", async () => {
  const { create, plan } = openDocuments({ taskMs: 5_000 });
  const written = { ...letterInputs, language: "english-fails" };
  const error = await failure(create(written));
  expect(explain(error).detail).toContain("The next apply replaces it");
  expect(error.state?.values.status).toBe("failed");
  expect(plan(error.state, written).action).toBe("replace");
});

test("a deadline while the job runs is a warning, and nothing is submitted twice", async () => {
  const { cloud, read, plan } = openDocuments({ taskMs: 7_200_000 });
  const { inputs } = engine.check(resource("document-text"), letterInputs);
  const call = { ...cloud.call, timeout: 60 };
  const state = await cloud.run(engine.create(cloud.session, resource("document-text"), inputs, call));
  expect(state.values).toMatchObject({ status: "in-progress", fileId: state.id });
  expect(cloud.warnings).toHaveLength(1);
  const seen = await read(state);
  expect(plan(seen, letterInputs).action).toBe("none");
  expect(requests(cloud, "extract_document_text")).toHaveLength(1);
});

test("a job that fails after the deadline is submitted again", async () => {
  const { cloud, read, plan } = openDocuments({ taskMs: 120_000 });
  const written = { ...letterInputs, language: "english-fails" };
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
  const { cloud, create, plan } = openDocuments();
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
  const { cloud, create, plan } = openDocuments();
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
    ...letterInputs,
    language: "marathi",
    fileType: "digital",
    entities: ["pii"],
  });
  expect(problems).toEqual([]);
  expect(warnings.map(({ path }) => path)).toEqual([["language"], ["fileType"], ["entities", 0]]);
});
