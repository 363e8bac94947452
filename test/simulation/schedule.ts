import type { Fault } from "../../emulator/fault/fault.ts";
import { resourceKinds as built } from "../../emulator/resource-kinds.ts";
import type { WorldName } from "./checker/invariant.ts";
import { createDraw, type Draw } from "./draw.ts";
import {
  drawFalseRefusals,
  drawFaults,
  drawGateways,
  drawIntermediaries,
  drawKinds,
  drawWire,
  type WireFault,
  withinMisses,
} from "./fault.ts";
import { type Item, needsOf } from "./item.ts";
import { kinds, type Ref, type Written } from "./kind.ts";
import { kindOf } from "./row.ts";
import { drawScenario, type Scenario } from "./scenario.ts";
import type { Passwords } from "./session.ts";
import { respell } from "./spelling.ts";

/** Event during a run of an engine. */
export interface SideEvent {
  /**
   * Number of world events before this one. For a rival, a stop in flight and one that loses a request: number of the
   * request, among those of the run that change something.
   */
  readonly at: number;
  readonly action:
    | "stop"
    /** A stop between the execution of a request that changes something and its response. */
    | "stop in flight"
    /** A stop while a request that changes something hangs, which never arrives. */
    | "stop and lose a request"
    | "kill the provider"
    | "kill the engine"
    | "kill the engine before it saves"
    | "change"
    | "delete"
    | "make a foreign object"
    /** Another user creates an object with the name of one that is being created. */
    | "create a rival"
    /** The machine of the engine is suspended: its monotonic clock stops. */
    | "suspend";
  /** Selects the affected object among those that exist, or is the number of minutes of a suspension. */
  readonly nth: number;
}

/** Run of an engine. */
export interface Step {
  readonly stack: readonly Item[];
  readonly refresh: boolean;
  readonly faults: readonly Fault[];
  readonly wire: readonly WireFault[];
  readonly events: readonly SideEvent[];
  readonly passwords: Passwords;
  /** Timeout of every operation in seconds; undefined for the defaults of the definitions. */
  readonly timeout: number | undefined;
  /** True if a refresh follows at once, unless the run fails or is killed. */
  readonly refreshAfter: boolean;
  /** True if a refresh and a destroy with the credentials of another account precede the run. */
  readonly otherAccount: boolean;
  /**
   * Selects the objects of which an operator changes fields before the run, once every earlier write has settled;
   * undefined for none. Terraform then refreshes only if `refresh` is true.
   */
  readonly operator: number | undefined;
  /** Selects the object that the user has the engine replace, as by `-replace` or `pulumi up --replace`; undefined for none. */
  readonly replaced: number | undefined;
  /** True if other users create the objects that may exist after the run, more than `settle_seconds` later. */
  readonly lateRivals: boolean;
}

/** Everything that happens to one stack, except for the calm phase at its end. */
export interface Schedule {
  readonly seed: string;
  readonly scenario: Scenario;
  readonly steps: readonly Step[];
}

const known = Object.keys(kinds).filter((name) => built.some((kind) => kind.name === kindOf(name)));

/** Draws a schedule; it depends on the seed and the world alone. */
export function drawSchedule(seed: string, world: WorldName): Schedule {
  const draw = createDraw(seed);
  /** Source of what a kind world does not have. Labels never change, so that a seed draws the same schedule. */
  const others = draw.fork("strangers");
  const scenario = drawScenario(draw.fork("ambient"), world);
  const lagMs = scenario.cloud.listingLagMs ?? 0;
  const kinds = drawKinds(draw.fork("kinds"), lagMs);
  let nth = 0;
  let stack: readonly Item[] = [];

  let before = stack;
  const next = () => {
    nth += 1;
    return nth;
  };
  const add = (): void => {
    stack = grown(draw, stack, draw.pick(known), { next, before });
  };
  const size = draw.spread(2, 10);
  const steps = Array.from({ length: draw.int(1, 4) }, (_, at): Step => {
    before = stack;
    if (at === 0) while (stack.length < size) add();
    else {
      for (let count = draw.int(0, 3); count > 0; count--) {
        nth += 1;
        stack = draw.pick([varied, varied, removed, renamed])(draw, stack, nth);
        if (draw.chance(0.4)) add();
      }
      if (draw.chance(0.05)) stack = [];
    }
    const names = new Set(stack.map(({ resource }) => kindOf(resource)));
    if (names.has("object")) names.add("object_session");
    const operationsOf = (kindNames: ReadonlySet<string>) =>
      built.filter(({ name }) => kindNames.has(name)).flatMap((kind) => kind.operations);
    const operations = operationsOf(names);
    const earlier = new Set(before.map(({ resource }) => kindOf(resource)));
    const routes = operationsOf(new Set([...names, ...earlier])).map(({ name }) => name);
    const targets = [...signIns[scenario.identity], ...operations.map(({ name }) => name)];
    const gateways = world === "kind" ? [] : drawGateways(others.fork(`gateway ${at}`), routes);
    // The object of a refused create is shown within 5 s: no gateway hides it.
    const shown = targets.filter((name) =>
      gateways.every(({ target }) => target.replace(/^get_/, "create_") !== name),
    );
    const spelled = world === "kind" ? stack : stack.map((item) => respell(others, item, at));
    const operator = world === "kind" ? undefined : drawOperator(others.fork(`operator ${at}`));
    const drawnRefresh = draw.chance(0.5);
    const refresh = operator === undefined ? drawnRefresh : operator % 3 === 0;
    const faults = [
      // Comes first, so that no other fault replaces the first response of a gateway.
      ...gateways,
      ...drawFaults(draw, kinds, targets.length === 0 ? ["*"] : targets),
      ...(world === "kind" ? [] : drawFalseRefusals(others, world === "beyond" ? 0 : lagMs, shown)),
      ...(world === "kind" ? [] : drawIntermediaries(others.fork(`step ${at}`), targets, scenario.cloud)),
    ];
    const step: Step = {
      stack: spelled,
      refresh,
      faults: world === "beyond" ? faults.map(withinMisses) : faults,
      wire: drawWire(draw),
      events: [
        ...drawEvents(draw),
        ...(world === "kind" ? [] : drawRivals(others)),
        ...(world === "kind" ? [] : drawStop(others.fork(`stop ${at}`), "stop in flight")),
        ...(world === "kind" ? [] : drawStop(others.fork(`lost ${at}`), "stop and lose a request")),
      ],
      passwords: draw.chance(0.7)
        ? "one for each"
        : draw.pick(["none", "a wrong one", "the same again", "a failure"]),
      timeout: draw.chance(0.15) ? draw.spread(3, 120) : undefined,
      refreshAfter: world !== "kind" && others.fork(`refresh ${at}`).chance(0.5),
      otherAccount: world !== "kind" && others.fork(`account ${at}`).chance(0.15),
      operator,
      replaced: world === "kind" ? undefined : drawReplaced(others.fork(`replace ${at}`)),
      lateRivals: world !== "kind" && others.fork(`late ${at}`).chance(0.5),
    };
    const race = others.fork(`race ${at}`);
    return world === "shared" && race.chance(0.15)
      ? { ...step, faults: [], wire: [], events: drawRace(race) }
      : step;
  });
  return { seed, scenario, steps };
}

const signIns = { key: [], root: ["sign_in_root"], user: ["sign_in_user"] } as const;

const drawReplaced = (draw: Draw): number | undefined => (draw.chance(0.15) ? draw.int(0, 99) : undefined);

function drawEvents(draw: Draw): SideEvent[] {
  const end = draw.pick([
    undefined,
    undefined,
    "stop",
    "kill the provider",
    "kill the engine",
    "kill the engine before it saves",
    "suspend",
  ] as const);
  const interference = draw.chance(0.3)
    ? draw.pick(["change", "delete", "make a foreign object"] as const)
    : undefined;
  return [
    ...(interference === undefined
      ? []
      : // A change after the refresh would make the result differ from the plan, which the provider cannot prevent.
        [
          {
            at: interference === "change" || draw.chance(0.6) ? 0 : draw.spread(1, 300),
            action: interference,
            nth: draw.int(0, 9),
          },
        ]),
    ...(end === undefined ? [] : [{ at: draw.spread(1, 400), action: end, nth: draw.int(1, 90) }]),
  ];
}

/** Draws rivals of objects that are being created, most of them early in the run, when most requests create. */
const drawRivals = (draw: Draw): SideEvent[] =>
  draw.chance(0.4)
    ? []
    : Array.from({ length: draw.int(1, 3) }, () => ({
        at: draw.spread(1, 20),
        action: "create a rival" as const,
        nth: draw.int(0, 99),
      }));

/** Draws changes of an operator between two runs. */
const drawOperator = (draw: Draw): number | undefined => (draw.chance(0.4) ? draw.int(0, 99) : undefined);

/** Draws a stop while a request is in flight. If it is executed, its response arrives 40 ms to 3.6 s later. */
const drawStop = (draw: Draw, action: SideEvent["action"]): SideEvent[] =>
  draw.chance(0.2) ? [{ at: draw.spread(1, 20), action, nth: draw.int(1, 90) }] : [];

/** Divisor of `nth` of a rival that has the settings of the object that is being created. */
export const equalRival = 6;

/** Draws the objects of a second process that creates the same objects at the same time. */
const drawRace = (draw: Draw): SideEvent[] =>
  Array.from({ length: 4 }, () => ({
    at: draw.spread(1, 12),
    action: "create a rival" as const,
    nth: equalRival * draw.int(0, 20),
  }));

/**
 * Returns the stack with a new object of the resource, and with the objects that it needs and that do not exist: all under
 * one parent.
 */
function grown(
  draw: Draw,
  stack: readonly Item[],
  name: string,
  step: { readonly next: () => number; readonly before: readonly Item[] },
  home?: string,
): readonly Item[] {
  const kind = kinds[name];
  if (kind === undefined) return stack;
  const refs: Record<string, Ref> = {};
  let grownStack = stack;
  let place = home;
  for (const need of kind.needs) {
    const fitting = () =>
      grownStack.filter((item) => mayNeed(step.before, grownStack, name, item, need, place));
    if (fitting().length === 0) grownStack = grown(draw, grownStack, need, step, place);
    const there = fitting();
    if (there.length === 0) return grownStack;
    const { address } = draw.pick(there);
    place ??= address;
    refs[need] = { ref: address };
  }
  const nth = step.next();
  const inputs = kind.make(draw, nth, refs);
  const fails = typeof inputs.name === "string" && draw.chance(0.04);
  const written = fails ? { ...inputs, name: `${inputs.name}${failing}` } : inputs;
  return [...grownStack, { address: `${name}.${nth}`, resource: name, inputs: written }];
}

/**
 * Returns true if a new object of the resource `name` may refer to `item`, which must be the parent `place` or an object
 * under that parent.
 */
function mayNeed(
  before: readonly Item[],
  stack: readonly Item[],
  name: string,
  item: Item,
  need: string,
  place: string | undefined,
): boolean {
  if (item.resource !== need) return false;
  const { address } = item;
  if (kinds[need]?.needs.length === 0 && place !== undefined && need === place.split(".")[0])
    return address === place;
  if (place !== undefined && kinds[need]?.needs.length !== 0 && !needsOf(item).includes(place)) return false;
  const users = (items: readonly Item[]) =>
    items.filter((other) => other.resource === name && needsOf(other).includes(address));
  const now = users(stack);
  const left = users(before).some((user) => now.every((other) => other.address !== user.address));
  return kinds[name]?.accepts?.(item, { others: now.length, left, newest: stack.at(-1) === item }) ?? true;
}

/** Suffix of names whose create fails in the emulator. */
export const failing = "-fails";

const varied = (draw: Draw, stack: readonly Item[], nth: number): readonly Item[] => {
  if (stack.length === 0) return stack;
  const chosen = draw.pick(stack);
  const inputs = kinds[chosen.resource]?.vary(draw, chosen.inputs, nth) ?? chosen.inputs;
  return stack.map((item) => (item === chosen ? { ...item, inputs } : item));
};

const removed = (draw: Draw, stack: readonly Item[]): readonly Item[] =>
  stack.length === 0 ? stack : without(stack, draw.pick(stack).address);

/** Changes address and name of an object without dependents: for an engine it is another object. */
const renamed = (draw: Draw, stack: readonly Item[], nth: number): readonly Item[] => {
  const leaves = stack.filter(({ address }) => !stack.some((item) => needsOf(item).includes(address)));
  if (leaves.length === 0) return stack;
  const chosen = draw.pick(leaves);
  const { successor = (inputs: Written) => ({ ...inputs, name: `ours-${nth}` }) } =
    kinds[chosen.resource] ?? {};
  if (successor === null) return stack;
  const inputs = successor(chosen.inputs, nth);
  return stack.map((item) =>
    item === chosen ? { ...item, address: `${item.resource}.${nth}`, inputs } : item,
  );
};

/** Returns the stack without an object and its dependents. */
export function without(stack: readonly Item[], address: string): readonly Item[] {
  const gone = new Set([address]);
  for (const item of stack) if (needsOf(item).some((need) => gone.has(need))) gone.add(item.address);
  return stack.filter((item) => !gone.has(item.address));
}
