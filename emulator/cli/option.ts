import { parseArgs } from "node:util";
import type { Fault } from "../fault/fault.ts";
import { faultKinds } from "../fault/kind.ts";
import { faultNotation, parseFault } from "../fault/notation.ts";
import { catalogueKeyName, flavors, imageKrn, images } from "../model/catalogue.ts";
import { assumptionSchema, describeAssumptions } from "../settings/assumption/assumption.ts";
import { explainProblems, type SettingsInput, settingsSchema } from "../settings/setting.ts";

/** Scenarios of `scenario.ts` by name, with their descriptions. */
export const scenarios = {
  "existing-account":
    "an account that people made by hand in the last weeks: some 50 objects in two VPCs and two buckets",
} as const;

export type ScenarioName = keyof typeof scenarios;

/** Parsed command line. */
export type CliOptions = {
  readonly operations: boolean;
  /** URL of a running emulator whose one-time password is printed. */
  readonly otp: string | undefined;
  readonly verbose: boolean;
  readonly port: number;
  readonly seed: string | undefined;
  readonly state: string | undefined;
  /** Scenario whose objects an emulator without objects gets. */
  readonly scenario: ScenarioName | undefined;
  /** File with the objects that an emulator without objects gets. */
  readonly inventory: string | undefined;
  /** States of engines, whose objects an emulator without objects gets. */
  readonly states: readonly string[];
  readonly manual: boolean;
  /** True when the exported credentials are email and password instead of the API key. */
  readonly signIn: boolean;
  /** True when an emulator without a command outlasts the process that started it. */
  readonly keepRunning: boolean;
  /** True when standard output is a script for a shell: only `export` lines and comments. */
  readonly onlyEnvironment: boolean;
  readonly settings: SettingsInput;
  readonly faults: readonly Fault[];
  /** Command after `--`; empty without one. */
  readonly command: readonly string[];
};

/** Error for an invalid command line; the message names the argument. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

const defaults = settingsSchema.parse({});

/** Options of the command. The help omits `rare` options; the help topic has all. */
const options = {
  port: { type: "string", value: "N", about: "port on 127.0.0.1. Default: any free one" },
  state: { type: "string", value: "FILE", path: "file", about: "stores all objects in this file" },
  "sign-in": {
    type: "boolean",
    about: "exports SERVICE_EMAIL and SERVICE_PASSWORD instead of SERVICE_API_KEY",
  },
  env: {
    type: "boolean",
    about: "prints a shell script: export lines, and passwords as comments",
  },
  "keep-running": {
    type: "boolean",
    rare: true,
    about: "continues when the process that started the emulator ends",
  },
  fault: {
    type: "string",
    multiple: true,
    value: "FAULT",
    about: "makes requests fail, as in create_vpc#1=503; repeatable",
  },
  verbose: { type: "boolean", about: "logs each request to standard error" },
  otp: {
    type: "string",
    value: "URL",
    about: "prints a one-time password of the emulator at URL and exits",
  },
  operations: { type: "boolean", about: "lists the operations of the API and exits" },
  scenario: {
    type: "string",
    value: "NAME",
    values: scenarios,
    rare: true,
    about: "makes these objects, if there are none",
  },
  inventory: {
    type: "string",
    value: "FILE",
    path: "file",
    rare: true,
    about: "begins with the objects of this file, if there are none",
  },
  "from-state": {
    type: "string",
    multiple: true,
    value: "FILE",
    path: "file",
    rare: true,
    about: "begins with the objects of this state of an engine, if there are none; repeatable",
  },
  seed: { type: "string", value: "TEXT", rare: true, about: "seed of all ids. Default: emulator" },
  "task-ms": {
    type: "string",
    value: "N",
    rare: true,
    about: `duration of a task in ms. Default: ${defaults.taskMs}`,
  },
  "listing-lag-ms": {
    type: "string",
    value: "N",
    rare: true,
    about: `delay in ms until listings show a change. Default: ${defaults.listingLagMs}`,
  },
  "latency-ms": {
    type: "string",
    value: "N",
    rare: true,
    about: `delay of each request in ms. Default: ${defaults.latencyMs}`,
  },
  "rate-limit": {
    type: "string",
    value: "N",
    rare: true,
    about: `requests per second before 429; 0 means no limit. Default: ${defaults.rateLimit}`,
  },
  account: {
    type: "string",
    value: "NUMBER",
    rare: true,
    about: `account number in ids and credentials. Default: ${defaults.account}`,
  },
  customer: {
    type: "string",
    value: "UUID",
    rare: true,
    about: `customer in ids. Default: ${defaults.customer}`,
  },
  email: {
    type: "string",
    value: "TEXT",
    rare: true,
    about: `email of the user who may sign in. Default: ${defaults.email}`,
  },
  password: {
    type: "string",
    value: "TEXT",
    rare: true,
    about: `password of that user. Default: ${defaults.password}`,
  },
  "token-ms": {
    type: "string",
    value: "N",
    rare: true,
    about: `lifetime of an access token in ms. Default: ${defaults.tokenMs}`,
  },
  "otp-ms": {
    type: "string",
    value: "N",
    rare: true,
    about: `lifetime of a one-time password in ms. Default: ${defaults.otpMs}`,
  },
  clock: {
    type: "string",
    value: "KIND",
    rare: true,
    values: ["real", "manual"],
    about: "real, or manual: advances only by /_emulator/clock/advance. Default: real",
  },
  assume: {
    type: "string",
    multiple: true,
    value: "NAME=VALUE",
    rare: true,
    about: "sets a behaviour that the contract does not specify; repeatable",
  },
} as const;

const isScenario = (name: string): name is ScenarioName => Object.hasOwn(scenarios, name);

type Name = keyof typeof options;
const isName = (name: string): name is Name => Object.hasOwn(options, name);

/** Returns the values of each option in the order given; throws `UsageError`. */
function optionValues(args: string[]): Map<Name, string[]> {
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  const values = new Map<Name, string[]>();
  for (const token of tokens) {
    if (token.kind === "positional") {
      throw new UsageError(`unexpected argument ${token.value}; a command goes after --`);
    }
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    if (!isName(name)) throw new UsageError(`unknown option ${rawName}`);
    const takesValue = options[name].type === "string";
    if (takesValue && value === undefined) throw new UsageError(`${rawName} requires a value`);
    if (!takesValue && value !== undefined) throw new UsageError(`${rawName} does not accept a value`);
    values.set(name, [...(values.get(name) ?? []), value ?? "true"]);
  }
  return values;
}

function wholeNumberOf(name: Name, text: string, maximum: number): number {
  if (/^\d{1,15}$/.test(text) && Number(text) <= maximum) return Number(text);
  throw new UsageError(`--${name} must be a whole number from 0 to ${maximum}, not ${text}`);
}

function parseAssumptions(pairs: readonly string[]): SettingsInput["assume"] {
  const entries = pairs.map((pair) => {
    const [name = "", ...value] = pair.split("=");
    if (!Object.hasOwn(assumptionSchema.shape, name)) {
      throw new UsageError(
        `--assume: unknown assumption ${name}; the assumptions are ${Object.keys(assumptionSchema.shape).join(", ")}`,
      );
    }
    return [name, parseValue(value.join("="))];
  });
  const result = assumptionSchema.partial().safeParse(Object.fromEntries(entries));
  if (!result.success) throw new UsageError(`--assume: ${explainProblems(result.error)}`);
  return assumptionSchema.parse(Object.fromEntries(entries));
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Parses the command line; throws `UsageError`, and `FaultError` for an invalid fault. */
export function parseOptions(argv: readonly string[]): CliOptions {
  const end = argv.indexOf("--");
  const values = optionValues(argv.slice(0, end < 0 ? argv.length : end));
  const command = end < 0 ? [] : argv.slice(end + 1);
  if (end >= 0 && command.length === 0) throw new UsageError("a command is missing after --");
  const last = (name: Name) => values.get(name)?.at(-1);
  const number = (name: Name, maximum = 1e12) => {
    const text = last(name);
    return text === undefined ? undefined : wholeNumberOf(name, text, maximum);
  };
  const text = (name: "account" | "customer" | "email" | "password") => {
    if (last(name) === "") throw new UsageError(`--${name} must not be empty`);
    return last(name) === undefined ? {} : { [name]: last(name) };
  };
  const url = (name: "otp") => {
    const text = last(name);
    if (text !== undefined && !URL.canParse(text))
      throw new UsageError(`--${name} must be a URL, not ${text}`);
    return text;
  };
  if (values.has("env") && end >= 0) throw new UsageError("--env cannot be used with a command");
  if (!/^\d+$/.test(last("account") ?? "0")) throw new UsageError("--account must be a number");
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(last("customer") ?? defaults.customer))
    throw new UsageError("--customer must be a UUID");
  const clock = last("clock") ?? "real";
  if (clock !== "real" && clock !== "manual")
    throw new UsageError(`--clock must be real or manual, not ${clock}`);
  const scenario = last("scenario");
  if (scenario !== undefined && !isScenario(scenario))
    throw new UsageError(`--scenario must be ${Object.keys(scenarios).join(" or ")}, not ${scenario}`);
  const inventory = last("inventory");
  const states = values.get("from-state") ?? [];
  if (scenario !== undefined && (inventory !== undefined || states.length > 0))
    throw new UsageError("--scenario cannot be used with --inventory or --from-state");
  return {
    operations: values.has("operations"),
    otp: url("otp"),
    verbose: values.has("verbose"),
    port: number("port", 65_535) ?? 0,
    seed: last("seed"),
    state: last("state"),
    ...{ scenario, inventory, states },
    manual: clock === "manual",
    signIn: values.has("sign-in"),
    keepRunning: values.has("keep-running"),
    onlyEnvironment: values.has("env"),
    settings: {
      taskMs: number("task-ms"),
      listingLagMs: number("listing-lag-ms"),
      latencyMs: number("latency-ms"),
      rateLimit: number("rate-limit"),
      ...text("account"),
      ...text("customer"),
      ...text("email"),
      ...text("password"),
      tokenMs: number("token-ms"),
      otpMs: number("otp-ms"),
      assume: parseAssumptions(values.get("assume") ?? []),
    },
    faults: (values.get("fault") ?? []).map(parseFault),
    command,
  };
}

/** Description of the command for its help and the completion of shells. */
export const emulatorCommand = {
  about: "runs an emulator of the API, or a command against it",
  usage: ["emulator [options]", "emulator [options] -- COMMAND [ARGUMENT]..."],
  description: `Runs an emulator of the API on this machine until it is interrupted, or until
the process that started it ends. Prints its address, an export line for each
SERVICE_* variable that a provider needs, and one-time passwords for deletes.
With a command: runs the command with these variables and exits with its exit
code. The environment of the command has no credentials of a real cloud and no
KCLOUD_* settings, but keeps a region, and KCLOUD_ONLY allows no other address.`,
  options,
  runsCommand: true,
  topic: {
    name: "emulator-reference",
    about: "lists every option, fault and assumption",
    notes: `Faults: ${faultNotation}
  TARGET is an operation, * or [METHOD ]/path/with/*; #N the calls that fail;
  ~P a probability. KIND is a status (503, html-403) or one of:
  ${wrap(faultKinds, 78)}
  NAME is retry-after, location, field, word, naming, delay-ms or body;
  naming=ID selects requests that contain the ID. before-empty-200 and the like
  answer 2xx although nothing was executed, as a proxy may. Examples:
    create_vpc#1=after-reset            GET /kbs/*#1-3=404
    *~0.1=500                           create_volume=429,retry-after=2
    get_bucket_policy=404               search_port=404,naming=KRN
    delete_volume=before-empty-200      update_volume=refusal-in-200,word=quota

A create whose name ends in -error-503 is rejected with that status; one that
ends in -fails is accepted, then fails (of a batch of instances the last one).
The delete of a volume whose name ends in -undeletable is accepted, then fails.

Initial objects, in every region:
  images          ${images.map(({ name, uuid }) => `${name}\n                  ${imageKrn("REGION", uuid)}`).join("\n                  ")}
  instance types  ${flavors.map(({ name, cpus, memory, type }) => `${name} (${cpus} CPU, ${memory} GB${type === "GPU" ? ", GPU" : ""})`).join("\n                  ")}
  SSH key         ${catalogueKeyName}

Assumptions, each with its section of the contract:
${describeAssumptions()
  .map((line) => `  ${wrap(line.split(" "), 78, "    ")}`)
  .join("\n")}`,
  },
} as const;

/** Joins words to lines of at most `width` characters; `indent` precedes every line but the first. */
function wrap(words: readonly string[], width: number, indent = "  "): string {
  return words.reduce((text, word) => {
    const line = text.slice(text.lastIndexOf("\n") + 1);
    const gap = line.length + word.length + 1 > width ? `\n${indent}` : " ";
    return text === "" ? word : `${text}${gap}${word}`;
  }, "");
}
