import type { Fault } from "../../emulator/fault/fault.ts";
import type { Draw } from "./draw.ts";
import type { Scenario } from "./scenario.ts";

/** Fault of the simulated network, in addition to the faults of the emulator. */
export interface WireFault {
  readonly nth: number;
  /**
   * "unsent": no connection takes the request, which is known after at most 10 s; "late": it arrives after the sender's timeout; "late-answer": it is executed and its
   * response is late.
   */
  readonly kind: "unsent" | "late" | "late-answer";
  readonly ms: number;
}

/** Placeholders in a response for the credential of the request, as it is and URL-encoded, and for its body. */
export const quotes = { credential: "<credential>", encoded: "<encoded>", body: "<body>" } as const;

/** Response body that quotes the credential and the body of the request, with line breaks and a terminal escape. */
const echo = {
  message: `the token\r\n${quotes.credential}\n of "Bearer ${quotes.encoded}" \u001b[31mis odd\u001b[0m in ${quotes.body}`,
};

/**
 * Kinds of the fault catalogue (docs/reliability.md#4.2). Faults that only the HTTP library distinguishes are one kind
 * here.
 */
const before = [
  ..."reset fin hang 400 401 403 404 408 409 413 422 500 502 503 504 303 307 html-403 html-404".split(" "),
  ...["429", "429", "429"],
];
const after = "reset fin hang 500 502 503 504 408 409 429 302".split(" ");
/** Operations that are billed, for which a 429 after the commit is drawn: it cannot be distinguished from one before it. */
const metered =
  /^(detect_language|extract_entities|summarize|translate|analyze_sentiment|extract_document_.*|summarize_document|mask_document)$/;
const spoiled = [
  ..."cut-length cut-json slow-loris empty-200 no-content html-200 error-in-200 wrong-types missing-field".split(
    " ",
  ),
  ..."unknown-status extra-fields proto-keys big-int json-in-string bad-utf8 text-plain".split(" "),
  ..."doubled-row moved-rows foreign-row masked-ids status-flap missing-row empty-list".split(" "),
];
const hints = [undefined, "2", "90", "-5", "soon", "Sat, 21 Nov 2015 05:00:00 GMT", "1000000000000"];
/** Statuses of an earlier or later moment, for a response with a wrong status. */
const words = ["BUILD", "creating", "ACTIVE", "available", "ERROR", "error", "deleting", "in-use"];
/**
 * Operations that a kind of fault is limited to: a missing row needs a listing that states its total, a row of another
 * object needs any listing, and a conflict after the commit needs an object that a listing shows by name.
 */
const aims: Readonly<Record<string, RegExp>> = {
  "after 429": metered,
  "after 409":
    /^(?!(create_(rule|pod|account_policy)|attach_account_policy)$|extract_|mask_|summarize|translate|analyze_|detect_language)/,
  "missing-row": /^(search_instances|list_security_groups)$/,
  "empty-list": /^(search_instances|list_security_groups)$/,
  "foreign-row": /^(list|search)_|_list$/,
};

/**
 * Maximum number of consecutive 404 responses for an existing object: without a listing that decides, one more counts
 * as proof.
 */
const mostDenials = 4;

/**
 * Listing lag in ms from which a conflict after the commit is not drawn: the provider searches for 5 s for the object
 * that its own request may have created.
 */
const conflictSearch = 4_000;

/**
 * Draws half of all kinds, once per schedule: frequent kinds would mask rare combinations. A conflict after the commit
 * is drawn only if listings lag by less than `conflictSearch`.
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

/** Draws the faults of one step. `operations` are those that its objects may need. */
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

/** Matches creates of objects that a listing shows. */
const listedCreate = /^create_(?!(rule|pod|account_policy)$)/;

/**
 * Draws refusals of creates that were executed. Only for listings that show the object within 5 s: the provider waits no
 * longer before it sends the request again.
 */
export function drawFalseRefusals(draw: Draw, lagMs: number, operations: readonly string[]): Fault[] {
  const targets = operations.filter((name) => listedCreate.test(name));
  if (targets.length === 0 || lagMs >= conflictSearch || draw.chance(0.5)) return [];
  return Array.from({ length: draw.int(1, 2) }, () => ({
    target: draw.pick(targets),
    kind: draw.pick(["404", "429"]),
    when: "after" as const,
    from: draw.spread(1, 4),
    times: 1,
  }));
}

/** Responses of an intermediary: the request was not executed, though the status says that it was. */
const intermediary = "empty-200 no-content html-200 cut-length error-in-200 refusal-in-200".split(" ");
/** Matches cancels and the delete of a rule: their real response is empty, and no request must show the object afterwards. */
const emptyAnswered = /^(cancel_.*|delete_rule)$/;
/** Responses of an intermediary for these operations. */
const clear = intermediary.filter((kind) => !/^(empty-200|no-content)$/.test(kind));
/** Fields that a response omits. */
const omitted =
  "id krn name status state region vpc_id availability_zone multiattach size flavor cidr volumetype created_at".split(
    " ",
  );
/** Wrong treatment of the pages of a listing. */
const paged = ["repeated-row", "ignored-page"];

/** Returns true if each response of a listing states its total, so that a row in place of another one can be detected. */
const statesTotal = (operation: string, { assume }: Scenario["cloud"]): boolean =>
  /^(search_instances|list_security_groups|list_templates)$/.test(operation) ||
  (operation === "search_port" && assume?.portSearchShape !== "array") ||
  (operation === "list_buckets" && assume?.bucketListShape !== "array");

/** Matches reads and deletes of objects that no other request shows, so that no other evidence confirms a 404. */
const undecided = /^(get_bucket_policy|get_account_policy|get_object_metadata|search_port|delete_pod)$/;

/**
 * Draws responses that only a shared world has: of an intermediary for an operation that was not executed, of a gateway
 * that does not find a route, and pages that repeat rows.
 */
export function drawIntermediaries(
  draw: Draw,
  operations: readonly string[],
  cloud: Scenario["cloud"],
): Fault[] {
  const listings = operations.filter((name) => aims["foreign-row"]?.test(name));
  if (operations.length === 0 || draw.chance(0.5)) return [];
  return Array.from({ length: draw.int(1, 3) }, (): Fault => {
    const at = { from: draw.spread(1, 6), times: draw.chance(0.8) ? 1 : draw.int(2, 4) };
    const of = draw.pick(["intermediary", "gateway", "pages", "omission"] as const);
    const word = draw.chance(0.3) ? { word: echo.message } : {};
    if (of === "omission")
      return { ...at, target: draw.pick(operations), kind: "missing-field", field: draw.pick(omitted) };
    if (of === "pages" && listings.length > 0) {
      const target = draw.pick(listings);
      const kind = draw.pick(paged);
      // A repeated row hides the last one.
      return { ...at, target, kind: statesTotal(target, cloud) ? kind : "ignored-page" };
    }
    if (of === "gateway") {
      const target = draw.pick(operations);
      const most = undecided.test(target) ? mostDenials : 8;
      return { ...at, target, kind: "404", times: draw.int(1, most) };
    }
    const target = draw.pick(operations);
    const kind = draw.pick(emptyAnswered.test(target) ? clear : intermediary);
    return { ...at, target, kind, when: "before", ...word };
  });
}

/**
 * Draws a gateway that answers a read route with 404 for a while, or a delete route once or twice. On a read route the 404
 * responses begin with the first call, because an object shown before would prove that the route works.
 */
export function drawGateways(draw: Draw, operations: readonly string[]): Fault[] {
  const single = operations.filter((name) => /^(get|delete)_/.test(name) || undecided.test(name));
  if (single.length === 0 || draw.chance(0.5)) return [];
  const preferred = single.filter((name) => undecided.test(name));
  return Array.from({ length: draw.int(1, 2) }, (): Fault => {
    const target = draw.pick(preferred.length > 0 && draw.chance(0.7) ? preferred : single);
    const at = target.startsWith("delete_")
      ? { from: draw.int(1, 2), times: draw.int(1, 2) }
      : { from: 1, times: draw.int(1, 8) };
    return { target, kind: "404", ...at };
  });
}

/**
 * Returns a fault as a *beyond* world may have it: listings show an object later than `settle_seconds`, so that the API,
 * and not a gateway, must answer at least one of three polls.
 */
export const withinMisses = (fault: Fault): Fault =>
  fault.kind === "404" && !undecided.test(fault.target)
    ? { ...fault, times: Math.min(fault.times ?? 1, 2) }
    : fault;

/** Draws a fault that lasts: rejected tokens, an unavailable service, or an exhausted quota. */
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

/** Draws the network faults of one step. */
export const drawWire = (draw: Draw): WireFault[] =>
  draw.chance(0.5)
    ? []
    : Array.from({ length: draw.int(1, 4) }, () => ({
        nth: draw.spread(1, 80),
        kind: draw.pick(["unsent", "late", "late-answer"] as const),
        ms: draw.spread(1_000, 90_000),
      }));
