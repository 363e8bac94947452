import { mayHaveBeenExecuted, mayHaveChanged } from "../library/error.ts";
import { effectOf, type Operation } from "../operation/operation.ts";
import {
  CloudError,
  ConfigError,
  explain,
  InputError,
  isDefect,
  isNotFound,
  PasswordError,
} from "../provider/core/error.ts";
import { hyphenated } from "../provider/core/name.ts";
import { type Text, withForms } from "../provider/core/wording.ts";
import type { ArgumentProblem } from "./argument.ts";
import { UnconfirmedError } from "./confirm.ts";
import { exitCodes } from "./exit-code.ts";
import { InvalidCallError } from "./invalid-call.ts";
import { optionOf } from "./parameter.ts";
import { missingSecret } from "./written.ts";

/** Errors of a call as texts and exit codes. */

export interface Failure {
  readonly code: number;
  /** Lines for standard error. */
  readonly text: string;
}

/** Returns a text with parameters in place of attributes: `--volume-id`. */
const inOptions = (text: Text): string =>
  withForms(text, ({ terraform }) =>
    /^[a-z][a-z0-9_]*$/.test(terraform) ? `--${hyphenated(terraform)}` : terraform,
  );

/** Returns the problems of parameters as lines: those of the arguments in place of others of the same parameter. */
export function problemLines(
  { problems }: InputError,
  operation: Operation,
  before: readonly ArgumentProblem[] = [],
): string {
  const reported = new Set(before.map(({ option }) => option));
  const rest = problems.flatMap(({ path: [name, ...more], problem }) => {
    if (name === undefined) return [inOptions(problem)];
    if (reported.has(`--${optionOf(String(name))}`)) return [];
    const isKnown = name in operation.fields || name === "content";
    const place = [isKnown ? `--${optionOf(String(name))}` : JSON.stringify(name), ...more].join(".");
    if (name === "content" && operation.content !== undefined)
      return [
        `${place}: ${/ Blob/.test(inOptions(problem)) ? "is required: a file, or - for standard input" : inOptions(problem)}`,
      ];
    const ways = problem === "is required" ? missingSecret(operation, String(name)) : undefined;
    return [`${place}: ${inOptions(problem)}${ways === undefined ? "" : `: ${ways}`}`];
  });
  return [...before.map(({ option, problem }) => `${option}: ${problem}`), ...rest].join("\n");
}

/** Returns an error as sentences. */
export function explained(error: unknown): string {
  const { summary, detail } = explain(error);
  return detail === "" ? `${summary}.` : detail;
}

/** Progress of a call: its request was not sent, may have been sent, or was executed. */
export type Progress = "prepared" | "sending" | "executed";

/** Returns the text and the exit code of an error. */
export function failureOf(
  error: unknown,
  operation: Operation,
  {
    problems = [],
    progress,
  }: { readonly problems?: readonly ArgumentProblem[]; readonly progress: Progress },
): Failure {
  const isChange = effectOf(operation) !== "reads";
  const isSending = progress === "sending";
  if (progress === "executed") {
    const reason = error instanceof RangeError ? "It is nested too deeply." : explained(error);
    const outcome = isChange ? "The operation was executed" : "The operation has ended";
    return {
      code: isChange ? exitCodes.unclear : exitCodes.failed,
      text: `${outcome}, but its response cannot be shown: ${reason}`,
    };
  }
  if (error instanceof InvalidCallError) return { code: exitCodes.usage, text: error.message };
  if (error instanceof UnconfirmedError)
    return { code: exitCodes.unconfirmed, text: `${error.message}: nothing was sent` };
  if (error instanceof ConfigError) return { code: exitCodes.failed, text: explain(error).detail };
  if (error instanceof InputError)
    return { code: exitCodes.usage, text: problemLines(error, operation, problems) };
  const text = explained(error);
  if (error instanceof CloudError) return cloudFailure(error, operation, text, isSending);
  if (error instanceof PasswordError)
    return {
      code: exitCodes.failed,
      text: `${text} Set SERVICE_OTP or SERVICE_OTP_COMMAND.\nNothing was sent.`,
    };
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (!(isSending && isChange) && syscall !== undefined && code !== undefined)
    return { code: exitCodes.failed, text: `a file cannot be read or written (${code})` };
  if (isSending && isDefect(error) && isChange)
    return { code: exitCodes.unclear, text: `${text}\n${unclear}` };
  return { code: exitCodes.failed, text };
}

const unclear = "The request may have been executed: read the object before you call the operation again.";

function cloudFailure(error: CloudError, operation: Operation, text: string, isSending: boolean): Failure {
  // A read before the request of a change can fail, too.
  const isChanging = isSending && effectOf(operation) !== "reads";
  if (isChanging && mayHaveChanged(error, operation))
    return { code: exitCodes.unclear, text: `${text}\n${unclear}` };
  if (error.failure === "unsent") return { code: exitCodes.failed, text: `${text}\nNothing was sent.` };
  const code = isNotFound(error)
    ? exitCodes.notFound
    : mayHaveBeenExecuted(error)
      ? exitCodes.failed
      : exitCodes.refused;
  return { code, text: `${text}\nNothing was changed.` };
}
