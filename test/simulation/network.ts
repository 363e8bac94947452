import type { Emulator } from "../../emulator/emulator.ts";
import {
  bytesOf,
  type ConnectionOutcome,
  type WireRequest as EmulatorRequest,
  textOf,
} from "../../emulator/http/wire.ts";
import { uuidOf } from "../../emulator/state/id.ts";
import { StopError } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import type { Reply, Transport, WireRequest } from "../../provider/platform/ports.ts";
import { allOf } from "../support/cloud.ts";
import { createOtpChecker, type OtpChecker } from "./checker/otp.ts";
import type { Draw } from "./draw.ts";
import { quotes, type WireFault } from "./fault.ts";
import type { GroundTruth, Party } from "./ground-truth.ts";
import type { Report } from "./report.ts";
import { origin } from "./scenario.ts";
import type { LeakFinder } from "./secret.ts";
import type { Process, World } from "./world.ts";

/** Event at the `at`-th request of a step that changes something: before, after or instead of its execution. */
export interface Interruption {
  readonly at: number;
  readonly when: "before" | "after" | "instead";
  /** Delay of the response in ms. */
  readonly holdMs?: number;
  readonly act: () => void;
}

/** Simulated network between the provider and the emulator: it adds latency and faults, and checks every request. */
export interface Network {
  /** Returns the transport of one process. Requests arrive even if the process is killed; responses then do not. */
  transport(process: Process, party: Party): Transport;
  /** Returns the transport of another user who creates an object from `inputs`, without latency and network faults. */
  otherUserTransport(inputs: Values): Transport;
  /** Sets the faults of a step and the events between its requests, and restarts the count of its requests. */
  begin(faults: readonly WireFault[], interruptions?: readonly Interruption[]): void;
  /** KRNs of created objects whose response arrived soon after a stop and was ignored, since the last `begin`. */
  readonly afterStop: readonly string[];
  /** Omits a drawn field from every object in the response to the `nth` read from now. */
  omit(nth: number, draw: Draw): void;
  /** Numbers of network faults and of requests since the start. */
  readonly counts: { faults: number; requests: number; billedTwice: number };
}

/**
 * Returns true for read routes, by the names in the contract. Nothing else derives the semantics of a request from its
 * name.
 */
const isRead = ({ method, url }: WireRequest): boolean =>
  (method === "GET" && !/\/(cancel|del)$/.test(url)) || /\/(get|search)_\w+(\?|$)/.test(url);

const isMetered = ({ method, url }: WireRequest): boolean =>
  method === "POST" && /\/(languagelabs|document)\//.test(url);

/** Returns true for a response that says that the request was not executed, and may be sent again. */
const isRefusal = (delivery: ConnectionOutcome): boolean =>
  delivery.kind === "answer" && (delivery.status === 429 || delivery.status === 503);

/** Returns the secrets in a response: tokens, secret keys and signatures of URLs. */
const secretsIn = (body: string): string[] =>
  body.includes("oken") || body.includes("secret_key")
    ? [...body.matchAll(/(?:_token|[a-z]Token|secret_key)":"([^"]+)"|&token=(\w+)"/g)].flatMap(
        ([, one, other]) => one ?? other ?? [],
      )
    : [];

const decoder = new TextDecoder();

interface Conditions {
  readonly draw: Draw;
  readonly latencyMs: number;
  /** Draws the responses to reads that spell the region in ids in lower case; undefined for none. */
  readonly spelling?: Draw | undefined;
  /** True if a delete that needs a one-time password must not leave without one. */
  readonly passwordsDue: boolean;
  readonly report: Report;
  readonly leaks: LeakFinder;
}

export function createNetwork(
  world: World,
  emulator: Emulator,
  truth: GroundTruth,
  { draw, latencyMs, spelling, passwordsDue, report, leaks }: Conditions,
): Network {
  let faults: readonly WireFault[] = [];
  let interruptions: readonly Interruption[] = [];
  let nth = 0;
  let changing = 0;
  const afterStop: string[] = [];
  let omission: { left: number; readonly draw: Draw } | undefined;
  const counts = { faults: 0, requests: 0, billedTwice: 0 };

  /**
   * Counts a request that changes something. Returns the function that runs its events and returns by how many ms they
   * delay the response; undefined if there is none.
   */
  function nextInterruption() {
    changing += 1;
    const here = interruptions.filter(({ at }) => at === changing);
    return (moment: Interruption["when"]): number | undefined => {
      const due = here.filter(({ when }) => when === moment);
      for (const { act } of due) act();
      return due.length === 0 ? undefined : Math.max(...due.map(({ holdMs = 0 }) => holdMs));
    };
  }

  /** Returns the body of a response to a read, in which all ids may have another spelling. */
  const respelled = (body: string): string =>
    spelling?.chance(0.3) ? body.replaceAll(/krn:\w+:In-\w+-\d:/g, (start) => start.toLowerCase()) : body;

  /** Returns the body of a response to a read, without the field that it omits. */
  function shown(body: string): string {
    if (omission === undefined) return body;
    omission.left -= 1;
    if (omission.left > 0) return body;
    const names = [...new Set([...body.matchAll(/"(\w+)":/g)].map(([, name = ""]) => name))];
    if (names.length === 0) return body;
    const omitted = omission.draw.pick(names);
    omission = undefined;
    report.trace(`  the response omits ${omitted}`);
    return JSON.stringify(JSON.parse(body, (name, value) => (name === omitted ? undefined : value)));
  }

  async function delay(ms: number): Promise<void> {
    const whole = ms + (latencyMs > 0 ? draw.int(0, latencyMs) : 0);
    if (whole > 0) await world.sleep(whole);
  }

  /**
   * Executes a request. Returns the response and the KRNs of created objects; undefined if no response ever arrives. Calls
   * `opened` when a connection takes the request.
   */
  async function deliver(
    request: WireRequest,
    party: Party,
    otpChecker: OtpChecker,
    opened: () => void,
  ): Promise<{ reply: Reply; made: string[] } | undefined> {
    const { url, method, body = "" } = request;
    nth += 1;
    counts.requests += 1;
    const fault = faults.find((candidate) => candidate.nth === nth);
    if (fault !== undefined) counts.faults += 1;
    const what = () => `${method} ${url.slice(origin.length)}${body === "" ? "" : ` ${body}`}`;
    if (fault?.kind === "unsent") {
      await delay(Math.min(fault.ms, longestConnectMs));
      report.trace(() => `${what()} -> unsent`);
      return { reply: unsent, made: [] };
    }
    opened();
    otpChecker.sending(request);
    await delay(fault?.kind === "late" ? fault.ms : 0);
    const exchange = await exchangeOf(request);
    const interrupt = isRead(request) ? () => undefined : nextInterruption();
    if (interrupt("before") !== undefined) await world.sleep(0);
    if (interrupt("instead") !== undefined) {
      report.trace(() => `${what()} -> never arrives`);
      return undefined;
    }
    // The emulator executes a request before its first wait: the effect is visible when `exchange` returns.
    const before = party.made.size;
    const sent = isRead(request)
      ? emulator.exchange(exchange)
      : truth.watch(party, what, () => emulator.exchange(exchange));
    const made = party.made.size === before ? [] : [...party.made].slice(before);
    const holdMs = interrupt("after");
    const delivery = await sent;
    if (holdMs !== undefined) await world.sleep(holdMs);
    if (isRefusal(delivery) && isMetered(request)) {
      counts.billedTwice += made.length;
      truth.noteRefused(made);
      // The repeated request, which is required, does not count as a second request of this process.
      for (const krn of made) party.made.delete(krn);
    }
    report.trace(() => `${what()} -> ${describe(delivery)}${fault === undefined ? "" : ` (${fault.kind})`}`);
    await delay(fault?.kind === "late-answer" ? fault.ms : 0);
    const whole = replyOf(delivery, request);
    const reply =
      isRead(request) && whole?.kind === "answer" ? { ...whole, body: respelled(shown(whole.body)) } : whole;
    if (reply?.kind === "answer") for (const secret of secretsIn(reply.body)) leaks.learn(secret);
    return reply && { reply, made };
  }

  return {
    counts,
    afterStop,
    begin(next, events = []) {
      faults = next;
      interruptions = events;
      nth = 0;
      changing = 0;
      afterStop.length = 0;
      omission = undefined;
    },
    omit(nth, draw) {
      omission = { left: nth, draw };
    },
    otherUserTransport: (inputs) => ({
      send: async (request) => {
        const exchange = await exchangeOf(request);
        const delivery = await truth.watchOtherUser(inputs, () => emulator.exchange(exchange));
        return replyOf(delivery, request) ?? { kind: "lost", reason: "no answer came" };
      },
    }),
    transport(process, party) {
      const otpChecker = createOtpChecker(passwordsDue, report);
      return {
        send: (request, signal) =>
          new Promise((resolve, reject) => {
            if (signal.aborted) return resolve(unsent);
            let isOpen = false;
            const opened = () => {
              isOpen = true;
            };
            const abort = () => (isOpen ? reject(signal.reason) : resolve(unsent));
            signal.addEventListener("abort", abort, { once: true });
            deliver(request, party, otpChecker, opened).then((answer) => {
              if (answer === undefined || !process.alive()) return;
              if (signal.aborted) {
                if (isStop(signal.reason) && world.awake() < party.acceptsUntil())
                  afterStop.push(...answer.made.filter((id) => names(answer.reply, id)));
                return;
              }
              signal.removeEventListener("abort", abort);
              truth.noteReported(answer.made.filter((id) => names(answer.reply, id)));
              resolve(answer.reply);
            }, reject);
          }),
      };
    },
  };
}

const unsent: Reply = { kind: "unsent", reason: "no connection" };

/** Maximum time in ms until a connection is open, as in `provider/platform/undici.ts`. */
const longestConnectMs = 10_000;

const isStop = (reason: unknown): boolean => reason instanceof StopError && reason.why === "stop";

/** Returns the request as the emulator receives it. */
const exchangeOf = async ({ url, method, headers, body = "", stream }: WireRequest) => ({
  method,
  url: splitUrl(withCapitals(url)),
  headers: inLowerCase(headers),
  body: await allOf(withCapitals(body), stream),
});

/** Returns a part of a request with the ids as the emulator knows them: the API accepts each spelling of an id. */
const withCapitals = (text: string): string =>
  text.replaceAll(
    /(krn(?::|%3A)\w+?(?::|%3A)in-)([a-z])/g,
    (_, start: string, letter: string) => start.replace(/in-$/, "In-") + letter.toUpperCase(),
  );

/** Splits a URL of the API. The provider has percent-encoded it, so no parser is needed. */
function splitUrl(url: string): EmulatorRequest["url"] {
  const query = url.indexOf("?", origin.length);
  const end = query < 0 ? url.length : query;
  return { origin, pathname: url.slice(origin.length, end), search: url.slice(end) };
}

/** Returns headers with names in lower case, as a server reads them, and with ids as the emulator knows them. */
const inLowerCase = (headers: WireRequest["headers"]): WireRequest["headers"] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), withCapitals(value)]),
  );

function replyOf(delivery: ConnectionOutcome, request: WireRequest): Reply | undefined {
  if (delivery.kind === "hang") return undefined;
  if (delivery.kind !== "answer")
    return { kind: "lost", reason: "the connection was closed before the response" };
  if (delivery.ending === "stall") return undefined;
  const { status, headers, ending } = delivery;
  const body = quoted(textOf(delivery.body), request);
  return { kind: "answer", status, headers, body, cut: ending !== "end" };
}

/** Returns the text of a response, with the parts of the request that it quotes. */
function quoted(text: string, { headers, body = "" }: WireRequest): string {
  if (!text.includes(quotes.body)) return text;
  const credential = headers.authorization?.slice("Bearer ".length) ?? "";
  const inJson = (value: string) => JSON.stringify(value).slice(1, -1);
  return text
    .replace(quotes.credential, () => inJson(credential))
    .replace(quotes.encoded, () => encodeURIComponent(credential))
    .replace(quotes.body, () => inJson(body));
}

const describe = (delivery: ConnectionOutcome): string =>
  delivery.kind === "answer"
    ? `${delivery.status} ${decoder.decode(bytesOf(delivery.body).subarray(0, 400))}${delivery.ending === "end" ? "" : ` (${delivery.ending})`}`
    : delivery.kind;

/** Returns true if the id can be read from the response: it is complete, successful, valid JSON and contains the id. */
function names(reply: Reply, id: string): boolean {
  if (reply.kind !== "answer" || reply.cut || reply.status >= 300) return false;
  try {
    const body: unknown = JSON.parse(reply.body);
    return (
      typeof body === "object" && [id, uuidOf(id)].some((one) => reply.body.includes(JSON.stringify(one)))
    );
  } catch {
    return false;
  }
}
