import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { Pool } from "undici";
import * as z from "zod/mini";
import { createApi } from "../provider/client/client.ts";
import { fileContent } from "../provider/definition/content.ts";
import { endpoint, inRows } from "../provider/definition/endpoint.ts";
import { openSession } from "../provider/engine/engine.ts";
import { realPorts } from "../provider/platform/real-ports.ts";
import { submitDocument } from "../resources/wire/document.ts";
import { forgetPeak, memoryOf } from "./process.ts";

/**
 * `node mover.ts WHAT ORIGIN FILE`: runs one of the transfers below. They transfer the bytes of the file, or the same number of
 * bytes, between this process and the storage at `ORIGIN`, with the provider's client or with a bare pipe over a pool of the
 * same library. Prints the duration in ms and the growth of the memory to its peak in MB.
 */

const [what = "", origin = "", file = ""] = process.argv.slice(2);
const { size } = await stat(file);

const session = openSession({ baseUrl: origin, apiKey: "no-key", maxRequestsPerSecond: 0 }, realPorts);
const api = createApi(session, { region: "In-Bangalore-1", signal: new AbortController().signal });
const pool = new Pool(origin, { allowH2: false });

const row = z.object({ key: z.string(), isFolder: z.boolean(), size: z.number(), lastModified: z.string() });
const rows = inRows(endpoint("read", "GET /rows/100000", z.object({ objects: z.array(row) })), row);

/** Encodes a file in Base64 as part of a JSON body. The parts have whole groups of three bytes. */
async function* encoded(path: string): AsyncGenerator<Buffer> {
  yield Buffer.from('{"language":"english","file_type":"Digital","file_content":"');
  for await (const part of createReadStream(path, { highWaterMark: 3 * 64 * 1024 }))
    yield Buffer.from((part as Buffer).toString("base64"), "latin1");
  yield Buffer.from('"}');
}

/** Transfers to measure. Each function prepares a transfer and returns the function that runs it. */
const transfers: Readonly<Record<string, () => () => Promise<unknown>>> = {
  sums: () => async () => fileContent(file, "source"),
  up() {
    const content = fileContent(file, "source");
    return () => api.transfer.put(`${origin}/up`, content);
  },
  document() {
    const bytes = fileContent(file, "source");
    return () =>
      submitDocument(api, "text", {
        body: { language: "english", file_type: "Digital" },
        content: { field: "file_content", bytes },
      });
  },
  bareDocument: () => async () => {
    const answer = await pool.request({
      path: "/v1/document/extract_text",
      method: "POST",
      headers: { "content-type": "application/json" },
      body: Readable.from(encoded(file)),
    });
    await answer.body.dump();
  },
  down: () => () => api.transfer.get(`${origin}/bytes/${size}`, () => {}),
  rows: () => async () => {
    const { length } = await api.send(rows);
    if (length !== 100_000) throw new Error(`${length} rows arrived`);
  },
  bareUp: () => async () => {
    const body = createReadStream(file, { highWaterMark: 256 * 1024 });
    const answer = await pool.request({
      path: "/up",
      method: "PUT",
      headers: { "content-length": `${size}` },
      body,
    });
    await answer.body.dump();
  },
  bareDown: () => async () => {
    const { body } = await pool.request({ path: `/bytes/${size}`, method: "GET" });
    for await (const _ of body);
  },
};

const prepare = transfers[what];
if (prepare === undefined) throw new Error(`there is no transfer ${what}`);
// The first request loads modules, which must not be measured.
await api.transfer.get(`${origin}/bytes/1`, () => {});
const transfer = prepare();
const { now: idle } = await memoryOf(process.pid);
await forgetPeak(process.pid);
const began = performance.now();
await transfer();
const milliseconds = performance.now() - began;
const { peak } = await memoryOf(process.pid);
console.log(JSON.stringify({ milliseconds, megabytes: peak - idle }));
process.exit();
