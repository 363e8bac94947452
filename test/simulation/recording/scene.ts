import { createDraw, type Draw } from "../draw.ts";

/** Stacks, commands and faults of the recordings, drawn by seed. */

/**
 * Resource type of a part. An `early` part has `create_before_destroy` in Terraform; a `sole` one is deleted before its
 * replacement in Pulumi, by `deleteBeforeReplace` of its diff.
 */
export const types = ["plain", "early", "sole"] as const;

export type PartType = (typeof types)[number];

/** Resource of a recorded stack. */
export interface Part {
  readonly name: string;
  readonly type: PartType;
  /** A change updates the object in place. */
  readonly size: number;
  /** A change replaces the object. */
  readonly form: number;
  /** Names of the parts whose ids the part holds; another id replaces the object. */
  readonly within: readonly string[];
  /** Names of the parts whose ids the part holds; another id changes the object in place. */
  readonly uses: readonly string[];
}

export type Verb = "read" | "create" | "update" | "delete";

/**
 * Result of a call that the script of a run decides: an error, an error that returns the new state, a success during
 * which the engine is interrupted, or a read that finds no object.
 */
export type Result = "error" | "partial" | "stop" | "missing";

/** Command of the engine, and the results of single calls in it. */
export interface Command {
  readonly action: "apply" | "refresh";
  readonly refresh: boolean;
  readonly parts: readonly Part[];
  /** Results by part and verb, such as `a create`; all other calls succeed. */
  readonly results: Readonly<Record<string, Result>>;
}

const results = {
  read: ["missing", "missing", "error"],
  create: ["error", "partial", "partial", "stop"],
  update: ["error", "partial", "stop"],
  delete: ["error", "error", "stop"],
} as const;

/** Draws the commands of a seed: the first creates at least five parts, the last one destroys everything. */
export function drawCommands(seed: number): Command[] {
  const draw = createDraw(`recording/${seed}`);
  let count = 0;
  let parts: readonly Part[] = [];
  const add = () => {
    count += 1;
    parts = [...parts, drawPart(draw, `p${count}`, parts)];
  };
  for (let size = draw.int(5, 8); size > 0; size--) add();
  const commands = [commandOf(draw, [], parts)];
  for (let more = draw.int(3, 5); more > 0; more--) {
    const before = parts;
    const isRefresh = draw.chance(0.15);
    for (let changes = isRefresh ? 0 : draw.int(0, 3); changes > 0; changes--)
      parts = draw.pick([resized, reformed, reformed, removed, rewired])(draw, parts);
    if (!isRefresh && draw.chance(0.3)) add();
    const command = commandOf(draw, before, parts);
    commands.push(isRefresh ? { ...command, action: "refresh" } : command);
  }
  const last = commandOf(draw, parts, []);
  return [...commands, last, { ...last, refresh: true, results: {} }];
}

function drawPart(draw: Draw, name: string, others: readonly Part[]): Part {
  const among = (chance: number) =>
    others.filter(() => draw.chance(chance / Math.max(1, others.length))).map((other) => other.name);
  const within = among(1.2);
  return {
    name,
    type: draw.pick(["plain", "plain", "early", "sole"] as const),
    size: draw.int(1, 9),
    form: draw.int(1, 9),
    within,
    uses: among(0.8).filter((other) => !within.includes(other)),
  };
}

function commandOf(draw: Draw, before: readonly Part[], after: readonly Part[]): Command {
  const calls = callsOf(before, after);
  const chosen: Record<string, Result> = {};
  for (let count = draw.pick([0, 1, 1, 2]); count > 0 && calls.length > 0; count--) {
    const { name, verb } = draw.pick(calls);
    chosen[`${name} ${verb}`] = draw.pick(results[verb]);
  }
  return { action: "apply", refresh: draw.chance(0.8), parts: after, results: chosen };
}

/** Returns calls that the change of the stack probably causes, and one read of each part that exists. */
function callsOf(before: readonly Part[], after: readonly Part[]): { name: string; verb: Verb }[] {
  const old = new Map(before.map((part) => [part.name, part]));
  const changed = after.flatMap((part) => {
    const { name } = part;
    const prior = old.get(name);
    const verbs: Verb[] =
      prior === undefined
        ? ["create", "create"]
        : prior === part
          ? part.within.length > 0
            ? ["create"]
            : []
          : prior.form === part.form
            ? ["update", "update", "update"]
            : ["create", "create", "delete", "delete"];
    return verbs.map((verb) => ({ name, verb }));
  });
  const left = before.filter(({ name }) => after.every((part) => part.name !== name));
  return [
    ...changed,
    ...left.flatMap(({ name }) => [
      { name, verb: "delete" as const },
      { name, verb: "delete" as const },
    ]),
    ...before.map(({ name }) => ({ name, verb: "read" as const })),
  ];
}

type Change = (draw: Draw, parts: readonly Part[]) => readonly Part[];

const replaced = (parts: readonly Part[], part: Part): readonly Part[] =>
  parts.map((other) => (other.name === part.name ? part : other));

const resized: Change = (draw, parts) => {
  if (parts.length === 0) return parts;
  const part = draw.pick(parts);
  return replaced(parts, { ...part, size: part.size + 1 });
};

const reformed: Change = (draw, parts) => {
  if (parts.length === 0) return parts;
  const part = draw.pick(parts);
  return replaced(parts, { ...part, form: part.form + 1 });
};

/** Removes a part; its dependents remain without it. */
const removed: Change = (draw, parts) => {
  if (parts.length === 0) return parts;
  const { name } = draw.pick(parts);
  const without = (names: readonly string[]) => names.filter((other) => other !== name);
  return parts
    .filter((part) => part.name !== name)
    .map((part) => ({ ...part, within: without(part.within), uses: without(part.uses) }));
};

/** Changes the parts that a part uses: adds one, or removes all. */
const rewired: Change = (draw, parts) => {
  if (parts.length === 0) return parts;
  const at = draw.int(0, parts.length - 1);
  const part = parts[at] as Part;
  const others = parts.slice(0, at).filter(({ name }) => ![...part.within, ...part.uses].includes(name));
  const uses = others.length === 0 || draw.chance(0.3) ? [] : [...part.uses, draw.pick(others).name];
  return replaced(parts, { ...part, uses });
};
