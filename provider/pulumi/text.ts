import { explain, InputError, type Problem } from "../core/error.ts";
import { propertyPath } from "./value.ts";

/** A problem with its place before it. */
export const reasonOf = ({ path, problem }: Problem): string =>
  path.length === 0 ? problem : `${propertyPath(path)}: ${problem}`;

/** What a user reads of an error: what failed, and below it why, what is left behind, what to do. */
export function textOf(error: unknown): string {
  const { summary, detail } = explain(error);
  const lines = error instanceof InputError ? error.problems.map(reasonOf).join("\n") : detail;
  return lines === "" ? summary : `${summary}\n${lines}`;
}

/** Where an error of ours came about, for a debug log: no message, which may hold anything. */
export const traceOf = (error: unknown): string =>
  error instanceof Error
    ? [error.name, ...(error.stack ?? "").split("\n").filter((line) => /^ +at /.test(line))].join("\n")
    : "a value that is no error was thrown";
