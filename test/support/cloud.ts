import { setImmediate as turn } from "node:timers/promises";
import { createEmulator, type Emulator, type EmulatorOptions, manualClock } from "../../emulator/emulator.ts";
import { bodyOf } from "../../emulator/http/wire.ts";
import type { Given } from "../../provider/config/setting.ts";
import { type Explanation, OperationError } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import type { Resource } from "../../provider/definition/resource.ts";
import { engine } from "../../provider/engine/engine.ts";
import { openSession, type Session } from "../../provider/engine/session.ts";
import type { Log } from "../../provider/platform/log.ts";
import type {
  ByteStream,
  Clock,
  Command,
  Reply,
  Transport,
  WireRequest,
} from "../../provider/platform/ports.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { resources } from "../../resources/index.ts";

/** The engine of the provider and the emulator in one process, on one clock that only `run` advances. */
export interface Cloud {
  readonly emulator: Emulator;
  readonly session: Session;
  /** Warnings, newest last. */
  readonly warnings: Explanation<string>[];
  /**
   * Opens another session with the same emulator, as another process does: it shares no memory with `session`. `skewMs` is
   * the offset of its machine's wall clock.
   */
  reopen(given?: Given, skewMs?: number): Session;
  /** Advances the clock until the work ends, and returns its result. */
  run<T>(work: Promise<T>): Promise<T>;
  /** Returns the virtual milliseconds since the start. */
  elapsed(): number;
  create(kind: string, written: Values): ReturnType<typeof engine.create>;
  readonly call: { readonly stop: AbortSignal; readonly warn: (warning: Explanation) => void };
}

const byName = new Map(resources.map((resource) => [resource.name, resource]));

export const resource = (kind: string): Resource => {
  const found = byName.get(kind);
  if (found === undefined) throw new Error(`no resource ${kind}`);
  return found;
};

/** Hooks between the provider and the emulator. */
export interface Between {
  readonly wrap?: (transport: Transport) => Transport;
  /** Wraps the transport to pre-signed URLs. */
  readonly wrapForeign?: (transport: Transport) => Transport;
  readonly log?: Log;
  readonly command?: Command;
}

export function openCloud(
  options: EmulatorOptions = {},
  given: Given = {},
  {
    wrap = (transport) => transport,
    wrapForeign = (transport) => transport,
    log,
    command = realPorts.command,
  }: Between = {},
): Cloud {
  const manual = manualClock();
  const began = manual.now();
  const emulator = createEmulator({ taskMs: 1_000, ...options, clock: manual });
  /** Number of request bodies that are being read: the clock must not advance, since reading from a file takes real time. */
  let reading = 0;
  const whileReading = <T>(body: Promise<T>): Promise<T> => {
    reading += 1;
    return body.finally(() => {
      reading -= 1;
    });
  };
  const clockOf = (skewMs: number): Clock => ({
    monotonic: () => manual.now() - began,
    wall: () => manual.now() + skewMs,
    sleep: (ms, signal) => manual.sleep(ms, signal),
  });
  const reopen = (again: Given = {}, skewMs = 0) =>
    openSession(
      {
        baseUrl: "http://127.0.0.1:1",
        apiKey: "emulator-key",
        region: "In-Bangalore-1",
        accountId: "000000000000",
        maxRequestsPerSecond: 0,
        ...given,
        ...again,
      },
      {
        clock: clockOf(skewMs),
        transport: wrap(transportTo(emulator, whileReading)),
        foreign: wrapForeign(transportTo(emulator, whileReading)),
        random: { next: () => 0.5 },
        command,
      },
      log,
    );
  const warnings: Explanation<string>[] = [];
  const call = {
    stop: new AbortController().signal,
    warn: ({ summary, detail }: Explanation) => {
      warnings.push({ summary: inWordsOf("terraform", summary), detail: inWordsOf("terraform", detail) });
    },
  };
  const session = reopen();
  return {
    emulator,
    session,
    warnings,
    reopen,
    call,
    elapsed: () => manual.now() - began,
    async run(work) {
      let settled = false;
      const end = () => {
        settled = true;
      };
      work.then(end, end);
      for (let steps = 0; !settled; steps++) {
        if (steps > 100_000) throw new Error("the work did not end within 5000 s of the clock");
        while (reading > 0) await turn();
        await manual.advance(50);
      }
      return work;
    },
    create: (kind, written) =>
      engine.create(session, resource(kind), engine.check(resource(kind), written).inputs, call),
  };
}

type CallOptions = Partial<Parameters<typeof engine.create>[3]>;

/**
 * Returns the operations on the objects of a kind, without an engine. Changes are merged into the `written` inputs; `reader`
 * returns the session of a read.
 */
export function operationsOn(
  cloud: Cloud,
  kind: string,
  written: Values = {},
  reader: () => Session = () => cloud.session,
) {
  const { session, call } = cloud;
  const definition = resource(kind);
  const inputs = (change: Values = {}) => engine.check(definition, { ...written, ...change }).inputs;
  const operations = {
    create: (change: Values = {}, more: CallOptions = {}) =>
      engine.create(session, definition, inputs(change), { ...call, ...more }),
    read: (state: ResourceState, by = reader()) => engine.read(by, definition, state, call),
    update: (state: ResourceState, change: Values = {}, more: CallOptions = {}) =>
      engine.update(session, definition, state, inputs(change), { ...call, ...more }),
    remove: (state: ResourceState, more: CallOptions = {}) =>
      engine.delete(session, definition, state, { ...call, ...more }),
    take: (id: string) => engine.import(cloud.reopen(), definition, id, call),
  };
  const plan = (state: ResourceState | undefined, change: Values = {}, by = session) =>
    engine.plan(definition, state, inputs(change), by);
  /** The operations, during which the clock advances. */
  const run: typeof operations = {
    create: (...args) => cloud.run(operations.create(...args)),
    read: (...args) => cloud.run(operations.read(...args)),
    update: (...args) => cloud.run(operations.update(...args)),
    remove: (...args) => cloud.run(operations.remove(...args)),
    take: (...args) => cloud.run(operations.take(...args)),
  };
  return { inputs, plan, ...operations, run };
}

/** Returns the existing objects of a kind. */
export const live = ({ emulator }: Cloud, kind: string) =>
  emulator.inventory.list().filter((item) => item.kind === kind);

/** Advances the clock by the time in which a listing may not show a new object. */
export const settle = ({ run, session }: Cloud): Promise<void> =>
  run(session.ports.clock.sleep(session.settings.settleSeconds * 1000));

/** Returns the log entries of an operation. */
export const requests = ({ emulator }: Cloud, operation: string) => emulator.log.entries({ operation });

/** Returns the `OperationError` that the work must fail with. */
export async function failure(work: Promise<unknown>): Promise<OperationError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof OperationError) return error;
    throw error;
  }
  throw new Error("the operation did not fail");
}

/** Returns the state that an engine would save after a failed operation; throws if there is none. */
export function kept({ state }: OperationError): ResourceState {
  if (state === undefined) throw new Error("the error has no state");
  return state;
}

/** Returns a transport that calls the emulator directly, without a socket. It reads each body within `whileReading`. */
function transportTo(emulator: Emulator, whileReading: <T>(body: Promise<T>) => Promise<T>): Transport {
  return {
    async send({ url, method, headers, body, stream, receive }, signal): Promise<Reply> {
      const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
      const bytes = await whileReading(allOf(body, stream)).catch(() => undefined);
      if (bytes === undefined)
        return { kind: "lost", reason: "the connection was closed before the response" };
      const sent = emulator.exchange({
        method,
        url: new URL(url),
        headers: Object.fromEntries(lower),
        body: bytes,
        signal,
      });
      const delivery = await Promise.race([sent, aborted(signal)]);
      if (delivery.kind === "hang") return aborted(signal);
      if (delivery.kind !== "answer")
        return { kind: "lost", reason: "the connection was closed before the response" };
      const { status, headers: received } = delivery;
      const answer = await bodyOf(delivery);
      if (receive !== undefined && status < 300) await receive(answer);
      const text = receive !== undefined && status < 300 ? "" : new TextDecoder().decode(answer);
      return { kind: "answer", status, headers: received, body: text, cut: delivery.ending !== "end" };
    },
  };
}

const encoder = new TextEncoder();
const nothing = new Uint8Array();

/** Reads a whole body into memory; rejects if the stream fails. */
export async function allOf(body = "", stream?: ByteStream): Promise<Uint8Array> {
  if (stream === undefined) return body === "" ? nothing : encoder.encode(body);
  const parts: Uint8Array[] = [];
  for await (const part of stream.read()) parts.push(part);
  return Buffer.concat(parts);
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

/** Request with its body as text. */
export type SentRequest = WireRequest & { readonly text: string };

/** Returns a transport that adds each request to `sent` before it sends it. */
export const recorded = (transport: Transport, sent: SentRequest[]): Transport => ({
  async send(request, signal) {
    const parts = [];
    if (request.stream !== undefined)
      for await (const part of request.stream.read()) parts.push(Buffer.from(part));
    sent.push({ ...request, text: request.body ?? Buffer.concat(parts).toString() });
    return transport.send(request, signal);
  },
});
