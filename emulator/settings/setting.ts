import * as z from "zod";
import { account, customer } from "../state/id.ts";
import { milliseconds } from "./amount.ts";
import { assumptionSchema } from "./assumption/assumption.ts";

/** Settings of the emulator; times in milliseconds. All can be changed while it runs. */
export const settingsSchema = z.strictObject({
  /** Duration of an asynchronous task. */
  taskMs: milliseconds.default(500),
  /** Age of the data that listings show. */
  listingLagMs: milliseconds.default(0),
  /** Delay of every request before execution. */
  latencyMs: milliseconds.default(0),
  /** Requests per second before 429; 0 means no limit. */
  rateLimit: z.number().min(0).default(0),
  /** Login of the account's root and user (docs/contract.md#1.2); clearly not a real one. */
  email: z.string().min(1).default("user@example.com"),
  password: z.string().min(1).default("emulator-password"),
  /** Account number and customer UUID of new objects (docs/contract.md#1.4), and the account of the credentials. */
  account: z.string().regex(/^\d+$/, "must be a number").default(account),
  customer: z.guid("must be a UUID").default(customer),
  /** Keys of the programmatic sign-in. */
  accessKey: z.string().min(1).default("emulator-access-key"),
  secretKey: z.string().min(1).default("emulator-secret-key"),
  /** Lifetime of an access token: five minutes (docs/contract.md#1.2). */
  tokenMs: milliseconds.default(300_000),
  /** Lifetime of a one-time password. */
  otpMs: milliseconds.default(300_000),
  assume: assumptionSchema.prefault({}),
});

export type Settings = z.output<typeof settingsSchema>;
export type SettingsInput = z.input<typeof settingsSchema>;

/** Formats every validation problem with its path. */
export function explainProblems(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => [...path.map(String), message].join(": ")).join("; ");
}

const anyChange = z.looseObject({ assume: z.looseObject({}).optional() });

/** Merges a change into the settings; throws a `ZodError` for an unknown name or an invalid value. */
export function changeSettings(settings: Settings, change: unknown): Settings {
  const patch = anyChange.parse(change);
  return settingsSchema.parse({ ...settings, ...patch, assume: { ...settings.assume, ...patch.assume } });
}
