import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { Socket } from "node:net";
import { addAbortSignal } from "node:stream";
import { shellArgument } from "../account/export/shell.ts";
import type { Operation } from "../operation/operation.ts";
import { type CallArguments, waysOf } from "./argument.ts";
import { InvalidCallError } from "./invalid-call.ts";
import { JsonProblem, parseJson } from "./json.ts";
import { type Parameter, parametersIn, variableOption } from "./parameter.ts";
import type { World } from "./world.ts";

/** Parameters of a call from the arguments, a JSON document, the environment, and questions. */

/** Maximum size of a JSON document in bytes. */
const mostBytes = 16 * 1024 * 1024;

type Written = { readonly [name: string]: unknown };

/** Returns the parameters that a user wrote. Throws `InvalidCallError` for one in two places, and for a secret in a file that others can read. */
export async function writtenParameters(
  operation: Operation,
  { options, parameters, variables }: CallArguments,
  { input, environment, terminal, stop }: Pick<World, "input" | "environment" | "terminal" | "stop">,
): Promise<Written> {
  const known = parametersIn(operation);
  const document = options.json === undefined ? {} : await documentOf(options.json, input, { known, stop });
  if (operation.content !== undefined && Object.hasOwn(document, "content"))
    throw new InvalidCallError("the content is not part of the JSON document: use --content FILE");
  const stored = Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => [
      name,
      variableValue(known, name, variable, environment),
    ]),
  );
  const places = [parameters, document, stored];
  const twice = known.filter(({ name }) => places.filter((place) => Object.hasOwn(place, name)).length > 1);
  if (twice.length > 0)
    throw new InvalidCallError(
      twice.map(({ name }) => `${name} is set in two places: remove one`).join("\n"),
    );
  const written: Record<string, unknown> = Object.fromEntries(
    places.flatMap((place) => Object.entries(place)),
  );
  for (const parameter of known) {
    if (!parameter.isSecret || !parameter.isRequired || written[parameter.name] !== undefined) continue;
    if (!terminal.canAsk) continue;
    const typed = await terminal.askSecret(`${parameter.name}: `, stop);
    if (typed !== "") written[parameter.name] = typed;
  }
  return written;
}

/** Returns the ways to pass a required secret, for its problem; undefined for any other parameter. */
export function missingSecret(operation: Operation, name: string): string | undefined {
  const parameter = parametersIn(operation).find((one) => one.name === name);
  return parameter?.isSecret ? waysOf(parameter) : undefined;
}

/** Returns the value of a secret parameter in an environment variable. */
function variableValue(
  known: readonly Parameter[],
  name: string,
  variable: string,
  environment: NodeJS.ProcessEnv,
): unknown {
  const parameter = known.find((one) => one.name === name);
  const option = parameter === undefined ? name : `--${variableOption(parameter)}`;
  if (!/^[A-Za-z_]\w*$/.test(variable))
    throw new InvalidCallError(
      `${option} requires the name of an environment variable, not the value itself`,
    );
  const value = environment[variable];
  if (value === undefined || value === "")
    throw new InvalidCallError(`the environment variable that ${option} names is not set`);
  return parameter?.schema.type === "object" ? parsed(value, `the variable of ${option}`) : value;
}

function parsed(text: string, place: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonProblem) throw new InvalidCallError(`${place} ${error.message}`);
    throw error;
  }
}

/** Returns the object of a JSON document. */
async function documentOf(
  path: string,
  input: World["input"],
  { known, stop }: { readonly known: readonly Parameter[]; readonly stop: AbortSignal },
): Promise<Written> {
  const { text, isShared } = path === "-" ? await fromInput(input()) : await fromFile(path, stop);
  const place = path === "-" ? "standard input" : path;
  const value = parsed(text, place);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new InvalidCallError(`${place} must be a JSON object with parameters`);
  const secret = known.find(({ name, isSecret }) => isSecret && Object.hasOwn(value, name));
  if (secret !== undefined && isShared)
    throw new InvalidCallError(
      `${path} contains the secret ${secret.name}, and other users can read it: chmod 600 ${shellArgument(path)}`,
    );
  return value as Written;
}

interface Document {
  readonly text: string;
  /** True if other users can read it. */
  readonly isShared: boolean;
}

async function fromInput(input: AsyncIterable<Uint8Array>, place = "standard input"): Promise<Document> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of input) {
    size += part.length;
    if (size > mostBytes) throw new InvalidCallError(`${place} is larger than 16 MiB`);
    parts.push(part);
  }
  return { text: Buffer.concat(parts).toString("utf8"), isShared: false };
}

async function fromFile(path: string, stop: AbortSignal): Promise<Document> {
  let file: number | undefined;
  try {
    // The open of a pipe without a writer would block this process, also for signals.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const status = fstatSync(file);
    if (status.isFIFO()) {
      const pipe = addAbortSignal(stop, new Socket({ fd: file, readable: true, writable: false }));
      file = undefined;
      return await fromInput(pipe, path);
    }
    if (status.size > mostBytes) throw new InvalidCallError(`${path} is larger than 16 MiB`);
    const isShared = process.platform !== "win32" && (status.mode & 0o077) !== 0;
    return { text: readFileSync(file, "utf8"), isShared };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || stop.aborted || error instanceof InvalidCallError) throw error;
    throw new InvalidCallError(
      `${path} ${code === "ENOENT" ? "does not exist" : `cannot be read (${code})`}`,
    );
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
