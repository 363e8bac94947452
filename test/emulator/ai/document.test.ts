import { expect, test } from "@jest/globals";
import { createEmulator } from "../../../emulator/emulator.ts";
import { cloud, textAt } from "../client.ts";
import { openTour, scenario } from "../tour.ts";

const text = "Name: Ada Lovelace\nMail: ada@example.org\nShe wrote notes. Then more.";
const file_content = Buffer.from(text).toString("base64");
const invalid = "400 file_content: must be Base64, and not empty";

scenario("a job takes the duration of a task, or fails with the status of the switch and no URL", [
  [
    "extract_document_information",
    {},
    { "data.file_status": "in-progress", "data.action": "extract_information" },
  ],
  ["get_document_status", {}, { "data.file_status": "in-progress", "data.output_file": undefined }],
  1000,
  ["get_document_status", {}, { "data.file_status": "success", code: 200, http_status: "OK" }],
  ["get_document_result", {}, 200],
  ["get_document_result", { token: "x" }, "403 the signature does not match"],
  900_000,
  ["get_document_result", {}, "403 the address has expired"],
  ["extract_document_information", { language: "a-error-503" }, "503 refused because of the name…"],
  ["extract_document_information", { entities: [] }, "400 entities: must not be empty"],
  ["extract_document_information", { language: "a-fails" }, 200],
  1000,
  ["get_document_status", {}, { "data.file_status": "error" }, { documentFailureWord: "error" }],
  ["get_document_status", {}, { "data.output_file": undefined }, { documentFailureWord: "error" }],
  ["extract_document_text", { file_content: "" }, invalid],
  ["extract_document_text", { file_content: "a b" }, invalid],
  ["extract_document_text", { file_content: "abc" }, invalid],
  ["summarize_document", { word_count_for_summarization: 0 }, 400],
  ["get_document_status", { file_id: "none" }, "404 file none not found"],
]);

test.each([
  ["extract_document_text", {}, text],
  ["summarize_document", { word_count_for_summarization: 3 }, "Name: Ada Lovelace"],
  ["mask_document", { keys_to_mask: ["Mail"] }, text.replace("ada@example.org", "***")],
  [
    "extract_document_text",
    { file_content: "/w==" },
    "A document of 1 bytes, MD5 00594fd4f42ba43fc1ca0427a0576295.",
  ],
])("the result of %s is at a signed URL", async (name, options, expected) => {
  const { emulator, request } = openTour(cloud());
  const submission = await request(name, { file_content, ...options });
  await emulator.clock.advance(1000);
  const status = await request("get_document_status", { file_id: textAt(submission.body, "data.file_id") });
  expect(await (await emulator.fetch(textAt(status.body, "data.output_file"))).text()).toBe(expected);
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
