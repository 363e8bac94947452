import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { checkPositionals, parseArguments, UsageError } from "../../command/argument.ts";
import { CommandError, runCommand } from "../../command/run.ts";
import { isLoopback } from "../../provider/core/ip-address.ts";
import { accountOf, createAccounts, type EnginePart } from "../account.ts";
import { serveHttp } from "../http/http.ts";
import { isAccessToken, tokenProblem, typedKey } from "../key.ts";
import { createServer, type Offer } from "../server.ts";
import { serveOnStdio } from "../stdio.ts";
import { lineOf } from "../text.ts";
import { mcpCommand } from "./option.ts";

/** `kcloud mcp`: the tool server. Standard output has messages of the protocol only. */

/** Exit codes after a signal: 128 and its number. */
const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

type Values = ReturnType<typeof parseArguments<typeof mcpCommand.options>>["values"];

/** Runs `kcloud mcp` until its client leaves or a signal ends it. Returns the exit code. */
export const mcpMain = (args: readonly string[]): Promise<number> =>
  runCommand("mcp", async () => {
    const { values, positionals } = parseArguments(mcpCommand.options, args);
    checkPositionals(positionals, 0);
    refuseTokens(process.env);
    return untilSignal((stop) =>
      values.http === undefined ? serveStdio(values, stop) : serveNetwork(values.http, values, stop),
    );
  });

const loadEngine = async (): Promise<EnginePart> => (await import("../../rehearse/part.ts")).engineCommands;

/** Writes a line to the log, without the credentials. */
const logger =
  (secrets: () => readonly string[]) =>
  (line: string): void => {
    process.stderr.write(`kcloud mcp: ${lineOf(line, secrets())}\n`);
  };

const keyVariables = ["SERVICE_API_KEY", "KCLOUD_API_KEY"] as const;

/** Throws `CommandError` for a console access token in place of the API key in the environment. */
function refuseTokens(environment: NodeJS.ProcessEnv): void {
  for (const name of keyVariables)
    if (isAccessToken(typedKey(environment[name] ?? "").key))
      throw new CommandError(`${name}: ${tokenProblem}`);
}

/** Runs work whose signal aborts at the first signal of the system; a second one ends the process. */
async function untilSignal(work: (stop: AbortSignal) => Promise<number>): Promise<number> {
  const stopping = new AbortController();
  let code: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    code = signalCodes[signal as keyof typeof signalCodes];
    if (stopping.signal.aborted) process.exit(code);
    stopping.abort();
  };
  for (const signal of Object.keys(signalCodes)) process.on(signal, stop);
  try {
    const ended = await work(stopping.signal);
    return code ?? ended;
  } finally {
    for (const signal of Object.keys(signalCodes)) process.off(signal, stop);
  }
}

async function serveStdio(values: Values, stop: AbortSignal): Promise<number> {
  for (const name of ["tls-cert", "tls-key", "behind-proxy", "allow-host"] as const)
    if (values[name] !== undefined) throw new UsageError(`--${name} is for --http`);
  const { folder, state, stack, policy, engine, "allow-writes": allowsWrites = false } = values;
  const { "allow-unconfined": unconfined } = values;
  for (const [name, value] of Object.entries({
    state,
    stack,
    policy,
    engine,
    "allow-unconfined": unconfined,
  }))
    if (value !== undefined && folder === undefined) throw new UsageError(`--${name} is for --folder`);
  const path = absolute(folder);
  const folderTools =
    path === undefined
      ? []
      : (await import("../tool/folder.ts")).toolsOfFolder(
          {
            ...{ path, state: absolute(state), stack, policy: absolute(policy), engine },
            allowsUnconfined: unconfined === true,
          },
          loadEngine,
        );
  if ("problem" in folderTools) throw new UsageError(folderTools.problem);
  const account = accountOf(async () => {
    const { settingsIn, openObjects } = await loadEngine();
    const settings = settingsIn(process.env);
    if ("problem" in settings) return { opened: settings, given: {} };
    return {
      opened: openObjects(settings.given, { allowsWrites, log: (line) => log(line) }),
      given: settings.given,
    };
  });
  const typed = keyVariables.map((name) => typedKey(process.env[name] ?? "").key);
  const log = logger(() => [...typed, ...account.secrets()]);
  noticePrefixes(process.env, log);
  const ended = new AbortController();
  const offer: Offer = {
    account,
    about: async () => {
      const settings = (await loadEngine()).settingsIn(process.env);
      const given =
        "problem" in settings
          ? settings
          : { address: settings.address ?? null, region: settings.region ?? null };
      return { ...given, transport: "stdio", folder: path ?? null };
    },
    folderTools,
    previews: allowsWrites ? account.previews : undefined,
    stop: AbortSignal.any([stop, ended.signal]),
    log,
  };
  const hasLeft = await serveOnStdio({ offer, input: process.stdin, output: process.stdout });
  // Calls that still run end with the connection.
  ended.abort();
  await account.close();
  return hasLeft ? 0 : 1;
}

const absolute = (file: string | undefined): string | undefined =>
  file === undefined ? undefined : resolve(file);

function noticePrefixes(environment: NodeJS.ProcessEnv, log: (line: string) => void): void {
  for (const name of keyVariables)
    if (typedKey(environment[name] ?? "").hasPrefix)
      log(`${name} has "Bearer " in front of the API key: the key is used without it`);
}

async function serveNetwork(address: string, values: Values, stop: AbortSignal): Promise<number> {
  for (const name of ["folder", "state", "stack", "policy", "engine", "allow-unconfined"] as const)
    if (values[name] !== undefined) throw new UsageError(`--${name} is not for --http`);
  const { host, port } = addressOf(address);
  const {
    "tls-cert": cert,
    "tls-key": key,
    "behind-proxy": isBehindProxy,
    "allow-host": hostNames = [],
    "allow-writes": allowsWrites = false,
  } = values;
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError("--tls-cert and --tls-key belong together");
  const tls = cert === undefined || key === undefined ? undefined : { cert: textIn(cert), key: textIn(key) };
  const isOpen = !isLoopback(host.includes(":") ? `[${host}]` : host);
  if (isOpen && tls === undefined && isBehindProxy !== true)
    throw new UsageError(
      `${host} is not the loopback, and API keys would be readable on the network: pass --tls-cert and --tls-key, or --behind-proxy if a proxy has TLS`,
    );
  if (isOpen && hostNames.length === 0)
    throw new UsageError("--allow-host NAME is missing: the name by which clients reach the server");
  const engine = await loadEngine();
  const settings = engine.settingsIn(process.env);
  if ("problem" in settings) throw new CommandError(settings.problem);
  if (settings.address === undefined)
    throw new CommandError("the address of the API is missing: set SERVICE_BASE_URL");
  const log = logger(() => accounts.secrets());
  const accounts = createAccounts(settings.given, engine, { allowsWrites, log });
  const about = async () => ({
    ...{ address: settings.address ?? null, region: settings.region ?? null, transport: "http" },
  });
  const server = await serveHttp({
    ...{ host, port, tls, hostNames, accounts, log },
    serverOf: (account, previews) =>
      createServer({
        ...{ account, folderTools: [], about, stop, log },
        previews: allowsWrites ? previews : undefined,
      }),
  }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${address} cannot be used (${error.code ?? error.message})`);
  });
  log(`serves ${server.url} with the API at ${settings.address}`);
  if (!stop.aborted)
    await new Promise<void>((resolve) => stop.addEventListener("abort", () => resolve(), { once: true }));
  await server.close();
  await accounts.close();
  return 0;
}

/** Parses `[HOST:]PORT`. Throws `UsageError`. */
export function addressOf(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, name, digits = ""] =
    /^(?:(?:\[([\da-f:.]+)\]|([\w.-]+)):)?(\d{1,5})$/i.exec(text) ?? [];
  const port = digits === "" ? Number.NaN : Number(digits);
  if (!(port <= 65_535)) throw new UsageError(`--http must be [HOST:]PORT, not ${JSON.stringify(text)}`);
  return { host: bracketed ?? name ?? "127.0.0.1", port };
}

function textIn(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
