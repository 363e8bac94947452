import * as z from "zod/mini";
import { rowsIn } from "../library/page.ts";
import type { Operation } from "../operation/operation.ts";
import { CloudError } from "../provider/core/error.ts";
import { exitCodes } from "./exit-code.ts";
import type { OutFile } from "./out-file.ts";
import { showsSecret, withoutSecrets } from "./secret-response.ts";
import { tableText } from "./table.ts";
import type { Terminal } from "./terminal.ts";
import { fieldIn, jsonText, oneLine } from "./text.ts";

/** Output of a call: its response, the rows of a listing, or a content. */

/** Place of the output. */
export interface Output {
  readonly terminal: Terminal;
  /** File of `--out`; undefined for standard output. */
  readonly file: OutFile | undefined;
  /** Removes secrets of the settings and of the parameters from a text. */
  redact(text: string): string;
}

/** Schema of every response: one of another form than that of the table is shown, with a warning. An empty one has no result to show. */
export const anyAnswer = z
  .unknown()
  .check(z.refine((answer) => answer !== undefined && answer !== null, { error: "is empty" }));

/** Output of one response. */
export interface ResponseOutput extends Output {
  /** Path of the only field to write; undefined for the whole response. */
  readonly field: string | undefined;
  /** True if the call changed nothing: it can be repeated for the sake of its response. */
  readonly isRead: boolean;
}

/** Writes a response to an operation. Returns the exit code. */
export async function writeResponse(
  answer: unknown,
  operation: Operation,
  output: ResponseOutput,
): Promise<number> {
  const { terminal, file, field } = output;
  warnOfForm(answer, operation, terminal);
  // A secret that is shown is what the user asked for, with --out or on a terminal.
  const isAsked = showsSecret(operation, field);
  const isWhole = isAsked || (file !== undefined && field === undefined);
  const masked = new Set<string>();
  const response = isWhole ? answer : withoutSecrets(answer, operation, masked);
  const shown = isAsked ? (text: string) => text : output.redact;
  const rest = () => jsonText(withoutSecrets(answer, operation), output.redact);
  const part = field === undefined ? response : (fieldIn(response, field) ?? undefined);
  if (part === undefined && field !== undefined) {
    terminal.say(`kcloud call: the response has no field ${oneLine(field)}`);
    if (output.isRead) return exitCodes.failed;
    terminal.say(rest());
    return exitCodes.unclear;
  }
  if (field === undefined) sayMasked(masked, terminal);
  const isEmpty = answer === undefined && operation.answer === undefined;
  const isOnTerminal = file === undefined && terminal.showsOutput;
  const written = () => {
    if (field !== undefined && typeof part === "string")
      return isOnTerminal ? oneLine(shown(part)) : shown(part);
    return jsonText(part, shown);
  };
  const table =
    isOnTerminal && operation.listing !== undefined && field === undefined
      ? tableText(rowsOf(response, operation), terminal.columns, output.redact)
      : undefined;
  return deliver(table ?? (isEmpty ? "" : `${written()}\n`), output, rest);
}

/** Says which fields are masked in what follows. */
function sayMasked(masked: ReadonlySet<string>, terminal: Terminal): void {
  if (masked.size === 0) return;
  const names = [...masked].map(oneLine).join(", ");
  terminal.say(`kcloud call: secrets are masked (${names}): --out FILE writes them`);
}

/** Returns the rows of a listing; none for a response of another form. */
function rowsOf(answer: unknown, { endpoint, listing }: Operation): readonly unknown[] {
  if (listing === undefined) return [];
  try {
    return rowsIn(answer, { listing, route: `${endpoint.method} ${endpoint.path}` });
  } catch (error) {
    if (error instanceof CloudError) return [];
    throw error;
  }
}

/** Warns of a response of another form than that of the table of operations. */
function warnOfForm(answer: unknown, { answer: schema }: Operation, terminal: Terminal): void {
  const parsed = schema?.safeParse(answer);
  if (parsed?.success !== false) return;
  const place = parsed.error.issues[0]?.path.join(".") ?? "";
  const where = place === "" ? "" : `, at ${oneLine(place)}`;
  terminal.say(`kcloud call: the response has another form than the table of operations says${where}`);
}

/**
 * Writes a response to the file of `--out` or to standard output. One that cannot be written does not hide that a change was executed: then
 * `rest`, the response without its secrets, is written to standard error.
 */
async function deliver(
  text: string,
  { file, terminal, isRead }: ResponseOutput,
  rest: () => string,
): Promise<number> {
  const problem = await problemOf(async () => {
    if (file === undefined) return terminal.write(text);
    file.write(text);
    file.complete();
    return true;
  });
  if (problem === undefined || (isRead && problem === closed)) return exitCodes.done;
  terminal.say(`kcloud call: the operation was executed, but its response cannot be written (${problem})`);
  if (isRead) return exitCodes.failed;
  terminal.say(rest());
  return exitCodes.unclear;
}

/** Problem of standard output whose reader has closed it. */
const closed = "EPIPE";

/** Returns the code of the error of a write; undefined if there is none. */
async function problemOf(write: () => Promise<boolean>): Promise<string | undefined> {
  try {
    return (await write()) ? undefined : closed;
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined || code === undefined) throw error;
    return code;
  }
}

/** Writes the rows of a listing as JSON lines, or as a table on a terminal. */
export async function writeRows(
  rows: AsyncIterable<unknown>,
  operation: Operation,
  { terminal, file, redact }: Output,
): Promise<number> {
  const masked = new Set<string>();
  const shown = (row: unknown) => (file === undefined ? withoutSecrets(row, operation, masked) : row);
  const lineOf = (row: unknown) => `${jsonText(row, redact, true)}\n`;
  if (file === undefined && terminal.showsOutput) {
    const all: unknown[] = [];
    for await (const row of rows) all.push(shown(row));
    await terminal.write(tableText(all, terminal.columns, redact) ?? all.map(lineOf).join(""));
  } else
    for await (const row of rows) {
      const line = lineOf(shown(row));
      if (file !== undefined) file.write(line);
      else if (!(await terminal.write(line))) break;
    }
  file?.complete();
  sayMasked(masked, terminal);
  return exitCodes.done;
}

/** Writes a content. */
export async function writeContent(
  parts: AsyncIterable<Uint8Array>,
  { world: { terminal }, file }: { readonly world: Pick<Output, "terminal">; readonly file?: OutFile },
): Promise<number> {
  for await (const part of parts) {
    if (file !== undefined) file.write(part);
    else if (!(await terminal.write(part))) break;
  }
  file?.complete();
  return exitCodes.done;
}
