import * as fc from "fast-check";
import { createFieldDecoder } from "../../../provider/grpc/http2/hpack.ts";
import {
  code,
  continuation,
  data,
  endHeaders,
  endStream,
  type Frame,
  goAway,
  headers,
  number,
  openClient,
  padded,
  ping,
  preface,
  prioritized,
  priority,
  reset,
  settings,
  update,
} from "./http2-client.ts";
import { frame } from "./http2-frame.ts";

/** Exchanges of a client with an HTTP/2 server, drawn by fast-check, and their outcome. */

export interface Exchange {
  readonly initialWindow: number;
  /** Frames of requests and of the connection that the protocol allows. */
  readonly frames: readonly Buffer[];
  /** Lengths of the parts in which the bytes are sent, repeated. */
  readonly cuts: readonly number[];
  /** Streams whose response ends. */
  readonly answered: readonly number[];
  /** Frames that follow once all responses have ended, and that the protocol may not allow. */
  readonly last: readonly Buffer[];
}

/** Response of a stream, or how it ended. */
type Outcome = { readonly fields: Record<string, string>; readonly body: string } | "reset" | "open";

export interface Result {
  /** Outcome of each request of `frames`. */
  readonly responses: Record<number, Outcome>;
  /** Outcome of the frames of `last`: refused by the end of the connection or of a stream that was open before. */
  readonly last: "connection" | "stream" | "accepted";
  /** Outcome of a request after them. */
  readonly probe: Outcome;
  /** True if the server sent more data than the client had room for. */
  readonly isOverrun: boolean;
}

const size = (value: number, prefix: number, first: number): Buffer => {
  const most = 2 ** prefix - 1;
  if (value < most) return Buffer.of(first | value);
  const bytes = [first | most];
  let rest = value - most;
  for (; rest >= 128; rest >>= 7) bytes.push((rest & 127) | 128);
  return Buffer.of(...bytes, rest);
};
const text = (value: string): Buffer =>
  Buffer.concat([size(value.length, 7, 0), Buffer.from(value, "latin1")]);

/** Field without an index, which does not enter the dynamic table. */
const literal = (name: string, value: string): Buffer =>
  Buffer.concat([Buffer.of(0), text(name), text(value)]);

/** Header block of a request, before it is encoded. */
interface Block {
  readonly tableSize: number | undefined;
  readonly fields: readonly { readonly kind: number; readonly name: string; readonly value: string }[];
}

/** Returns an encoder for the header blocks of one connection in their order, with its dynamic table (RFC 7541). */
function blockEncoder(): (block: Block) => Buffer {
  const table: (readonly [name: string, value: string])[] = [];
  let limit = 4096;
  const sizeOf = () => table.reduce((sum, [name, value]) => sum + name.length + value.length + 32, 0);
  const evict = () => {
    while (sizeOf() > limit) table.pop();
  };
  const encode = ({ kind, name, value }: Block["fields"][number]): Buffer => {
    const known = table.findIndex((entry) => entry[0] === name && entry[1] === value);
    if (kind === indexed && known >= 0) return size(62 + known, 7, 0x80);
    const first = kind === indexed ? 0x40 : kind;
    const named = table.findIndex((entry) => entry[0] === name);
    const prefix = first === 0x40 ? 6 : 4;
    const head = named < 0 ? [Buffer.of(first), text(name)] : [size(62 + named, prefix, first)];
    if (first === 0x40) {
      table.unshift([name, value]);
      evict();
    }
    return Buffer.concat([...head, text(value)]);
  };
  return ({ tableSize, fields }) => {
    const parts = tableSize === undefined ? [] : [size(tableSize, 5, 0x20)];
    limit = tableSize ?? limit;
    evict();
    return Buffer.concat([...parts, ...fields.map(encode)]);
  };
}

/** Kind of a field that is sent as an index if the table has it, and enters the table otherwise. */
const indexed = 0x80;
const kind = fc.constantFrom(0, 0x10, 0x40, indexed, indexed);
const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((unit) => String.fromCharCode(unit)),
  maxLength: 60,
});

const blockOf = (path: string): fc.Arbitrary<Block> =>
  fc
    .record({
      tableSize: fc.option(fc.constantFrom(0, 31, 100, 4096), { nil: undefined }),
      kinds: fc.array(kind, { minLength: 8, maxLength: 8 }),
      x: fc.oneof(visible, fc.constantFrom("one", "two", "x".repeat(60))),
      y: fc.oneof(visible, fc.constantFrom("one", "two", "y".repeat(4096))),
    })
    .map(({ tableSize, kinds, x, y }) => {
      const fields = {
        ":method": "POST",
        ":scheme": "http",
        ":path": path,
        ":authority": "localhost",
        te: "trailers",
        "content-type": "application/grpc",
        "x-x": x,
        "x-y": y,
      };
      return {
        tableSize,
        fields: Object.entries(fields).map(([name, value], index) => ({
          kind: kinds[index] ?? 0,
          name,
          value,
        })),
      };
    });

/** Splits bytes at drawn places, of which there are few. */
const splits = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 });
function parts(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [
    ...places.map((place) => Math.floor(place * bytes.length)).toSorted((a, b) => a - b),
    bytes.length,
  ];
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}

const padding = fc.option(fc.nat(255), { nil: undefined });
const pad = (content: Buffer, length: number | undefined): Buffer =>
  length === undefined ? content : Buffer.concat([Buffer.of(length), content, Buffer.alloc(length)]);

/** Beginning of a request: its header block, and the frames in which it is sent. */
const openingOf = (id: number, path: string, flags: number) =>
  fc
    .record({
      block: blockOf(path),
      places: splits,
      pads: padding,
      weight: fc.option(fc.nat(255), { nil: undefined }),
    })
    .map(({ block, places, pads, weight }) => (encode: (block: Block) => Buffer): Buffer => {
      const bytes = encode(block);
      const [first = bytes, ...rest] = parts(bytes, places);
      const content = weight === undefined ? first : Buffer.concat([number(0), Buffer.of(weight), first]);
      const all = flags | (pads === undefined ? 0 : padded) | (weight === undefined ? 0 : prioritized);
      return Buffer.concat([
        frame(headers, all | (rest.length === 0 ? endHeaders : 0), id, pad(content, pads)),
        ...rest.map((part, index) =>
          frame(continuation, index === rest.length - 1 ? endHeaders : 0, id, part),
        ),
      ]);
    });

const dataOf = (id: number, flags: number) =>
  fc
    .tuple(fc.oneof(fc.nat(40), fc.nat(16_000)), fc.nat(255), padding)
    .map(([length, byte, pads]) =>
      frame(data, flags | (pads === undefined ? 0 : padded), id, pad(Buffer.alloc(length, byte), pads)),
    );

const request = (id: number) =>
  fc
    .record({
      path: fc.constantFrom("/echo", "/echo", "/large", "/wait"),
      body: fc.array(dataOf(id, 0), { maxLength: 3 }),
      end: fc.constantFrom("data", "trailers", "headers", "reset"),
    })
    .chain(({ path, body, end }) =>
      fc
        .tuple(
          openingOf(id, path, end === "headers" ? endStream : 0),
          dataOf(id, endStream),
          fc.constant(frame(headers, endStream | endHeaders, id, literal("x-end", "1"))),
        )
        .map(([opening, last, trailers]) => {
          const cancel = frame(reset, 0, id, number(8));
          const rest = {
            data: [...body, last],
            trailers: [...body, trailers],
            headers: [],
            reset: [...body, cancel],
          };
          const isAnswered = path !== "/wait" && end !== "reset";
          return { id, isAnswered, opening, steps: rest[end as keyof typeof rest] };
        }),
    );

const setting = fc.oneof(
  fc.tuple(fc.constant(1), fc.constantFrom(0, 4096, 65_536)),
  fc.tuple(fc.constant(2), fc.constantFrom(0, 1)),
  fc.tuple(fc.constant(3), fc.constantFrom(0, 100)),
  fc.tuple(fc.constant(4), fc.nat(100_000)),
  fc.tuple(fc.constant(5), fc.constantFrom(16_384, 65_536)),
  fc.tuple(fc.constant(6), fc.constantFrom(100_000)),
);
const settingsOf = (entries: readonly (readonly [number, number])[]): Buffer =>
  frame(
    settings,
    0,
    0,
    Buffer.concat(entries.map(([id, value]) => Buffer.concat([Buffer.of(0, id), number(value)]))),
  );

/** Highest stream of the requests of `frames`. */
const lastId = 5;
const idOf = (each: Buffer): number => each.readUInt32BE(5);

/** Frames of the connection, which change no response. */
const aside = fc.oneof(
  fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => frame(ping, 0, 0, bytes)),
  fc.array(setting, { maxLength: 4 }).map(settingsOf),
  fc.integer({ min: 1, max: 100_000 }).map((added) => frame(update, 0, 0, number(added))),
  fc
    .tuple(fc.nat(3), fc.nat(255))
    .map(([id, weight]) => frame(priority, 0, id * 2 + 1, Buffer.concat([number(0), Buffer.of(weight)]))),
  fc
    .tuple(fc.integer({ min: 0x20, max: 255 }), fc.nat(255), fc.nat(9), fc.uint8Array({ maxLength: 30 }))
    .map((all) => frame(...all)),
);

const bytes = fc.uint8Array({ maxLength: 40 });

/** Frames that may violate the protocol. */
const anything = fc.oneof(
  fc
    .tuple(fc.nat(9), fc.nat(255), fc.oneof(fc.nat(12), fc.constantFrom(1, 3, 5)), bytes)
    // Node ends a connection with a ping that is acknowledged but was not sent, and after a farewell.
    .map(([type, flags, id, payload]) =>
      frame(type, type === ping ? flags & ~1 : flags, id, type === goAway ? payload.subarray(0, 7) : payload),
    ),
  fc
    .tuple(fc.constantFrom(1, 3, 5), fc.nat(40))
    .map(([id, length]) => frame(data, 0, id, Buffer.alloc(length))),
  fc
    .tuple(fc.constantFrom(0, 1, 8, 0x20, 0x21), fc.constantFrom(1, 3, 9, 11), bytes)
    .map(([flags, id, payload]) => frame(headers, flags | endHeaders, id, payload)),
  // Node has the extensions to which 8 and 9 belong, and reads only the last of several values of a setting.
  fc
    .uniqueArray(
      fc.tuple(fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 16), fc.oneof(fc.nat(2), fc.nat(2 ** 32 - 1))),
      { maxLength: 3, selector: ([id]) => id },
    )
    .map(settingsOf),
  fc.tuple(fc.nat(12), fc.nat(2 ** 32 - 1)).map(([id, added]) => frame(update, 0, id, number(added))),
  fc.tuple(fc.nat(9), fc.constantFrom(0, 1)).map(([type, id]) => frame(type, 0, id, Buffer.alloc(16_385))),
);

/** Takes steps of several streams in a drawn order, each stream in its own. */
function merged(streams: readonly (readonly Buffer[])[], order: readonly number[]): Buffer[] {
  const rest = streams.map((steps) => [...steps]);
  const taken: Buffer[] = [];
  for (let turn = 0; rest.some(({ length }) => length > 0); turn++) {
    const open = rest.filter(({ length }) => length > 0);
    const next = open[(order[turn % order.length] ?? 0) % open.length]?.shift();
    if (next !== undefined) taken.push(next);
  }
  return taken;
}

/** Draws exchanges. A stream opens after those with a lower ID, so streams are opened first, in their order. */
export const exchange: fc.Arbitrary<Exchange> = fc
  .record({
    initialWindow: fc.oneof(fc.nat(200), fc.nat(100_000)),
    requests: fc.tuple(request(1), request(3), request(5)),
    asides: fc.array(aside, { maxLength: 5 }),
    order: fc.array(fc.nat(20), { minLength: 1, maxLength: 30 }),
    cuts: fc.array(fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 20_000 })), {
      minLength: 1,
      maxLength: 6,
    }),
    last: fc.array(anything, { maxLength: 2 }),
  })
  .map(({ initialWindow, requests, asides, order, cuts, last }) => {
    const encode = blockEncoder();
    const openings = requests.map(({ opening }) => opening(encode));
    const rests = requests.map(({ steps }) => steps);
    return {
      initialWindow,
      frames: [...openings, ...merged([...rests, asides], order)],
      cuts,
      answered: requests.flatMap(({ id, isAnswered }) => (isAnswered ? id : [])),
      // A new stream has one frame at most: Node resets it if the header fields are malformed, and ignores the next one.
      last: last.filter(
        (each, index) => idOf(each) <= lastId || last.findIndex((one) => idOf(one) === idOf(each)) === index,
      ),
    };
  });

/** Stream of a request that shows whether the connection still serves. */
const probeId = 101;
const probe = Buffer.concat([
  literal(":method", "POST"),
  literal(":scheme", "http"),
  literal(":path", "/echo"),
  literal(":authority", "localhost"),
]);

/** Returns true if a frame ends a stream. */
const isEnd = ({ type, flags }: Frame): boolean =>
  type === reset || (type === headers && (flags & endStream) !== 0);

/** Runs an exchange with the server on a port. */
export async function run(
  port: number,
  { initialWindow, frames, cuts, answered, last }: Exchange,
): Promise<Result> {
  const bytes = Buffer.concat([preface, settingsOf([[4, initialWindow]]), ...frames]);
  const client = await openClient(port, Buffer.alloc(0));
  const { socket, send, until, hasEnded } = client;
  socket.setNoDelay(true);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = cuts[turn % cuts.length] ?? 1;
    send(bytes.subarray(at, at + length));
    at += length;
    if (turn < 50) await new Promise((resolve) => setImmediate(resolve));
  }
  const isAnswered = (id: number) => client.frames.some((one) => one.stream === id && isEnd(one));
  /** Resolves when the server has answered everything that it received before. */
  const settled = async (text: string) => {
    send(frame(ping, 0, 0, Buffer.from(text.padStart(8))));
    await until(() =>
      client.frames.some(({ type, payload }) => type === ping && payload.toString().trim() === text),
    );
  };
  /** Gives the streams room until all have ended. A server that needs more turns than this does not answer. */
  const answeredAll = async (ids: readonly number[], turns: string) => {
    for (let turn = 0; turn < 100 && !hasEnded(); turn++) {
      const open = ids.filter((id) => !isAnswered(id));
      if (open.length === 0) return;
      for (const id of [0, ...open]) send(frame(update, 0, id, number(turn === 0 ? 2 ** 20 : 1)));
      await settled(`${turns}${turn}`);
    }
  };
  await settled("sent");
  const isOverrun = exceedsWindow(
    client.frames,
    [initialWindow, ...initialWindows(frames)],
    sumOfUpdates(frames),
  );
  await answeredAll(answered, "a");
  const count = client.frames.length;
  send(...last, frame(headers, endHeaders | endStream, probeId, probe));
  await answeredAll([probeId], "b");
  await settled("end");
  const isEnded = hasEnded() || client.frames.some(({ type }) => type === goAway);
  socket.destroy();
  const hasReset = client.frames
    .slice(count)
    .some(
      ({ type, stream, payload }) =>
        type === reset && stream <= lastId && payload.readUInt32BE(0) !== code.none,
    );
  const outcomes = outcomesOf(client.frames);
  return {
    responses: Object.fromEntries(answered.map((id) => [id, outcomes.get(id) ?? "open"])),
    last: isEnded ? "connection" : hasReset ? "stream" : "accepted",
    probe: outcomes.get(probeId) ?? "open",
    isOverrun,
  };
}

/** Returns the initial windows that a client sets. */
const initialWindows = (frames: readonly Buffer[]): number[] =>
  frames
    .filter((each) => each[3] === settings)
    .flatMap((each) =>
      Array.from({ length: (each.length - 9) / 6 }, (_, index) => 9 + index * 6).flatMap((at) =>
        each.readUInt16BE(at) === 4 ? each.readUInt32BE(at + 2) : [],
      ),
    );

/** Returns the room that a client adds to the window of the connection. */
const sumOfUpdates = (frames: readonly Buffer[]): number =>
  frames.filter((each) => each[3] === update).reduce((sum, each) => sum + each.readUInt32BE(9), 0);

/** Returns true if a stream or the connection has more data than its largest window. */
function exceedsWindow(frames: readonly Frame[], windows: readonly number[], added: number): boolean {
  const sent = new Map<number, number>();
  for (const { type, stream, payload } of frames)
    if (type === data) sent.set(stream, (sent.get(stream) ?? 0) + payload.length);
  const total = [...sent.values()].reduce((sum, length) => sum + length, 0);
  return total > 65_535 + added || [...sent.values()].some((length) => length > Math.max(...windows));
}

/** Returns the outcome of each stream. Header blocks are decoded in their order, and both servers send each in one frame. */
function outcomesOf(frames: readonly Frame[]): Map<number, Outcome> {
  const decode = createFieldDecoder(2 ** 20);
  const outcomes = new Map<number, Outcome>();
  const open = new Map<number, { fields: Record<string, string>; body: Buffer[] }>();
  for (const one of frames.filter(({ stream }) => stream > 0)) {
    const response = open.get(one.stream) ?? { fields: {}, body: [] };
    open.set(one.stream, response);
    if (one.type === headers) Object.assign(response.fields, Object.fromEntries(decode(one.payload)));
    if (one.type === data) response.body.push(one.payload);
    if (!isEnd(one) || outcomes.has(one.stream)) continue;
    const { date: _, ...fields } = response.fields;
    const body = Buffer.concat(response.body);
    outcomes.set(one.stream, one.type === reset ? "reset" : { fields, body: body.toString("base64") });
  }
  return outcomes;
}
