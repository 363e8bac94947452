import type { Fault } from "../../emulator/fault/fault.ts";
import { resourceKinds as built } from "../../emulator/resource-kinds.ts";
import { resources } from "../../resources/index.ts";
import { createDraw, type Draw } from "./draw.ts";
import { drawFaults, drawKinds, drawWire, type WireFault } from "./fault.ts";
import { kinds, type Ref, type Written } from "./kind.ts";
import { drawScenario, type Scenario } from "./scenario.ts";
import type { Passwords } from "./session.ts";

/** One object of a stack, as its program has it. */
export interface Item {
  readonly address: string;
  readonly resource: string;
  readonly inputs: Written;
}

/** What somebody does while an engine runs, so many events after its start. */
export interface Deed {
  readonly at: number;
  readonly does:
    | "stop"
    | "kill the provider"
    | "kill the engine"
    | "kill the engine before it saves"
    | "change"
    | "delete"
    | "make a foreign object"
    /** The machine of the engine sleeps, and its clock stands still. */
    | "suspend";
  /** Whom it hits, of those that are there; how many minutes it sleeps. */
  readonly nth: number;
}

/** One run of an engine. */
export interface Step {
  readonly stack: readonly Item[];
  readonly refresh: boolean;
  readonly faults: readonly Fault[];
  readonly wire: readonly WireFault[];
  readonly deeds: readonly Deed[];
  readonly passwords: Passwords;
  /** Seconds for every operation; undefined where each has its definition's. */
  readonly timeout: number | undefined;
}

/** All that happens to one stack, but for the calm at its end. */
export interface Schedule {
  readonly seed: string;
  readonly ambient: Scenario;
  readonly steps: readonly Step[];
}

/** The emulator's name of a resource's operations. */
const nounOf = (resource: string): string => resource.replaceAll("-", "_");

const known = Object.keys(kinds).filter(
  (name) =>
    resources.some((resource) => resource.name === name) && built.some((kind) => kind.name === nounOf(name)),
);

/** A schedule that the seed alone decides. */
export function drawSchedule(seed: string): Schedule {
  const draw = createDraw(seed);
  const ambient = drawScenario(draw.fork("ambient"));
  const kinds = drawKinds(draw.fork("kinds"), ambient.cloud.listingLagMs ?? 0);
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
    const names = new Set(stack.map(({ resource }) => nounOf(resource)));
    if (names.has("object")) names.add("object_session");
    const operations = built.filter(({ name }) => names.has(name)).flatMap((kind) => kind.operations);
    const targets = [...signIns[ambient.identity], ...operations.map(({ name }) => name)];
    return {
      stack,
      refresh: draw.chance(0.5),
      faults: drawFaults(draw, kinds, targets.length === 0 ? ["*"] : targets),
      wire: drawWire(draw),
      deeds: drawDeeds(draw),
      passwords: draw.chance(0.7)
        ? "one for each"
        : draw.pick(["none", "a wrong one", "the same again", "a failure"]),
      timeout: draw.chance(0.15) ? draw.spread(3, 120) : undefined,
    };
  });
  return { seed, ambient, steps };
}

const signIns = { key: [], root: ["sign_in_root"], user: ["sign_in_user"] } as const;

function drawDeeds(draw: Draw): Deed[] {
  const end = draw.pick([
    undefined,
    undefined,
    "stop",
    "kill the provider",
    "kill the engine",
    "kill the engine before it saves",
    "suspend",
  ] as const);
  const meddling = draw.chance(0.3)
    ? draw.pick(["change", "delete", "make a foreign object"] as const)
    : undefined;
  return [
    ...(meddling === undefined
      ? []
      : // A change between a refresh and the apply is no answer of the provider's.
        [
          {
            at: meddling === "change" || draw.chance(0.6) ? 0 : draw.spread(1, 300),
            does: meddling,
            nth: draw.int(0, 9),
          },
        ]),
    ...(end === undefined ? [] : [{ at: draw.spread(1, 400), does: end, nth: draw.int(1, 90) }]),
  ];
}

/** The stack with a new object of the noun, and with whatever that needs and is not there: all in the same place. */
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
  const doomed = typeof inputs.name === "string" && draw.chance(0.04);
  const written = doomed ? { ...inputs, name: `${inputs.name}${failing}` } : inputs;
  return [...grownStack, { address: `${name}.${nth}`, resource: name, inputs: written }];
}

/** Whether a new object of the noun may refer to this one: what it lives in, or something else that lives there. */
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
  return kinds[name]?.takes?.(item, { others: now.length, left, newest: stack.at(-1) === item }) ?? true;
}

/** Ends names of objects whose making fails: the emulator's own sign. */
export const failing = "-fails";

const varied = (draw: Draw, stack: readonly Item[], nth: number): readonly Item[] => {
  if (stack.length === 0) return stack;
  const chosen = draw.pick(stack);
  const inputs = kinds[chosen.resource]?.vary(draw, chosen.inputs, nth) ?? chosen.inputs;
  return stack.map((item) => (item === chosen ? { ...item, inputs } : item));
};

const removed = (draw: Draw, stack: readonly Item[]): readonly Item[] =>
  stack.length === 0 ? stack : without(stack, draw.pick(stack).address);

/** Another address and name for the same inputs: an engine takes it for another object. */
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

/** The stack without an object and all that needs it. */
export function without(stack: readonly Item[], address: string): readonly Item[] {
  const gone = new Set([address]);
  for (const item of stack) if (needsOf(item).some((need) => gone.has(need))) gone.add(item.address);
  return stack.filter((item) => !gone.has(item.address));
}

/** The addresses that it refers to. Objects stand after those that they need. */
export function needsOf({ inputs }: Item): string[] {
  const visit = (value: unknown): string[] => {
    if (typeof value !== "object" || value === null) return [];
    if ("ref" in value) return [String(value.ref)];
    return Object.values(value).flatMap(visit);
  };
  return visit(inputs);
}
