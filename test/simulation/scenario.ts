import type * as z from "zod";
import { assumptionSchema } from "../../emulator/settings/assumption/assumption.ts";
import type { SettingsInput } from "../../emulator/settings/setting.ts";
import type { WorldName } from "./checker/invariant.ts";
import { createDraw, type Draw } from "./draw.ts";
import { secrets } from "./secret.ts";

/** Base URL of every session of a simulation. */
export const origin = "http://127.0.0.1:1";

/** Conditions of a whole schedule. */
export interface Scenario {
  readonly world: WorldName;
  readonly engine: "terraform" | "pulumi";
  /** Engine whose rules order the changes of a Terraform run; Terraform's hold too where OpenTofu stops with a cycle. */
  readonly order: "terraform" | "opentofu";
  /** Credential of the provider: an API key, or a sign-in as the root or a user of the account. */
  readonly identity: "key" | "root" | "user";
  /** Largest offset in ms of the wall clock of a process, which draws its own: each run can be that of another machine. */
  readonly skewMs: number;
  readonly parallelism: number;
  readonly adoptExisting: boolean;
  /** Setting of the provider; false only if the API accepts deletes without a one-time password. */
  readonly otpRequired: boolean;
  readonly maxRequestsPerSecond: number;
  /** Maximum delay of a request or a response in ms. */
  readonly latencyMs: number;
  readonly cloud: SettingsInput;
}

/** Region of every schedule. */
export const region = "In-Bangalore-1";

/**
 * The only values of some switches that are drawn. Others would reject every VPC without rules, every sign-in, every
 * operation on a pod, or further runs that open a session; end sessions and URLs before a request arrives; or show only
 * the first page of buckets.
 */
const only: { readonly [name: string]: readonly unknown[] | undefined } = {
  vpcNeedsGroup: [false],
  mfaEnabled: [0],
  podId: ["krn", "uuid"],
  bucketListNames: ["page"],
  sessionMs: [60_000, 900_000],
  sessionAttempts: [100],
  addressMs: [60_000, 900_000],
  listingLagOf: ["all"],
  // Not drawn: a storage that ignores the condition lets a create overwrite an object that another user uploads just before.
  uploadCondition: [],
};

/** Returns candidate values of a switch by its schema: all values, or a selection for numbers and lists. */
function range(schema: z.core.$ZodType): readonly unknown[] {
  const { def } = (schema as z.ZodType)._zod as unknown as { def: Definition };
  if (def.type === "default") return range(def.innerType);
  if (def.type === "enum") return Object.values(def.entries);
  if (def.type === "literal") return def.values;
  if (def.type === "union") return def.options.flatMap(range);
  if (def.type === "boolean") return [false, true];
  if (def.type === "array") return [[], [region]];
  return def.type === "number" ? [0, 3, 1_000, 10_000] : [];
}

/** Assumed behaviours of the emulator that are drawn, with their values. */
const assumptions = Object.entries(assumptionSchema.shape).flatMap(([name, schema]) => {
  const values = (only[name] ?? range(schema)).filter((value) => schema.safeParse(value).success);
  return values.length === 0 ? [] : [{ name, values }];
});

/** Draws each of the emulator's assumed behaviours over its range (docs/reliability.md#4.8). */
const drawAssumptions = (draw: Draw): Record<string, unknown> =>
  Object.fromEntries(assumptions.map(({ name, values }) => [name, draw.pick(values)]));

/** Part of a zod schema that determines the allowed values. */
type Definition =
  | { readonly type: "default"; readonly innerType: z.core.$ZodType }
  | { readonly type: "enum"; readonly entries: Record<string, unknown> }
  | { readonly type: "literal"; readonly values: readonly unknown[] }
  | { readonly type: "union"; readonly options: readonly z.core.$ZodType[] }
  | { readonly type: "boolean" | "number" | "array" | "string" };

/** Draws the world of a seed, if the command line names none: as many kind as shared ones, fewer beyond. */
export const worldOf = (seed: string): WorldName =>
  createDraw(`${seed}/which world`).pick(["kind", "kind", "shared", "shared", "beyond"] as const);

/** Longest listing lag in ms of a shared world, below the default of `settle_seconds` by more than a slow response. */
const longestLagMs = 100_000;

/** Shortest and longest listing lag in ms of a beyond world: both are above the default of `settle_seconds`. */
const beyondLagMs = [130_000, 600_000] as const;

/** Largest offset in ms of a wall clock: the clock of a machine, or its time zone, can be wrong by hours. */
const longestSkewMs = 6 * 3_600_000;

/** Draws the offsets in ms of the wall clock of one process, which jumps from one to the next. */
export function drawSkews(draw: Draw, skewMs: number): readonly number[] {
  return skewMs === 0 ? [] : Array.from({ length: draw.int(1, 3) }, () => draw.int(-skewMs, skewMs));
}

/** Draws the conditions: most are off in half of the schedules, so that none masks the others. */
export function drawScenario(draw: Draw, world: WorldName): Scenario {
  const scenario = drawKindScenario(draw, world);
  if (world === "kind") return scenario;
  const { cloud } = scenario;
  const lag = draw.fork("lag");
  const listingLagOf = lag.pick(["all", "object", "request"] as const);
  const fairLagMs = lag.chance(0.3) ? lag.spread(1_000, longestLagMs) : (cloud.listingLagMs ?? 0);
  const listingLagMs = world === "beyond" && lag.chance(0.7) ? lag.spread(...beyondLagMs) : fairLagMs;
  return {
    ...scenario,
    cloud: { ...cloud, listingLagMs, assume: { ...cloud.assume, listingLagOf } },
  };
}

function drawKindScenario(draw: Draw, world: WorldName): Scenario {
  const perhaps = <T>(off: T, on: () => T): T => (draw.chance(0.5) ? off : on());
  const assume = drawAssumptions(draw.fork("assumptions"));
  return {
    world,
    engine: draw.pick(["terraform", "pulumi"] as const),
    order: draw.fork("order").pick(["terraform", "opentofu"] as const),
    parallelism: perhaps(10, () => draw.int(1, 10)),
    identity: perhaps("key", () => draw.pick(["root", "user"] as const)),
    skewMs: perhaps(0, () => draw.spread(1_000, longestSkewMs)),
    adoptExisting: perhaps(false, () => true),
    otpRequired: perhaps(true, () => assume.otpRequired !== false),
    maxRequestsPerSecond: perhaps(0, () => draw.int(2, 20)),
    latencyMs: perhaps(0, () => draw.spread(1, 3_000)),
    cloud: {
      taskMs: draw.spread(1, draw.chance(0.1) ? 2_400_000 : 120_000),
      listingLagMs: perhaps(0, () => draw.spread(10, 60_000)),
      rateLimit: perhaps(0, () => draw.spread(2, 50)),
      tokenMs: perhaps(300_000, () => 60_000),
      password: secrets.password,
      secretKey: secrets.secretKey,
      assume,
    },
  };
}
