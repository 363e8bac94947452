import { expect, test } from "@jest/globals";
import { endpoint } from "../../provider/definition/endpoint.ts";
import type { ByteStream } from "../../provider/platform/ports.ts";
import { type Answer, before } from "./server.ts";

const part = Buffer.alloc(64 * 1024, "kcloud");

/** Returns a stream of this many equal parts. */
const streamOf = (parts: number): ByteStream => ({
  size: parts * part.length,
  async *read() {
    for (let sent = 0; sent < parts; sent++) yield part;
  },
});

test("a form upload has its fields and the unchanged file", async () => {
  let seen = "";
  const answer: Answer = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    seen = `${request.headers["content-length"] === String(body.length)} ${request.headers["content-type"]}\n${body}`;
    response.end("{}");
  };
  const upload = endpoint("update", "PUT /objects");
  await before(answer, async (api) => {
    const content = {
      ...streamOf(0),
      size: 5,
      sha256: "abc",
      md5: "",
      read: async function* () {
        yield Buffer.from("hello");
      },
    };
    await api.send(upload, {
      form: { fields: { prefix: "a" }, file: { name: 'a".txt', content, type: "text/plain" } },
    });
  });
  expect(seen.replaceAll("\r\n", "\n")).toBe(
    [
      "true multipart/form-data; boundary=part-abc",
      "--part-abc",
      'Content-Disposition: form-data; name="prefix"',
      "",
      "a",
      "--part-abc",
      'Content-Disposition: form-data; name="file"; filename="a%22.txt"',
      "Content-Type: text/plain",
      "",
      "hello",
      "--part-abc--",
      "",
    ].join("\n"),
  );
});
