import { addAbortSignal } from "node:stream";
import { holdSignals, interruptible } from "../account/command/progress.ts";
import { callOperation, prepareCall } from "../library/call.ts";
import { paged } from "../library/page.ts";
import { readsOf } from "../library/reads.ts";
import { downloadFrom, uploadTo } from "../library/transfer.ts";
import { destructionOf, mayDestroy, nameIn } from "../operation/destruction/destruction.ts";
import { effectOf } from "../operation/operation.ts";
import { allOperations, type NamedOperation } from "../operation/operations.ts";
import { type Client, openClient } from "../provider/client/client.ts";
import { gatherSettings } from "../provider/config/config.ts";
import { InputError } from "../provider/core/error.ts";
import type { Values } from "../provider/core/value.ts";
import { inWordsOf } from "../provider/core/wording.ts";
import { check } from "../provider/definition/check.ts";
import { secretsIn } from "../provider/definition/secret.ts";
import { realPorts } from "../provider/platform/real-ports.ts";
import { type CallArguments, parseCall } from "./argument.ts";
import { confirm } from "./confirm.ts";
import { type SentContent, sentContent } from "./content.ts";
import { requestText } from "./dry-run.ts";
import { exitCodes } from "./exit-code.ts";
import { failureOf, type Progress } from "./failure.ts";
import { InvalidCallError } from "./invalid-call.ts";
import { type OutFile, openOut } from "./out-file.ts";
import { optionOf } from "./parameter.ts";
import { anyAnswer, type Output, writeContent, writeResponse, writeRows } from "./response.ts";
import { showsSecret } from "./secret-response.ts";
import { processTerminal } from "./terminal.ts";
import { oneLine } from "./text.ts";
import { prepareWait, type Wait, waitOf } from "./wait.ts";
import type { World } from "./world.ts";
import { writtenParameters } from "./written.ts";

/** Runs a call of an operation. */

/** Runs `kcloud call NAME …` in this process. Returns the exit code. */
export function runCall(name: string, args: readonly string[]): Promise<number> {
  let outcome = { text: `${name} changed nothing`, isUnclear: false };
  const message = () => `kcloud call: interrupted: ${outcome.text}`;
  return interruptible(
    message,
    ({ stop }) =>
      callIn(name, args, {
        terminal: processTerminal,
        ports: realPorts,
        environment: process.env,
        input: () => addAbortSignal(stop, process.stdin),
        stop,
        setOutcome(text, isUnclear = false) {
          if (isUnclear) holdSignals();
          outcome = { text, isUnclear };
        },
      }),
    () => {
      if (!outcome.isUnclear) return undefined;
      process.stderr.write(`${message()}\n`);
      return exitCodes.unclear;
    },
  );
}

/** Runs a call in these surroundings. Returns the exit code. Throws the reason of the signal if no change was sent, or during a wait. */
export async function callIn(name: string, args: readonly string[], world: World): Promise<number> {
  const row = allOperations().find((each) => each.name === name);
  if (row === undefined) throw new TypeError(`no operation ${name}`);
  const call: Call = { row, world, ends: new Set(), progress: "prepared" };
  try {
    return await run(call, args);
  } catch (error) {
    const isStopped = error === world.stop.reason || (error as NodeJS.ErrnoException).code === "ABORT_ERR";
    if (world.stop.aborted && isStopped) throw world.stop.reason;
    const { code, text } = failureOf(error, row.operation, {
      problems: call.parsed?.problems ?? [],
      progress: call.progress,
    });
    const hint = code === exitCodes.usage ? `\nTry: kcloud call ${name} --help` : "";
    // Arguments and messages of the API may contain characters that a terminal interprets.
    const lines = text.split("\n").map((line) => `kcloud call: ${oneLine(line)}`);
    world.terminal.say(`${lines.join("\n")}${hint}`);
    return code;
  } finally {
    call.file?.discard();
    call.content?.remove();
    await Promise.all([...call.ends].map((end) => end()));
  }
}

/** Call that runs. */
interface Call {
  readonly row: NamedOperation;
  readonly world: World;
  /** Functions to call at the end. */
  readonly ends: Set<() => Promise<void>>;
  parsed?: CallArguments;
  file?: OutFile;
  content?: SentContent;
  progress: Progress;
}

async function run(call: Call, args: readonly string[]): Promise<number> {
  const { row, world } = call;
  const { operation } = row;
  const { terminal, stop } = world;
  const parsed = parseCall(operation, args);
  call.parsed = parsed;
  const { options } = parsed;
  const wait = options.wait ? waitOf(row) : undefined;
  const shown = wait?.shown ?? operation;
  const timeoutMs = checkOptions(row, parsed, wait, world);
  let written = await writtenParameters(operation, parsed, world);
  if (options.content !== undefined) {
    call.content = await sentContent(options.content, world.input);
    written = { ...written, content: { path: call.content.path } };
  }
  // Without a client first, so that problems of parameters are reported with incomplete settings, too.
  const { content: _, ...plain } = written;
  const { problems, warnings } = check(
    operation,
    (operation.content === undefined ? written : plain) as Values,
  );
  if (problems.length > 0 || parsed.problems.length > 0) {
    const missing = operation.content !== undefined && written.content === undefined;
    throw new InputError([...problems, ...(missing ? [{ path: ["content"], problem: contentMissing }] : [])]);
  }
  for (const { path, problem } of warnings)
    terminal.say(`kcloud call: --${optionOf(String(path[0]))}: ${inWordsOf("pulumi", problem)}`);
  const client = open(call);
  const { inputs, request, region } = await prepareCall(client, operation, written);
  const unwaitable = wait?.problem?.(inputs);
  if (unwaitable !== undefined) throw new InputError([unwaitable]);
  for (const secret of secretsIn(operation.fields, inputs)) client.learn(secret);
  checkPath(request.path ?? {}, inputs);
  if (options["dry-run"]) {
    await terminal.write(await requestText(client, operation, written));
    return exitCodes.done;
  }
  const hasSecret = showsSecret(shown, options.field);
  if (options.out !== undefined) call.file = openOut(options.out, hasSecret);
  await confirm(
    {
      name: row.name,
      operation,
      inputs,
      options,
      address: client.settings.baseUrl,
      account: client.settings.accountId,
      readName: () => readName(client, row, inputs, region, stop),
    },
    world,
  );
  if (hasSecret && options.out === undefined) {
    const answer = await terminal.ask(
      "The response contains a secret. Show it on this terminal? [y/N] ",
      stop,
    );
    if (!/^\s*y(es)?\s*$/i.test(answer)) throw new InvalidCallError("use --out FILE for the response");
  }
  written = await withPassword(client, call, written);
  const { clock } = world.ports;
  const began = clock.monotonic();
  // The limit is that of all pages together.
  const limits = () => ({
    signal: stop,
    timeoutMs: timeoutMs && Math.max(1, timeoutMs - (clock.monotonic() - began)),
  });
  const place = { ...output(call, client), field: options.field, isRead: effectOf(operation) === "reads" };
  const end =
    wait && (await prepareWait({ row, wait, client, inputs, region, timeoutMs, world, output: place }));
  call.progress = "sending";
  if (!place.isRead)
    world.setOutcome(
      `${row.name} may have been executed: read the object before you call the operation again`,
      true,
    );
  if (operation.transfer === "download")
    return writeContent(downloadFrom(client, operation, written, limits()), call);
  if (operation.transfer === "upload") {
    await uploadTo(client, operation, written, limits());
    return exitCodes.done;
  }
  const lenient = { ...operation, answer: operation.answer && anyAnswer };
  const send = (arguments_: unknown) => callOperation(client, lenient, arguments_, limits());
  if (options.all && operation.listing !== undefined) {
    const route = `${operation.endpoint.method} ${operation.endpoint.path}`;
    const rows = paged({ listing: operation.listing, written, route, send });
    return writeRows(rows, operation, output(call, client));
  }
  const answer = await send(written);
  call.progress = "executed";
  if (!place.isRead) world.setOutcome(`${row.name} was executed`);
  return end === undefined ? writeResponse(answer, operation, place) : end(answer);
}

const contentMissing = "is required: a file, or - for standard input";

const output = ({ world: { terminal }, file }: Call, { redact }: Client): Output => ({
  terminal,
  file,
  redact,
});

/** Checks options against the operation and each other. Returns the time limit. Throws `InvalidCallError`. */
function checkOptions(
  { name, operation }: NamedOperation,
  { options }: CallArguments,
  wait: Wait | undefined,
  { terminal }: World,
): number | undefined {
  const { listing, content, transfer } = operation;
  if (options.all && listing === undefined) throw new InvalidCallError(`${name} is no listing: remove --all`);
  if (options.wait && wait === undefined)
    throw new InvalidCallError(`${name} has nothing to wait for: remove --wait`);
  if (wait !== undefined && wait.shown === undefined)
    for (const option of ["field", "out"] as const)
      if (options[option] !== undefined)
        throw new InvalidCallError(`${name} with --wait prints nothing: remove --${option}`);
  if (options.content !== undefined && content === undefined)
    throw new InvalidCallError(`${name} sends no content: remove --content`);
  if (options.json === "-" && options.content === "-")
    throw new InvalidCallError("--json and --content cannot both read standard input");
  if (options.confirm !== undefined && !mayDestroy({ name, operation }))
    throw new InvalidCallError(`${name} destroys nothing: remove --confirm`);
  if (options.timeout !== undefined && !/^[1-9]\d{0,5}$/.test(options.timeout))
    throw new InvalidCallError("--timeout must be a whole number of seconds, 1 or more");
  if (options.field !== undefined && (options.all || transfer !== undefined))
    throw new InvalidCallError(`--field conflicts with ${options.all ? "--all" : "a content"}`);
  for (const option of ["json", "content", "out", "field", "confirm", "profile"] as const)
    if (options[option] === "") throw new InvalidCallError(`--${option} requires a value`);
  if (options.out === "-")
    throw new InvalidCallError(
      "--out requires a file; without it, the response is written to standard output",
    );
  if (!options["dry-run"] && options.out === undefined) {
    const shown = wait?.shown ?? operation;
    if (showsSecret(shown, options.field) && !(terminal.showsOutput && terminal.canAsk))
      throw new InvalidCallError(
        `the response contains a secret (${shown.secrets.join(", ")}): use --out FILE, whose mode will be 600`,
      );
    if (transfer === "download" && terminal.showsOutput)
      throw new InvalidCallError("the content is not written to a terminal: use --out FILE");
  }
  return options.timeout === undefined ? undefined : Number(options.timeout) * 1000;
}

/** Opens the client by the settings of the environment and the profile. */
function open({ parsed, ends, world: { ports, environment, terminal } }: Call): Client {
  const { profile, verbose } = parsed?.options ?? {};
  const settings = gatherSettings(profile === undefined ? {} : { profile }, environment);
  return openClient(
    settings,
    { ...ports, ends },
    (level, message, facts = {}) => {
      if (!verbose && level === "debug") return;
      const shown = Object.entries(facts).map(
        ([name, fact]) => `${name}=${typeof fact === "number" ? fact : inWordsOf("pulumi", fact)}`,
      );
      terminal.say(`kcloud call: ${[inWordsOf("pulumi", message), ...shown].join(" ")}`);
    },
    "call",
  );
}

/** Refuses an ID that would change the path of the request. */
function checkPath(path: Readonly<Record<string, string>>, inputs: Values): void {
  const wrong = Object.values(path).filter((value) => ["", ".", ".."].includes(value));
  const names = Object.entries(inputs).flatMap(([name, value]) =>
    typeof value === "string" && wrong.includes(value) ? [[name]] : [],
  );
  if (wrong.length === 0) return;
  const places = names.length > 0 ? names : [[]];
  throw new InputError(places.map((path) => ({ path, problem: "must not be empty, . or .." })));
}

/** Returns the parameters with a one-time password that the user types, if the operation requires one and no setting has it. */
async function withPassword(
  { settings, learn }: Client,
  { row: { operation }, world: { terminal, stop } }: Call,
  written: { readonly [name: string]: unknown },
): Promise<{ readonly [name: string]: unknown }> {
  const { oneTimePassword, otpCommand } = settings;
  const isConfigured = oneTimePassword !== undefined || otpCommand !== undefined || written.otp !== undefined;
  if (operation.endpoint.semantics !== "guarded-delete" || isConfigured || !terminal.canAsk) return written;
  const otp = await terminal.askSecret("One-time password: ", stop);
  if (otp === "") return written;
  learn(otp);
  return { ...written, otp };
}

/** Maximum time in ms of a read of the object before the question. */
const longestRead = 10_000;

/** Returns the name of the object that is destroyed, as its operation declares to read it; undefined if it is not known. */
async function readName(
  client: Client,
  { name }: NamedOperation,
  inputs: Values,
  region: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { object: reader } = destructionOf(name) ?? {};
  if (typeof reader !== "function") return undefined;
  const reads = readsOf(client, { signal, timeoutMs: longestRead });
  try {
    const found = await reader(region === "" ? inputs : { ...inputs, region }, reads);
    const title = nameIn(found);
    return title === undefined ? undefined : client.redact(title);
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}
