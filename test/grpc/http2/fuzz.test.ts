import { once } from "node:events";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as fc from "fast-check";
import { encodeFields } from "../../../provider/grpc/http2/hpack.ts";
import { serveConnection } from "../../../provider/grpc/http2/http2.ts";
import type { Receiver, Stream } from "../../../provider/grpc/http2/stream.ts";
import { type Listener, listen } from "../../../provider/grpc/listen.ts";
import { exchange, type Result, run } from "./exchange.ts";

/**
 * Compares the server with `node:http2` on drawn exchanges (docs/grpc-server.md). `KCLOUD_HTTP2_RUNS=20000` sets their
 * number, `KCLOUD_HTTP2_SEED` repeats those of a seed.
 */

const { KCLOUD_HTTP2_RUNS: runs = "150", KCLOUD_HTTP2_SEED: seed } = process.env;

const fields = { ":status": "200", "content-type": "application/grpc" };
const trailers = { "grpc-status": "0" };
const blocks = { start: encodeFields(fields), end: encodeFields(trailers) };
const large = Buffer.alloc(100_000, "x");

/** Returns the body of the response to a request: two fields and the body; undefined for one that is never answered. */
function answer(field: (name: string) => unknown, body: Buffer): Buffer | undefined {
  const path = field(":path");
  if (path === "/wait") return undefined;
  return path === "/large" ? large : Buffer.concat([Buffer.from(`${field("x-x")} ${field("x-y")} `), body]);
}

function accept(stream: Stream): Receiver {
  const parts: Buffer[] = [];
  return {
    data: (part) => parts.push(part),
    end() {
      const body = answer((name) => stream.headers.get(name), Buffer.concat(parts));
      if (body === undefined) return;
      stream.respond(blocks.start);
      void stream.write(body);
      stream.end(blocks.end);
    },
    close() {},
  };
}

const peer = http2.createServer({ settings: { initialWindowSize: 16 * 1024 * 1024 } });
peer.on("stream", (stream, headers) => {
  const parts: Buffer[] = [];
  // The client cancels streams and violates the protocol.
  stream.on("error", () => {});
  stream.on("data", (part: Buffer) => parts.push(part));
  stream.on("end", () => {
    const body = answer((name) => headers[name], Buffer.concat(parts));
    if (body === undefined || stream.destroyed) return;
    stream.respond({ ...fields, ":status": 200 }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers(trailers));
    stream.end(body);
  });
});

const failures: unknown[] = [];
let listener: Listener | undefined;

beforeAll(async () => {
  listener = await listen({ host: "127.0.0.1", port: 0 }, (connection) =>
    serveConnection(connection, { accept, onClose() {}, onError: (error) => failures.push(error) }),
  );
  await once(peer.listen(0, "127.0.0.1"), "listening");
});

afterAll(() => {
  listener?.close();
  peer.close();
});

/** A frame may be refused by the end of its stream or of the connection; only then the next request may fail. */
const comparable = ({ responses, isOverrun, last, probe }: Result) =>
  last === "accepted" ? { responses, isOverrun, probe } : { responses, isOverrun, isRefused: true };

test("drawn exchanges have the same responses as with node:http2, or both servers refuse them", async () => {
  await fc.assert(
    fc.asyncProperty(exchange, async (drawn) => {
      const { port: peerPort } = peer.address() as AddressInfo;
      const [result, expected] = await Promise.all([run(listener?.port ?? 0, drawn), run(peerPort, drawn)]);
      expect(comparable(result)).toEqual(comparable(expected));
      expect(result.isOverrun).toBe(false);
      expect(failures).toEqual([]);
    }),
    { numRuns: Number(runs), ...(seed && { seed: Number(seed) }) },
  );
});
