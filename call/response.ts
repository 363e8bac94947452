import * as z from "zod/mini";
import { rowsIn } from "../library/page.ts";
import type { Operation } from "../operation/operation.ts";
import { CloudError } from "../provider/core/error.ts";
import { exitCodes } from "./exit-code.ts";
import type { OutFile } from "./out-file.ts";
import { showsSecret, withoutFields } from "./secret-response.ts";
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
  /** Path of the only field to write: one without a secret has none beside it. */
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
  const { secrets } = operation;
  warnOfForm(answer, operation, terminal);
  const isWhole = field === undefined || showsSecret(operation, field);
  const response = isWhole ? answer : withoutFields(answer, secrets);
  // A secret of the response is what the user asked for.
  const shown = isWhole && secrets.length > 0 ? (text: string) => text : output.redact;
  const part = field === undefined ? response : (fieldIn(response, field) ?? undefined);
  if (part === undefined && field !== undefined) {
    terminal.say(`kcloud call: the response has no field ${field}`);
    if (output.isRead) return exitCodes.failed;
    terminal.say(jsonText(withoutFields(answer, secrets), output.redact));
    return exitCodes.unclear;
  }
  const isText = field !== undefined && typeof part === "string";
  const isEmpty = answer === undefined && operation.answer === undefined;
  const text = isEmpty ? "" : `${isText ? oneLine(shown(part)) : jsonText(part, shown)}\n`;
  if (file !== undefined) return store(text, output, withoutFields(answer, secrets));
  const table =
    terminal.showsOutput && operation.listing !== undefined && field === undefined
      ? tableText(rowsOf(answer, operation), terminal.columns, output.redact)
      : undefined;
  await terminal.write(table ?? text);
  return exitCodes.done;
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

/** Writes the file of `--out`. A file that cannot be written does not hide that a change was executed, and its response. */
function store(text: string, { file, terminal, redact, isRead }: ResponseOutput, rest: unknown): number {
  try {
    file?.write(text);
    file?.complete();
    return exitCodes.done;
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    terminal.say(`kcloud call: the operation was executed, but its response cannot be written (${code})`);
    if (isRead) return exitCodes.failed;
    terminal.say(jsonText(rest, redact));
    return exitCodes.unclear;
  }
}

/** Writes the rows of a listing as JSON lines, or as a table on a terminal. */
export async function writeRows(
  rows: AsyncIterable<unknown>,
  { terminal, file, redact }: Output,
): Promise<number> {
  if (file === undefined && terminal.showsOutput) {
    const all: unknown[] = [];
    for await (const row of rows) all.push(row);
    const lines = all.map((row) => `${jsonText(row, redact, true)}\n`).join("");
    await terminal.write(tableText(all, terminal.columns, redact) ?? lines);
    return exitCodes.done;
  }
  for await (const row of rows) {
    const line = `${jsonText(row, redact, true)}\n`;
    if (file !== undefined) file.write(line);
    else if (!(await terminal.write(line))) break;
  }
  file?.complete();
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
