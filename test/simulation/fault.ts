import type { Fault } from "../../emulator/fault.ts";
import type { Draw } from "./draw.ts";

/** What goes wrong on the way, beside what the emulator's own faults do: the nth request of a step. */
export interface WireFault {
  readonly nth: number;
  /** Never leaves; arrives so late that the sender has gone; is executed, and the answer is late. */
  readonly kind: "unsent" | "late" | "late-answer";
  readonly ms: number;
}

/** A text in an answer that quotes the credential. */
const echo = (key: string) => ({ message: `the token ${key} of "Bearer ${encodeURIComponent(key)}" is odd` });

/** The catalogue (reliability 4.2), as far as it reaches above the library: what is told apart there is one kind here. */
const before = [
  ..."reset fin hang 400 401 403 404 408 409 413 422 500 502 503 504 303 307 html-403 html-404".split(" "),
  ...["429", "429", "429"],
];
const after = "reset fin hang 500 502 503 504 408 409 302".split(" ");
const spoiled = [
  ..."cut-length cut-json slow-loris empty-200 no-content html-200 error-in-200 wrong-types missing-field".split(
    " ",
  ),
  ..."unknown-status extra-fields proto-keys big-int json-in-string bad-utf8 text-plain".split(" "),
];
const hints = [undefined, "2", "90", "-5", "soon", "Sat, 21 Nov 2015 05:00:00 GMT", "1000000000000"];

/** So long, in ms, the provider searches after a conflict for what its own request may have made. */
const conflictSearch = 4_000;

/**
 * Half of all kinds, drawn once a schedule: common ones would mask rare combinations. A conflict with oneself is none
 * of them where listings lag behind further than a conflict is doubted.
 */
export function drawKinds(draw: Draw, lagMs: number): readonly Omit<Fault, "target">[] {
  const possible = after.filter((kind) => kind !== "409" || lagMs < conflictSearch);
  const all: Omit<Fault, "target">[] = [
    ...before.map((kind) => ({ kind, when: "before" as const })),
    ...possible.map((kind) => ({ kind, when: "after" as const })),
    ...spoiled.map((kind) => ({ kind })),
  ];
  return all.filter(() => draw.chance(0.5));
}

/** Faults of one step. `operations` are those that its objects may need. */
export function drawFaults(
  draw: Draw,
  kinds: readonly Omit<Fault, "target">[],
  operations: readonly string[],
  key: string,
): Fault[] {
  const count = draw.chance(0.15) ? 0 : draw.spread(2, 24);
  return Array.from({ length: count }, () => {
    const everywhere = draw.chance(0.4);
    const kind = draw.pick(kinds);
    const refusal = /^[45]/.test(kind.kind);
    return {
      ...kind,
      target: everywhere ? "*" : draw.pick(operations),
      from: everywhere ? draw.spread(1, 80) : draw.spread(1, 6),
      times: draw.chance(0.8) ? 1 : draw.spread(2, 8),
      ...(kind.kind === "429" ? { retryAfter: draw.pick(hints) } : {}),
      ...(refusal && draw.chance(0.3) ? { body: echo(key) } : {}),
    };
  });
}

/** What happens on the wire of one step. */
export const drawWire = (draw: Draw): WireFault[] =>
  draw.chance(0.5)
    ? []
    : Array.from({ length: draw.int(1, 4) }, () => ({
        nth: draw.spread(1, 80),
        kind: draw.pick(["unsent", "late", "late-answer"] as const),
        ms: draw.spread(1_000, 90_000),
      }));
