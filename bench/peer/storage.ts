import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * `node storage.ts`: serves a minimal storage and prints its address. Accepts every PUT. `/bytes/N` returns N zero bytes,
 * `/rows/N` a listing of N objects. Every POST submits a document whose job is complete immediately.
 */

const part = Buffer.alloc(256 * 1024);

function* zeros(count: number): Generator<Buffer> {
  for (let left = count; left > 0; left -= part.length) yield part.subarray(0, Math.min(left, part.length));
}

function* listing(count: number): Generator<string> {
  yield '{"objects":[';
  for (let at = 0; at < count; at++) {
    const row = {
      key: `logs/2026/part-${at}.json.gz`,
      isFolder: false,
      size: at,
      lastModified: "2026-01-01T00:00:00Z",
    };
    yield `${at === 0 ? "" : ","}${JSON.stringify(row)}`;
  }
  yield "]}";
}

async function sendParts(response: ServerResponse, parts: Iterable<Buffer | string>): Promise<void> {
  for (const part of parts) if (!response.write(part)) await once(response, "drain");
  response.end();
}

const server = createServer(async (request, response) => {
  if (request.method === "PUT") {
    for await (const _ of request);
    response.end();
    return;
  }
  if (request.method === "POST" || request.url?.startsWith("/v1/document/")) {
    for await (const _ of request);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: { file_id: "job-1", file_status: "success" } }));
    return;
  }
  const [, what, count] = request.url?.split("/") ?? [];
  if (what === "bytes") response.setHeader("content-length", Number(count));
  await sendParts(response, what === "bytes" ? zeros(Number(count)) : listing(Number(count)));
});

server.listen(0, "127.0.0.1", () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
