import { z } from "zod";
import { assumptionSchema } from "./assumption/assumption.ts";

const milliseconds = z.int().min(0);

/** The emulator's knobs: times in milliseconds, all of them changeable while it runs. */
export const settingsSchema = z.strictObject({
  /** How long an asynchronous task takes. */
  taskMs: milliseconds.default(500),
  /** Listings show the world as it was this long ago. */
  listingLagMs: milliseconds.default(0),
  /** Every request waits this long before it is executed. */
  latencyMs: milliseconds.default(0),
  /** Requests per second before 429; 0 means no limit. */
  rateLimit: z.number().min(0).default(0),
  /** Who may sign in, as the account's root and as its user (contract 1.2): nobody can mistake it for somebody real. */
  email: z.string().min(1).default("user@example.com"),
  password: z.string().min(1).default("emulator-password"),
  /** What a program signs in with. */
  accessKey: z.string().min(1).default("emulator-access-key"),
  secretKey: z.string().min(1).default("emulator-secret-key"),
  /** How long an access token lives: five minutes (contract 1.2). */
  tokenMs: milliseconds.default(300_000),
  /** How long a one-time password is good. */
  otpMs: milliseconds.default(300_000),
  assume: assumptionSchema.prefault({}),
});

export type Settings = z.output<typeof settingsSchema>;
export type SettingsInput = z.input<typeof settingsSchema>;

/** Every problem of a value that did not fit, with its place. */
export function explainProblems(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => [...path.map(String), message].join(": ")).join("; ");
}

const anyChange = z.looseObject({ assume: z.looseObject({}).optional() });

/** The settings with a change laid over them; an unknown name or a wrong value is a `ZodError`. */
export function changeSettings(settings: Settings, change: unknown): Settings {
  const patch = anyChange.parse(change);
  return settingsSchema.parse({ ...settings, ...patch, assume: { ...settings.assume, ...patch.assume } });
}
