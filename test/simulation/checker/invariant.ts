/** Invariants of docs/reliability.md#4.7, which shows the same table. */

/** Environments of a schedule, from the most to the least cooperative (docs/reliability.md#5.3). */
export const worlds = ["kind", "shared", "beyond"] as const;

export type WorldName = (typeof worlds)[number];

interface Entry {
  readonly id: string;
  readonly name: string;
  /** What the simulation checks. */
  readonly check: string;
  /** Worlds in which the invariant holds; empty if the simulation does not check it. */
  readonly worlds: readonly WorldName[];
}

const fair = ["kind", "shared"] as const;

export const invariants = [
  {
    id: "I1",
    name: "No orphan",
    worlds: worlds,
    check:
      "After the calm end of a schedule and a destroy, the emulator holds no object that the provider created. Excused: an object that only a killed process knew of, if no listing shows it, or if it is a template whose VPC was replaced. In a *beyond* world an orphan is excused that an error or a warning named",
  },
  {
    id: "I2",
    name: "No duplicate",
    worlds: worlds,
    check:
      "At every request that changes something: no second existing object of the same kind, place and distinguishing attributes, created by the provider. A group of instances counts as one object, up to its number. Excused: an object whose replacement the engine creates first ([3.3](#3.3)). In a *beyond* world a duplicate is excused that an error or a warning named",
  },
  {
    id: "I3",
    name: "No lost state",
    worlds: fair,
    check:
      'After every failed create or update of a process that was not killed: each object that exists for the address is in state, is named in the error (id, import id or name), is known to the state by its task (Terraform), or no response with its id reached the provider and the error says "may exist", or that a listing did not show it after fewer seconds than listings of the world lag (an attachment: lag, plus its task, plus the time until its volume shows it). A response that arrives shortly after a stop counts as received',
  },
  {
    id: "I4",
    name: "No false delete",
    worlds: worlds,
    check:
      "Whenever a read or a delete removes an object from state, it does not exist in the emulator. This covers objects known by their task alone, and reads and deletes with the credentials of another account. Excused: an object whose delete was accepted and has not ended, if listings need not show it yet and, in a *kind* world, nothing else does. A batch that leaves again, after a kill brought an older state back, is compared with the instances from before it first left: later ones of its name are another batch. In a *beyond* world a read or a delete may remove an object that only listings show, once `settle_seconds` have passed, with a warning that names its id and the import; and one whose reads a gateway answers 404 while a listing lags that long, with a warning that names its id",
  },
  {
    id: "I5",
    name: "No leaked secret",
    worlds: worlds,
    check:
      "No warning, error, progress text, log line or state value that is not marked secret contains a secret: what the user configured, what the API handed out (tokens, secret keys, signatures of URLs), or a one-time password, as text or in base64",
  },
  {
    id: "I6",
    name: "Bounded time",
    worlds: worlds,
    check:
      "No operation runs more than 30 s past its timeout, or more than 2 s (Terraform) or 4 s (Pulumi) past a stop, not counting time in suspension",
  },
  {
    id: "I7",
    name: "Bounded load",
    worlds: [],
    check: "Not checked by the simulation: tests of the rate limiter, the waiter and large stacks",
  },
  {
    id: "I8",
    name: "Clear error",
    worlds: [],
    check:
      "Not checked by the simulation, except that no error is an internal one (`crash`): tests and golden files of the texts",
  },
  {
    id: "I9",
    name: "Convergence",
    worlds: fair,
    check:
      "Without faults, an apply succeeds, or its errors say what to do and a later one succeeds; a second apply that fails and leaves nothing to do is a violation. Then a plan is empty after the apply, and again after a refresh; the destroy succeeds",
  },
  {
    id: "I10",
    name: "Engine contract",
    worlds: worlds,
    check:
      "An object that was created or read has an id and no unknown value; for Terraform the result is what was planned",
  },
  {
    id: "I11",
    name: "Hygiene",
    worlds: [],
    check:
      "Not checked by the simulation: tests with real processes find no surviving process, socket or listener, and only the handshake on standard output",
  },
  {
    id: "I12",
    name: "Determinism",
    worlds: worlds,
    check: "One of a hundred seeds is run twice; both traces have the same hash",
  },
  {
    id: "I13",
    name: "No harm",
    worlds: worlds,
    check:
      "No request changes or deletes an object that is neither in state nor created in this run, nor created together with one that is. In a *beyond* world a create may apply its deferred settings to an equal object of another user, if a warning says that the create adopted the object. No object of another user enters a state unless it equals what the program asks for at that time and, outside a *beyond* world, `adopt_existing` is set; this holds however long after an interrupted create that object appears. No two addresses have one object in the state",
  },
  {
    id: "I14",
    name: "Secret once",
    worlds: fair,
    check:
      "An object whose secret only the create response holds is in state with that secret, and keeps it; no error asks to import such an object, or to delete one that is in state; an object that an error asked to delete is not used",
  },
  {
    id: "I15",
    name: "One-time password",
    worlds: worlds,
    check:
      "While `otp_required` is true, no delete of a bucket or an access key is sent without a one-time password; no password is sent twice, except after a 429",
  },
  {
    id: "I16",
    name: "No false change",
    worlds: fair,
    check:
      "After the calm end of a schedule: a plan with other spellings of groups in which nothing is set changes nothing; nor does one after each of three refreshes in which one response omits a field",
  },
  {
    id: "I17",
    name: "No side change",
    worlds: fair,
    check:
      "The plan of a change in place makes no computed attribute unknown that the definition does not declare to change with it, so that no dependent is replaced",
  },
  {
    id: "I18",
    name: "No unseen change",
    worlds: fair,
    check:
      "A request of an update changes no field, and no entry of a map or a list, that its plan did not show: what an operator changed between two runs keeps its value. Excused: an object that the provider wrote less than `settle_seconds` before, as a read may show it as it was before that",
  },
  {
    id: "I19",
    name: "No delete of a kept object",
    worlds: fair,
    check:
      "Within one process, an object whose id is at another address that the program keeps is not deleted. After the calm end of a schedule an object of the state is imported under a second address, and one of both addresses is removed",
  },
] as const satisfies readonly Entry[];

/** Id of an invariant, or `crash`: an internal or uncaught error, or a run that does not end. */
export type Invariant = (typeof invariants)[number]["id"] | "crash";

/** Returns true if a violation of the invariant in this world is a defect. */
export function holdsIn(id: Invariant, world: WorldName): boolean {
  if (id === "crash") return true;
  const found: Entry | undefined = invariants.find((one) => one.id === id);
  return found?.worlds.includes(world) ?? false;
}

/** Returns the rows of the table in docs/reliability.md#4.7. */
export const invariantRows = (): string[] =>
  invariants.map(({ id, name, check, worlds: held }: Entry) => {
    const where = held.length === worlds.length ? "all" : held.join(", ") || "none";
    return `| <a id="${id}"></a>${id} | ${name} | ${where} | ${check} |`;
  });
