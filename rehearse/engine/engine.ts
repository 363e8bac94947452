import { type LogMessage, stepsOf } from "../../review/model/apply-log.ts";
import type { Plan } from "../../review/model/plan.ts";
import type { RehearsedStep, Rehearsal as Report } from "../../review/model/rehearsal.ts";
import { applyLogIn, logLines } from "../../review/read/apply-log.ts";
import type { Copy } from "../folder/copy.ts";
import type { Root } from "../isolation/root.ts";
import type { Ended } from "./process.ts";

/** Failure of the engine before it changes anything; the message is for the user. */
export class RehearsalError extends Error {}

/** What every engine needs in the copy of a folder. */
export interface EngineOptions {
  /** Path of the engine. */
  readonly program: string;
  readonly copy: Copy;
  readonly environment: NodeJS.ProcessEnv;
  /** Time limit of each command in ms. */
  readonly limit: number;
  readonly stop: AbortSignal;
  /** Files and processes that the engine sees; undefined for all of this machine. */
  readonly root: Root | undefined;
}

/** An engine in the copy of a folder, which is initialized. */
export interface Engine extends Readonly<Report["engine"]> {
  /** Makes a plan. Throws `RehearsalError` if the engine cannot. */
  plan(name: string): Promise<Plan>;
  /** Makes a plan, and returns it as the JSON that the engine prints. Throws `RehearsalError` if the engine cannot. */
  planText(name: string): Promise<string>;
  /** Checks the configuration. Undefined for an engine that does so in a plan only. */
  validate?(): Promise<Validity>;
  /** Applies a plan of that name. Throws `RehearsalError` if the engine reports no step and no error. */
  apply(name: string): Promise<Applied>;
  /** Returns the path of the present state of the copy, in a form that `readState` reads. */
  state(): Promise<string>;
  /** Replaces the state of the copy by the one with which it began. */
  reset(): Promise<void>;
}

/** Result of a check of a configuration. */
export interface Validity {
  readonly isValid: boolean;
  readonly messages: readonly {
    readonly severity: "error" | "warning";
    readonly text: string;
    /** File with the number of its line, if the message is about one. */
    readonly place?: string;
  }[];
}

export interface Applied {
  readonly isComplete: boolean;
  /** Steps in the order in which they ended. */
  readonly steps: readonly RehearsedStep[];
  readonly errors: readonly LogMessage[];
}

/** Returns the errors of an apply, with the reason why it ended if the engine reported none. */
export function applyErrors(
  { isLate, code, signal }: Ended,
  reported: readonly LogMessage[],
): readonly LogMessage[] {
  if (isLate) return [{ text: "The apply did not end within the time limit, and was stopped." }, ...reported];
  if (code === 0 || reported.length > 0) return reported;
  const reason =
    signal === undefined ? `ended with exit code ${code} without an error text` : `was ended by ${signal}`;
  return [{ text: `The engine ${reason}.` }];
}

/** Maximum number of lines of an engine's output in an error. */
const mostLines = 40;

/** Lines of a configuration that an engine quotes in an error, which may have credentials. */
const quotedLine = /^\s*\d+:\s/;

/** Returns the text of a command that failed. */
export function failureText(command: string, { isLate, code, signal }: Ended, output: string): string {
  const lines = output
    .trim()
    .split("\n")
    .filter((line) => !quotedLine.test(line.replace(/^[│|]/, "")));
  const more = lines.length - mostLines;
  const shown = [...lines.slice(0, mostLines), ...(more > 0 ? [`… and ${more} more lines`] : [])].join("\n");
  const end = signal === undefined ? `failed with exit code ${code}` : `was ended by ${signal}`;
  return `${command} ${isLate ? "did not end in time; its output so far" : end}:\n${shown}`;
}

/** Returns what an engine did, by its log. A step without an end has failed. Throws `RehearsalError` if there is no log. */
export function appliedIn(ended: Ended, text: string, failure: () => string): Applied {
  const log = applyLogIn(logLines(text));
  if (log === undefined) throw new RehearsalError(failure());
  return {
    isComplete: ended.code === 0,
    steps: stepsOf(log.events).map(({ address, action, result, id, start, end }) => ({
      ...{ address, action, result: result === "done" ? result : "failed" },
      ...(id && result !== "open" && { id }),
      ...{ start, end },
    })),
    errors: applyErrors(ended, log.errors),
  };
}
