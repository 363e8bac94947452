import { once } from "node:events";
import http2 from "node:http2";
import { afterEach, expect, test } from "@jest/globals";
import * as fc from "fast-check";
import {
  createFieldDecoder,
  encodeFields,
  type Fields,
  HeaderError,
} from "../../../provider/grpc/http2/hpack.ts";
import { serveConnection } from "../../../provider/grpc/http2/http2.ts";
import { listen } from "../../../provider/grpc/listen.ts";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const decoder = () => createFieldDecoder(1024 * 1024);
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Opens a connection of `node:http2` to a server that reports the header fields of each request. */
async function nodeClient(options: http2.ClientSessionOptions = {}) {
  const received: Fields[] = [];
  const { port, close } = await listen({ host: "127.0.0.1", port: 0 }, (connection) =>
    serveConnection(connection, {
      accept: (stream) => {
        received.push(stream.headers);
        return { data() {}, end: () => stream.end(encodeFields({ ":status": "200" })), close() {} };
      },
      onClose() {},
      onError: (error) => {
        throw error;
      },
    }),
  );
  const session = http2.connect(`http://127.0.0.1:${port}`, options);
  closers.push(() => {
    session.destroy();
    close();
  });
  return async (fields: Record<string, string>): Promise<Fields | undefined> => {
    const stream = session.request({ ":method": "POST", ":path": "/", ...fields });
    stream.resume();
    stream.end();
    await once(stream, "close");
    return received.at(-1);
  };
}

test("the requests of RFC 7541, C.4, with Huffman codes and a dynamic table, are decoded in turn", () => {
  const decode = decoder();
  const blocks = [
    "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
    "8286 84be 5886 a8eb 1064 9cbf",
    "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
  ].map((block) => decode(hex(block)));
  const common = { ":method": "GET", ":authority": "www.example.com" };
  expect(blocks.map((fields) => Object.fromEntries(fields))).toEqual([
    { ...common, ":scheme": "http", ":path": "/" },
    { ...common, ":scheme": "http", ":path": "/", "cache-control": "no-cache" },
    { ...common, ":scheme": "https", ":path": "/index.html", "custom-key": "custom-value" },
  ]);
});

test("the responses of RFC 7541, C.6, for which the table evicts entries, are decoded in turn", () => {
  const decode = decoder();
  const blocks = [
    "3fe1 01 4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
    "4883 640e ffc1 c0bf",
    "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07",
  ].map((block) => decode(hex(block)));
  expect(blocks.map((fields) => fields.get(":status"))).toEqual(["302", "307", "200"]);
  expect(blocks[1]?.get("location")).toBe("https://www.example.com");
  expect(blocks[2]?.get("set-cookie")).toBe("foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1");
});

test("every text that a client of Node can send is decoded", async () => {
  const send = await nodeClient();
  const all = Array.from({ length: 256 - 32 }, (_, at) => String.fromCharCode(at + 32)).join("");
  const value = all.replace("\u007f", "");
  expect((await send({ "x-all": value.trim() }))?.get("x-all")).toBe(value.trim());
});

test("any series of fields arrives as it was sent, whatever the table holds", async () => {
  const name = fc.stringMatching(/^x-[a-z0-9-]{1,30}$/);
  const value = fc.stringMatching(/^[!-~]([ -~]{0,300}[!-~])?$/);
  const request = fc.dictionary(name, value, { maxKeys: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 12 }), async (requests) => {
      const send = await nodeClient();
      for (const fields of requests) {
        const received = Object.fromEntries((await send(fields)) ?? []);
        expect(received).toMatchObject({ ...fields, ":path": "/" });
      }
      closers.splice(0).map((close) => close());
    }),
    { numRuns: 40 },
  );
});

test.each([
  ["an index of zero", "80"],
  ["an index behind the table", "c0"],
  ["a name that ends early", "40 0a 6162"],
  ["a value that ends early", "40 01 61 05 6162"],
  ["an integer without an end", "7f ffff ffff ffff ffff ff"],
  ["a table that is larger than the default", "3fe2 1f"],
  ["a change of the table behind a field", "82 20"],
  ["Huffman padding of zeros", "40 01 61 81 18"],
  ["Huffman padding of more than seven bits", "40 01 61 82 1fff"],
  ["the Huffman code for the end", "40 01 61 84 ffff ffff"],
])("%s is an error", (_, block) => {
  expect(() => decoder()(hex(block))).toThrow(HeaderError);
});

test("fields over the limit are an error, also if they come from the table", () => {
  const decode = createFieldDecoder(500);
  const large = Buffer.concat([hex("40 01 61 7f 39"), Buffer.alloc(184, "x")]);
  expect(decode(large).get("a")?.length).toBe(184);
  expect(decode(hex("be be")).size).toBe(1);
  expect(() => decode(hex("be be be"))).toThrow("the header fields are too large");
});

test("encoded fields are decoded again, whatever their length", () => {
  for (const length of [0, 1, 126, 127, 128, 255, 16_383, 16_384, 70_000]) {
    const fields = { ":status": "200", "grpc-message": "é".repeat(length) };
    expect(Object.fromEntries(decoder()(encodeFields(fields)))).toEqual(fields);
  }
});
