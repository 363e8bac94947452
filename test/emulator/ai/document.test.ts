import { expect, test } from "@jest/globals";
import { createEmulator } from "../../../emulator/emulator.ts";
import { at, type Cloud, cloud, refusal, textAt } from "../client.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const text = "Name: Ada Lovelace\nMail: ada@example.org\nShe wrote notes. Then more.";
const document = { file_content: base64(text), language: "english", file_type: "Digital" };
const submit = (action: string) => `POST /v1/document/${action}`;
const statusOf = (id: string) => `GET /v1/document/status?file_id=${id}`;

async function result(emulator: Cloud, action: string, more: object = {}): Promise<string> {
  const reply = await emulator.call(submit(action), { body: { ...document, ...more } });
  expect(reply.body).toMatchObject({ status: "success", data: { action, file_status: "in-progress" } });
  const id = textAt(at(reply.body, "data"), "file_id");
  expect((await emulator.call(statusOf(id))).body).toMatchObject({ data: { file_status: "in-progress" } });
  await emulator.clock.advance(1000);
  const done = await emulator.call(statusOf(id));
  expect(done.body).toMatchObject({ code: 200, http_status: "OK", data: { file_status: "success" } });
  const response = await emulator.fetch(textAt(at(done.body, "data"), "output_file"));
  expect(response.status).toBe(200);
  return response.text();
}

test("a job takes the duration of a task, and its result is at a signed URL", async () => {
  const emulator = cloud();
  expect(await result(emulator, "extract_text")).toBe(text);
  expect(await result(emulator, "doc_summarization", { word_count_for_summarization: 3 })).toBe(
    "Name: Ada Lovelace",
  );
  expect(await result(emulator, "PII_masking", { keys_to_mask: ["Mail"] })).toBe(
    text.replace("ada@example.org", "***"),
  );
  expect(
    JSON.parse(
      await result(emulator, "extract_information", {
        entities: ["PII", "key_value"],
        keys_to_extract: ["Name"],
      }),
    ),
  ).toEqual({ PII: [{ label: "EMAIL", value: "ada@example.org" }], key_value: { Name: "Ada Lovelace" } });
});

test("a URL expires, and accepts no other signature", async () => {
  const emulator = cloud();
  const reply = await emulator.call(submit("extract_text"), { body: document });
  const id = textAt(at(reply.body, "data"), "file_id");
  await emulator.clock.advance(1000);
  const address = textAt(at((await emulator.call(statusOf(id))).body, "data"), "output_file");
  expect((await emulator.fetch(address.replace(/token=./, "token=x"))).status).toBe(403);
  await emulator.clock.advance(900_000);
  expect((await emulator.fetch(address)).status).toBe(403);
});

test("a failed job has the status of the switch and no URL", async () => {
  const emulator = cloud({ assume: { documentFailureWord: "error" } });
  const reply = await emulator.call(submit("extract_text"), {
    body: { ...document, language: "english-fails" },
  });
  const id = textAt(at(reply.body, "data"), "file_id");
  await emulator.clock.advance(1000);
  const { data } = (await emulator.call(statusOf(id))).body as { data: object };
  expect(data).toEqual({ file_id: id, file_status: "error", output_type: "URL" });
});

test.each([
  [{ file_content: "" }, "file_content: must be Base64, and not empty"],
  [{ file_content: "a b" }, "file_content: must be Base64, and not empty"],
  [{ file_content: "abc" }, "file_content: must be Base64, and not empty"],
  [{ file_content: undefined }, "file_content: required"],
])("%j is refused", async (more, message) => {
  const refused = await refusal(cloud(), submit("extract_text"), { body: { ...document, ...more } });
  expect(refused).toEqual([400, message]);
});

test("an unknown job is not found", async () => {
  expect((await refusal(cloud(), statusOf("none")))[0]).toBe(404);
});

test("a document above the body limit is streamed, at any position of its field in the body", async () => {
  const emulator = createEmulator({ taskMs: 0 });
  const server = await emulator.listen();
  const large = Buffer.alloc(24 * 1024 * 1024, "abcdefg\n");
  const parts = ['{"language":"file_content", "file_content" : "', '","file_type":"Digital"}'];
  const body = new Blob([parts[0] as string, large.toString("base64"), parts[1] as string]);
  const headers = { authorization: "Bearer emulator-key" };
  try {
    const reply = await fetch(`${server.url}/v1/document/extract_text`, { method: "POST", headers, body });
    const { data } = (await reply.json()) as { data: { file_id: string } };
    const status = await fetch(`${server.url}/v1/document/status?file_id=${data.file_id}`, { headers });
    const done = (await status.json()) as { data: { output_file: string } };
    const received = Buffer.from(await (await fetch(done.data.output_file)).arrayBuffer());
    expect(received.equals(large)).toBe(true);
    const [entry] = emulator.log.entries({ operation: "extract_document_text" });
    expect(entry?.body).toEqual({ language: "file_content", file_content: "", file_type: "Digital" });
  } finally {
    emulator.reset();
    await server.close();
  }
});
