import type { Fault } from "../../emulator/fault/fault.ts";
import type { Draw } from "./draw.ts";

/** What goes wrong on the way, beside what the emulator's own faults do: the nth request of a step. */
export interface WireFault {
  readonly nth: number;
  /** Never leaves; arrives so late that the sender has gone; is executed, and the answer is late. */
  readonly kind: "unsent" | "late" | "late-answer";
  readonly ms: number;
}

/** Stand in an answer for the request's credential, as it is and as in an address, and for its body. */
export const quotes = { credential: "<credential>", encoded: "<encoded>", body: "<body>" } as const;

/** A text in an answer that quotes what it was asked with. */
const echo = {
  message: `the token ${quotes.credential} of "Bearer ${quotes.encoded}" is odd in ${quotes.body}`,
};

/**
 * The catalogue (docs/reliability.md#4.2), as far as it reaches above the library: what is told apart there is one kind
 * here.
 */
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
  ..."doubled-row moved-rows foreign-row masked-ids status-flap missing-row empty-list".split(" "),
];
const hints = [undefined, "2", "90", "-5", "soon", "Sat, 21 Nov 2015 05:00:00 GMT", "1000000000000"];
/** Words of an earlier or a later hour, in an answer that tells of another one. */
const words = ["BUILD", "creating", "ACTIVE", "available", "ERROR", "error", "deleting", "in-use"];
/**
 * What can only be told of some answers: a row too few of a listing that says how long it is, a stranger of any, a
 * conflict with oneself where a listing shows what was made.
 */
const aims: Readonly<Record<string, RegExp>> = {
  "after 409": /^(?!(create_(rule|pod|account_policy)|attach_account_policy)$)/,
  "missing-row": /^(search_instances|list_security_groups)$/,
  "empty-list": /^(search_instances|list_security_groups)$/,
  "foreign-row": /^(list|search)_|_list$/,
};

/** An object that stands is denied so often in a row at most: where nothing lists it, one time more is proof. */
const mostDenials = 4;

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
): Fault[] {
  const count = draw.chance(0.15) || kinds.length === 0 ? 0 : draw.spread(2, 24);
  const single = Array.from({ length: count }, (): Fault[] => {
    const kind = draw.pick(kinds);
    const aim = aims[kind.when === "after" ? `after ${kind.kind}` : kind.kind];
    const targets = aim === undefined ? operations : operations.filter((name) => aim.test(name));
    if (targets.length === 0) return [];
    const everywhere = aim === undefined && draw.chance(0.4);
    const refusal = /^[45]/.test(kind.kind);
    const fault = {
      ...kind,
      target: everywhere ? "*" : draw.pick(targets),
      from: everywhere ? draw.spread(1, 80) : draw.spread(1, 6),
      times: Math.min(draw.chance(0.8) ? 1 : draw.spread(2, 8), kind.kind === "404" ? mostDenials : 8),
      ...(kind.kind === "429" ? { retryAfter: draw.pick(hints) } : {}),
      ...(kind.kind === "status-flap" ? { kind: "unknown-status", word: draw.pick(words) } : {}),
      ...(refusal && draw.chance(0.3) ? { body: echo } : {}),
    };
    return [fault];
  }).flat();
  return draw.chance(0.2) ? [...single, drawSpell(draw, operations)] : single;
}

/** What goes on for a while: a token that nobody knows any more, a service that is away, an account that is full. */
function drawSpell(draw: Draw, operations: readonly string[]): Fault {
  const creates = operations.filter((name) => name.startsWith("create_"));
  const spells: Fault[] = [
    { target: "*", kind: "401", from: draw.spread(1, 80), times: draw.int(5, 40) },
    { target: "*", kind: draw.pick(["503", "html-503"]), from: draw.spread(1, 80), times: draw.int(20, 200) },
    {
      target: creates.length === 0 ? "*" : draw.pick(creates),
      kind: draw.pick(["400", "403", "409", "422"]),
      from: draw.spread(1, 4),
      body: { error: { code: "QuotaExceeded", message: "the account holds as many as it may" } },
    },
  ];
  return draw.pick(spells);
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
