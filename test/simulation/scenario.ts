import type { z } from "zod";
import { assumptionSchema } from "../../emulator/settings/assumption/assumption.ts";
import type { SettingsInput } from "../../emulator/settings/setting.ts";
import type { Draw } from "./draw.ts";
import { secrets } from "./secret.ts";

/** Where every session of a simulation looks for its cloud. */
export const origin = "http://127.0.0.1:1";

/** What holds for a whole schedule. */
export interface Ambient {
  readonly engine: "terraform" | "pulumi";
  /** With what the provider shows who asks: a key, or a sign-in as the account's root or its user. */
  readonly identity: "key" | "root" | "user";
  /** How far the machine's clock is off, in ms; it jumps from one to the next every two minutes. */
  readonly skewsMs: readonly number[];
  readonly parallelism: number;
  readonly adoptExisting: boolean;
  /** The provider's setting: false where the cloud is known to take deletes without a one-time password. */
  readonly otpRequired: boolean;
  readonly maxRequestsPerSecond: number;
  /** The longest way of a request or an answer, in ms. */
  readonly latencyMs: number;
  readonly cloud: SettingsInput;
}

/** The region of every schedule. */
export const region = "In-Bangalore-1";

/**
 * All that is drawn of some switches: another position refuses every VPC that is made without rules, every sign-in,
 * whatever is done to a pod, or every other run that opens a session; ends sessions and addresses before anything gets
 * there; or shows the first page of buckets alone.
 */
const only: { readonly [name: string]: readonly unknown[] | undefined } = {
  vpcNeedsGroup: [false],
  mfaEnabled: [0],
  podId: ["krn", "uuid"],
  bucketListNames: ["page"],
  sessionMs: [60_000, 900_000],
  sessionAttempts: [100],
  addressMs: [60_000, 900_000],
};

/** The values of a switch by its schema. */
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

/** The emulator's assumed behaviours that are drawn, with their values. */
const assumptions = Object.entries(assumptionSchema.shape).flatMap(([name, schema]) => {
  const values = (only[name] ?? range(schema)).filter((value) => schema.safeParse(value).success);
  return values.length === 0 ? [] : [{ name, values }];
});

/** Draws each of the emulator's assumed behaviours over its range (docs/reliability.md#4.8). */
const drawAssumptions = (draw: Draw): Record<string, unknown> =>
  Object.fromEntries(assumptions.map(({ name, values }) => [name, draw.pick(values)]));

/** As much of a zod schema as tells what values it takes. */
type Definition =
  | { readonly type: "default"; readonly innerType: z.core.$ZodType }
  | { readonly type: "enum"; readonly entries: Record<string, unknown> }
  | { readonly type: "literal"; readonly values: readonly unknown[] }
  | { readonly type: "union"; readonly options: readonly z.core.$ZodType[] }
  | { readonly type: "boolean" | "number" | "array" | "string" };

/** Draws the weather: every modifier is off in half of the schedules, so that none masks the others. */
export function drawAmbient(draw: Draw): Ambient {
  const perhaps = <T>(off: T, on: () => T): T => (draw.chance(0.5) ? off : on());
  const assume = drawAssumptions(draw.fork("assumptions"));
  return {
    engine: draw.pick(["terraform", "pulumi"] as const),
    parallelism: perhaps(10, () => draw.int(1, 10)),
    identity: perhaps("key", () => draw.pick(["root", "user"] as const)),
    skewsMs: perhaps([], () => Array.from({ length: draw.int(1, 3) }, () => draw.int(-3_600_000, 3_600_000))),
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
