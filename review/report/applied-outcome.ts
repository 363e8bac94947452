/** Truth table of an apply: the outcome for one object, by plan, log and state. */

/** "other" is other than planned, or a contradiction between log and state; "unknown" cannot be known. */
export const outcomes = ["done", "failed", "not reached", "other", "unknown"] as const;

export type Outcome = (typeof outcomes)[number];

export const worstFirst: readonly Outcome[] = ["other", "unknown", "failed", "not reached", "done"];

/** Outcomes in texts. */
export const outcomeWords = {
  done: "done",
  failed: "failed",
  "not reached": "not reached",
  other: "other than planned",
  unknown: "unknown",
} as const satisfies Record<Outcome, string>;

export interface Facts {
  /** Planned effect; "keep" for an import, a move and the end of a protection, which change no value. */
  readonly planned: "create" | "update" | "replace" | "delete" | "forget" | "keep";
  /**
   * Result of the steps that the effect needs: "half" if one step of a replacement is done and the other did not begin, "open" if one
   * began and did not end, "none" if there is no step.
   */
  readonly steps: "done" | "failed" | "half" | "open" | "none";
  /** Result with which the apply ended; "unknown" if the log does not show its end. */
  readonly end: "succeeded" | "failed" | "unknown";
  /** The object in the state after the apply; undefined if there is no state. */
  readonly state: "present" | "tainted" | "absent" | undefined;
}

/** Result by the log alone; "undecided" for an effect that engines do not log. */
type ByLog = Outcome | "undecided";

/** Of effects that have steps, by these and by the end of the log. */
const withSteps: Readonly<Record<Facts["steps"], Readonly<Record<Facts["end"], ByLog>>>> = {
  done: { succeeded: "done", failed: "done", unknown: "done" },
  failed: { succeeded: "other", failed: "failed", unknown: "failed" },
  half: { succeeded: "other", failed: "failed", unknown: "unknown" },
  open: { succeeded: "other", failed: "failed", unknown: "unknown" },
  none: { succeeded: "other", failed: "not reached", unknown: "unknown" },
};

/** Of effects that may have no step. */
const withoutSteps: typeof withSteps = {
  ...withSteps,
  none: { succeeded: "done", failed: "undecided", unknown: "undecided" },
};

type States = readonly [present: Outcome, tainted: Outcome, absent: Outcome];

const always = (outcome: Outcome): States => [outcome, outcome, outcome];

/** By the log, and then by the state: present, tainted, absent. */
const table: Readonly<Record<Facts["planned"], Readonly<Record<ByLog, States>>>> = {
  create: {
    done: ["done", "other", "other"],
    failed: ["failed", "failed", "failed"],
    "not reached": ["other", "other", "not reached"],
    undecided: always("unknown"),
    unknown: always("unknown"),
    other: always("other"),
  },
  update: {
    done: ["done", "other", "other"],
    failed: ["failed", "failed", "other"],
    "not reached": ["not reached", "other", "other"],
    undecided: always("unknown"),
    unknown: always("unknown"),
    other: always("other"),
  },
  replace: {
    done: ["done", "other", "other"],
    failed: ["failed", "failed", "failed"],
    // An object that is tainted before the apply is replaced.
    "not reached": ["not reached", "not reached", "other"],
    undecided: always("unknown"),
    unknown: always("unknown"),
    other: always("other"),
  },
  delete: {
    done: ["other", "other", "done"],
    failed: ["failed", "failed", "other"],
    "not reached": ["not reached", "not reached", "other"],
    undecided: always("unknown"),
    unknown: always("unknown"),
    other: always("other"),
  },
  forget: {
    done: ["other", "other", "done"],
    failed: ["failed", "failed", "other"],
    "not reached": ["not reached", "not reached", "other"],
    undecided: ["not reached", "not reached", "done"],
    unknown: always("unknown"),
    other: always("other"),
  },
  keep: {
    done: ["done", "done", "other"],
    failed: ["failed", "failed", "failed"],
    "not reached": ["other", "other", "not reached"],
    undecided: ["done", "done", "not reached"],
    unknown: always("unknown"),
    other: always("other"),
  },
};

/** Returns what happened to an object. Without a state, the log alone decides. */
export function outcomeOf({ planned, steps, end, state }: Facts): Outcome {
  const isLogged = planned !== "forget" && planned !== "keep";
  const byLog = (isLogged ? withSteps : withoutSteps)[steps][end];
  if (state === undefined) return byLog === "undecided" ? "unknown" : byLog;
  const [present, tainted, absent] = table[planned][byLog];
  return state === "present" ? present : state === "tainted" ? tainted : absent;
}
