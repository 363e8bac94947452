import { setImmediate as turn } from "node:timers/promises";
import { OperationError } from "../../../provider/core/error.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import { UNKNOWN, type Value, type Values } from "../../../provider/core/value.ts";
import type { Plan } from "../../../provider/engine/plan.ts";
import { openCloud } from "../../support/cloud.ts";
import { createDraw } from "../draw.ts";
import { apply, refresh } from "../engine/engine.ts";
import type { Provider } from "../engine/provider.ts";
import { type Checker, CycleError, type Run } from "../fake-engine.ts";
import type { Item } from "../item.ts";
import { copyOf, emptyState, type State } from "../state.ts";
import {
  type Values as Attributes,
  attributeNames,
  changesOf,
  createIds,
  isReplacing,
  keyOf,
} from "./object.ts";
import type { Recorded } from "./recording.ts";
import { type Command, drawCommands, type Part } from "./scene.ts";
import { createScript, type Script } from "./script.ts";
import type { RecordedEngine } from "./store.ts";

/** Runs recorded commands on the fake engine, with a provider that follows the same script and records its calls. */

/** Returns the resource of a part in the stack of the fake engine. */
const itemOf = ({ name, type, within, uses, size, form }: Part): Item => ({
  address: name,
  resource: type,
  inputs: {
    name,
    size,
    form,
    within: within.map((ref) => ({ ref })),
    uses: uses.map((ref) => ({ ref })),
  },
});

/** Replaces lists with an unknown part by undefined. */
const known = (values: Values): Attributes =>
  Object.fromEntries(
    attributeNames.map((name) => {
      const value = values[name];
      return [name, Array.isArray(value) && value.includes(UNKNOWN) ? undefined : value];
    }),
  );

const changedAction = (changes: ReturnType<typeof changesOf>): Plan["action"] =>
  changes.length === 0 ? "none" : isReplacing(changes) ? "replace" : "update";

const stateOf = (id: string, values: Values): ResourceState => ({ id, task: undefined, values, unread: [] });

const scripted = (state: ResourceState | undefined) =>
  new OperationError(
    {
      doing: "changing a part",
      step: "the script",
      existence: { is: "may exist" },
      remedies: ["run-again"],
      state,
    },
    undefined,
  );

/** Names of calls in a recording of an engine; undefined for calls that the engine does not make. */
interface CallNames {
  check(hasPrior: boolean): string | undefined;
  plan(hasPrior: boolean, replaces: boolean): string | undefined;
  planDelete: string;
  read: string;
  create: string;
  update: string;
  delete: string;
}

const terraformCalls: CallNames = {
  check: () => undefined,
  plan: (hasPrior, replaces) => (hasPrior ? "Poo+" : replaces ? "P-o+" : "P-o"),
  planDelete: "Po-+",
  read: "R+",
  create: "A-o+",
  update: "Aoo+",
  delete: "Ao-+",
};

const pulumiCalls: CallNames = {
  check: (hasPrior) => (hasPrior ? "Co" : "C-"),
  plan: (hasPrior) => (hasPrior ? "D" : undefined),
  planDelete: "",
  read: "R",
  create: "N",
  update: "U",
  delete: "X",
};

const nothing = () => {};

/** Creates the provider of one command; `old` are the ids of the objects that earlier commands replaced. */
function providerOf(
  names: CallNames,
  script: Script,
  old: ReadonlySet<string>,
  nextId: (part: string) => string,
): Provider {
  const note = (values: Values, id: string | undefined, call: string | undefined) => {
    if (call !== undefined) script.note(keyOf(String(values.name), id, old), call);
  };
  /** Makes a call whose result the script decides; throws an error without state if the result is `error`. */
  async function perform(
    verb: "read" | "create" | "update" | "delete",
    values: Values,
    id: string | undefined,
  ): Promise<string> {
    const end = script.begin();
    try {
      note(values, id, names[verb]);
      const result = await script.result(String(values.name), verb);
      if (result === "error") throw scripted(undefined);
      return result;
    } finally {
      end();
    }
  }
  const deploy = async (
    verb: "create" | "update",
    inputs: Values,
    prior: ResourceState | undefined,
  ): Promise<ResourceState> => {
    const result = await perform(verb, inputs, prior?.id);
    const state = stateOf(prior?.id ?? nextId(String(inputs.name)), inputs);
    if (result === "partial") throw scripted(state);
    return state;
  };
  return {
    check(_, inputs, hasPrior = false) {
      note(inputs, undefined, names.check(hasPrior));
      return { inputs, problems: [] };
    },
    plan(_, prior, inputs, replaces = false) {
      note(prior?.values ?? inputs, prior?.id, names.plan(prior !== undefined, replaces));
      const values: Values = Object.fromEntries(
        Object.entries(inputs).map(([name, value]): [string, Value] => [
          name,
          Array.isArray(value) && value.includes(UNKNOWN) ? UNKNOWN : value,
        ]),
      );
      const action =
        prior === undefined ? "create" : changedAction(changesOf(known(prior.values), known(inputs)));
      return { action, values, changes: [], problems: [], warnings: [] };
    },
    updateInputs: (_, __, inputs) => inputs,
    beginApply: nothing,
    managed: () => [],
    planDelete(_, prior) {
      note(prior.values, prior.id, names.planDelete);
      return [];
    },
    async read(_, state) {
      return (await perform("read", state.values, state.id)) === "missing" ? undefined : state;
    },
    create: (_, inputs) => deploy("create", inputs, undefined),
    update: (_, prior, inputs) => deploy("update", inputs, prior),
    async delete(_, prior) {
      await perform("delete", prior.values, prior.id);
    },
    import: () => Promise.reject(new Error("no recorded command imports")),
    isUnfinished: () => false,
    createsFirst: (type) => type === "early",
    deletesFirst: (type) => type === "sole",
  };
}

/** Session that no call uses: the provider of a replay sends no request. */
const { session } = openCloud();

/** Checks nothing: recordings compare calls and states only. */
const checker: Checker = {
  begins: () => nothing,
  shows: nothing,
  warns: nothing,
  fails: () => "",
  refreshed: nothing,
  made: nothing,
  failed: nothing,
  lost: nothing,
  excuses: () => false,
  isNamed: () => false,
  removed: nothing,
  keeps: () => nothing,
};

const oldIds = ({ replaced }: State): Set<string> =>
  new Set([...replaced].flatMap(({ state: { id } }) => id ?? []));

/** Returns the state in the form of a recording. */
function endOf({ kept, replaced }: State): Record<string, string> {
  const end: Record<string, string[]> = {};
  for (const { address, state, tainted, unfinished, isPending } of kept.values())
    end[address] = [`${isPending ? "-" : ""}${state.id}${tainted || unfinished ? "!" : ""}`];
  for (const { address, state } of replaced) end[address] = [...(end[address] ?? []), `~${state.id}`];
  return Object.fromEntries(Object.entries(end).map(([part, ids]) => [part, ids.toSorted().join(" ")]));
}

/** Maximum number of visiting orders that are tried for one command. */
const triedOrders = 400;

/**
 * Runs the commands of a seed on the fake engine. Where the real engine's result depends on the arbitrary order in which
 * Terraform visits changes, other orders are tried until `isRecorded` is true.
 */
export async function replay(
  engine: RecordedEngine,
  seed: number,
  isRecorded: (result: Recorded, command: number) => boolean,
): Promise<Recorded[]> {
  let state = emptyState();
  let counts: ReadonlyMap<string, number> = new Map();
  const all: Recorded[] = [];
  for (const [at, command] of drawCommands(seed).entries()) {
    const attempt = async (order: number | undefined) => {
      const copy = copyOf(state);
      const ids = createIds(counts);
      const result = await replayCommand({ engine, command, state: copy, nextId: ids.next, order });
      return { result, state: copy, counts: ids.counts };
    };
    let tried = await attempt(undefined);
    for (let order = 0; order < triedOrders && engine === "terraform"; order++) {
      if (isRecorded(tried.result, at)) break;
      tried = await attempt(order);
    }
    all.push(tried.result);
    ({ state, counts } = tried);
  }
  return all;
}

interface Attempt {
  readonly engine: RecordedEngine;
  readonly command: Command;
  readonly state: State;
  readonly nextId: (part: string) => string;
  /** Number of the order in which changes are visited. */
  readonly order: number | undefined;
}

/** Returns a function that puts items in an arbitrary order; the number selects the order. */
function visitsOf(order: number): <T>(items: readonly T[]) => readonly T[] {
  const draw = createDraw(`order ${order}`);
  return (items) =>
    items
      .map((item) => ({ item, place: draw.next() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ item }) => item);
}

async function replayCommand({ engine, command, state, nextId, order }: Attempt): Promise<Recorded> {
  const stop = new AbortController();
  const script = createScript(command, {
    // Work in memory ends within one turn of the event loop.
    pause: () => turn(),
    turn: () => Promise.resolve(),
    interrupt: async () => stop.abort(),
  });
  const run: Run = {
    engine: engine === "pulumi" ? "pulumi" : "terraform",
    isOpenTofu: engine === "opentofu",
    ...(order === undefined ? {} : { visits: visitsOf(order) }),
    provider: providerOf(engine === "pulumi" ? pulumiCalls : terraformCalls, script, oldIds(state), nextId),
    session,
    process: {
      clock: { monotonic: () => 0, wall: () => 0, sleep: () => Promise.resolve() },
      alive: () => true,
      kill: nothing,
      unlessKilled: (work) => work,
    },
    shown: [],
    checker,
    state,
    stack: command.parts.map(itemOf),
    parallelism: 16,
    refresh: command.refresh,
    previews: false,
    timeout: undefined,
    stop,
    creating: new Set(),
    warnings: [],
  };
  const failures = await (command.action === "refresh" ? refresh(run) : apply(run));
  const isCycle = failures.some(({ error }) => error instanceof CycleError);
  return { calls: script.calls(), end: endOf(state), ...(isCycle ? { cycle: true } : {}) };
}
