import { accessTo } from "../access.ts";
import { createEmulator, type Emulator } from "../emulator.ts";
import { FaultError } from "../fault/fault.ts";
import {
  InvalidInventoryError,
  type InventoryFile,
  parseInventory,
  readInventory,
} from "../inventory/inventory.ts";
import { formatOperations } from "../operation-list.ts";
import type { SettingsInput } from "../settings/setting.ts";
import { lateClock, manualClock } from "../state/clock.ts";
import { readState, StateFileError } from "../state/file.ts";
import { lockState } from "../state/lock.ts";
import { runCommand } from "./child-command.ts";
import { ignoresHangUp } from "./hang-up.ts";
import { fetchPassword, WrongAddressError } from "./one-time-password.ts";
import { type CliOptions, parseOptions, UsageError } from "./option.ts";
import { parentEnd } from "./parent.ts";
import { makeScenario, ScenarioError, scenarioAge } from "./scenario.ts";

const line = (text: string) => process.stderr.write(`${text}\n`);
const fail = (message: string) => line(`kcloud emulator: ${message}`);

async function start(args: CliOptions, seedFrom: SeedSource | undefined): Promise<Emulator> {
  const { seed, state, scenario, manual, settings, verbose, faults, command, onlyEnvironment } = args;
  const showPassword = (password: string) => {
    const seconds = emulator.settings().otpMs / 1000;
    process.stdout.write(
      `${onlyEnvironment ? "# " : ""}one-time password ${password}, valid ${seconds} s for one delete\n`,
    );
  };
  // A manual clock resumes at the time of the last run.
  const stoppedAt = manual && state !== undefined ? readState(state)?.savedAt : undefined;
  const fixed = manual ? manualClock(stoppedAt) : undefined;
  const real = lateClock(scenario === undefined ? 0 : scenarioAge);
  const emulator = createEmulator({
    ...settings,
    clock: fixed ?? real,
    ...(seed !== undefined && { seed }),
    ...(state !== undefined && { state }),
    ...(verbose && { write: line }),
    ...(command.length === 0 && { showPassword }),
  });
  if (scenario !== undefined) {
    const advance = fixed?.advance ?? real.catchUp;
    await makeScenario(scenario, { emulator, region: regionOf(process.env), advance });
    await real.catchUp(scenarioAge);
  }
  const inventory =
    emulator.inventory.peek().length === 0 ? await initialInventory(args, seedFrom) : undefined;
  if (inventory !== undefined) emulator.load({ ...inventory, ...ownerIn(settings) });
  for (const fault of faults) emulator.faults.add(fault);
  return emulator;
}

/** Maximum number of assumed facts that are listed. */
const mostFacts = 20;

/** Returns the objects with which the options say that the emulator begins. Throws `InvalidInventoryError`. */
async function initialInventory(
  { inventory: file, states }: CliOptions,
  seedFrom: SeedSource = missingSource,
): Promise<InventoryFile | undefined> {
  const known = file === undefined ? undefined : readInventory(file);
  if (states.length === 0) {
    listAssumed(known?.assumed);
    return known;
  }
  const seed = await seedFrom(states, known?.objects ?? []);
  if ("problem" in seed) throw new InvalidInventoryError(seed.problem);
  const { assumed, inventory } = seed;
  listAssumed([...assumed, ...(known?.assumed ?? [])]);
  const { account, customer } = { ...inventory, ...known };
  try {
    return parseInventory({ ...inventory, account, customer });
  } catch (error) {
    if (!(error instanceof InvalidInventoryError)) throw error;
    throw new InvalidInventoryError(`${states.join(", ")} cannot be used: ${error.message}`);
  }
}

function listAssumed(facts: readonly string[] = []): void {
  for (const fact of facts.slice(0, mostFacts)) line(`assumed: ${fact}`);
  const more = facts.length - mostFacts;
  if (more > 0) line(`assumed: ${more} more facts that the files lack`);
}

const missingSource: SeedSource = () => {
  throw new UsageError("--from-state needs the command kcloud emulator");
};

/** Returns the account and the customer that options name. */
const ownerIn = ({ account, customer }: SettingsInput): Pick<SettingsInput, "account" | "customer"> => ({
  ...(account !== undefined && { account }),
  ...(customer !== undefined && { customer }),
});

/** Resolves on SIGINT, SIGTERM, and SIGHUP unless that is ignored. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
    process.on("SIGHUP", () => {
      if (!ignoresHangUp()) resolve();
    });
  });
}

async function serve(args: CliOptions, host: Host): Promise<number> {
  const unlock = args.state === undefined ? undefined : lockState(args.state);
  try {
    return await serveAlone(args, host);
  } finally {
    unlock?.();
  }
}

async function serveAlone(args: CliOptions, { foreign = [], seedFrom }: Host): Promise<number> {
  // The parent is read before anything is awaited.
  const parentEnded = args.keepRunning ? [] : [parentEnd()];
  const emulator = await start(args, seedFrom);
  const stop = args.command.length === 0 ? Promise.race([stopSignal(), ...parentEnded]) : undefined;
  const { url, close } = await listenOn(emulator, args.port);
  const access = accessTo(url, emulator.settings(), { signIn: args.signIn, region: regionOf(process.env) });
  try {
    if (stop === undefined)
      return await runCommand(args.command, {
        ...environmentWithout(foreign),
        ...access,
        [onlyAddress]: url,
      });
    const exports = Object.entries(access).map(([name, value]) => `export ${name}=${quoted(value)}`);
    process.stdout.write(`${[...(args.onlyEnvironment ? [] : [url]), ...exports].join("\n")}\n`);
    emulator.password();
    await stop;
    return 0;
  } finally {
    await close();
  }
}

/** Serves on the port. Throws `PortError` if another process uses it. */
async function listenOn(emulator: Emulator, port: number): ReturnType<Emulator["listen"]> {
  try {
    return await emulator.listen({ port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") throw new PortError(port);
    throw error;
  }
}

/** Error for a port that another process uses. */
class PortError extends Error {
  constructor(port: number) {
    super(`port ${port} of 127.0.0.1 is in use: choose another --port, or leave it out for any free one`);
  }
}

/** Variables with the credentials and the customer of a real cloud, which are removed from the environment of a command. */
const credentials = [
  "SERVICE_API_KEY",
  "SERVICE_EMAIL",
  "SERVICE_PASSWORD",
  "SERVICE_OTP",
  "SERVICE_CUSTOMER_ID",
];

/** Variable with the only address to which a provider in the environment of a command connects. */
const onlyAddress = "KCLOUD_ONLY";

/** Returns the environment of this process without the credentials of a real cloud and these variables. */
const environmentWithout = (foreign: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !credentials.includes(name) && !foreign.includes(name)),
  );

/** Returns the region of a command. */
const regionOf = ({ SERVICE_REGION, KCLOUD_REGION }: NodeJS.ProcessEnv): string =>
  SERVICE_REGION ?? (KCLOUD_REGION || "In-Bangalore-1");

/** Quotes a value for a POSIX shell. */
const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;

/** Prints an expected error and returns the exit code; rethrows any other. */
function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof FaultError) {
    fail(`${error.message}\nTry: kcloud emulator --help`);
    return 2;
  }
  if (
    error instanceof StateFileError ||
    error instanceof PortError ||
    error instanceof ScenarioError ||
    error instanceof InvalidInventoryError ||
    error instanceof WrongAddressError
  ) {
    fail(error.message);
    return 1;
  }
  throw error;
}

/** Parts of the command that the program has which contains it. */
export type Host = {
  /** Variables that are removed from the environment of the given command. */
  readonly foreign?: readonly string[];
  readonly seedFrom?: SeedSource;
};

/**
 * Makes an inventory of states of engines, of which the emulator knows nothing; `known` are objects of the account that the states
 * may lack. Returns the facts that it assumed as clauses, or the reason why a state cannot be used.
 */
export type SeedSource = (
  states: readonly string[],
  known: InventoryFile["objects"],
) => Promise<
  { readonly inventory: object; readonly assumed: readonly string[] } | { readonly problem: string }
>;

/**
 * Runs `kcloud emulator` until a signal, until the process that started it ends, or until the given command ends; returns the exit
 * code.
 */
export async function emulatorMain(argv: readonly string[], host: Host = {}): Promise<number> {
  try {
    const args = parseOptions(argv);
    if (args.operations) process.stdout.write(`${formatOperations()}\n`);
    else if (args.otp !== undefined) process.stdout.write(`${await fetchPassword(args.otp)}\n`);
    else return await serve(args, host);
    return 0;
  } catch (error) {
    return exitCodeOf(error);
  }
}

if (import.meta.main) {
  // Not awaited: the command is also bundled as CommonJS, which has no top-level await.
  void emulatorMain(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
}
