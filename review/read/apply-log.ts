import type { ApplyLog } from "../model/apply-log.ts";
import { isObject, type Json } from "./json.ts";
import { readPulumiLog } from "./pulumi-log.ts";
import { readTerraformLog } from "./terraform-log.ts";

/** Reads the log of an apply: of `apply -json` of Terraform and OpenTofu, or the event log of `pulumi up`. */

/** Lines of a log. */
export interface LogLines {
  readonly rows: readonly Json[];
  /** Number of the first line that is no JSON object, from 1, except for a last one, which may be cut. */
  readonly firstOther?: number;
  /** True if the last line is a part of a JSON object. */
  readonly isCut: boolean;
  /** Errors that are no JSON, which an engine or its wrapper wrote. */
  readonly errors: readonly string[];
}

/** Matches the first line of an error that an engine writes for a terminal. */
const writtenError = /^(?:[│|]\s*)?Error: (.+)/;

/** Returns the lines of a log that are JSON. A wrapper of the engine may have written others between them. */
export function logLines(text: string): LogLines {
  const rows: Json[] = [];
  const errors: string[] = [];
  let firstOther: number | undefined;
  let isCut = false;
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const row = parsed(line);
    if (isObject(row)) {
      rows.push(row);
      continue;
    }
    const [, error] = writtenError.exec(line) ?? [];
    if (error !== undefined) errors.push(error);
    // The log of an apply that was stopped may end in a part of a line.
    if (index !== last || index === 0) firstOther ??= index + 1;
    else isCut = line.trimStart().startsWith("{");
  }
  return { rows, isCut, errors, ...(firstOther === undefined ? {} : { firstOther }) };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Returns the log that the lines are; undefined if no line is of an engine. */
export function applyLogIn({ rows, isCut, errors }: LogLines): ApplyLog | undefined {
  const log = logOf(rows);
  if (log === undefined) return undefined;
  return {
    ...log,
    errors: [...log.errors, ...errors.map((text) => ({ text }))],
    end: errors.length > 0 ? "failed" : log.end,
    problems: [...log.problems, ...(isCut ? ["ends in the middle of a line"] : [])],
  };
}

function logOf(rows: readonly Json[]): ApplyLog | undefined {
  const events = rows.filter((row) => Object.keys(row).some((name) => name.endsWith("Event")));
  if (events.length > 0) return readPulumiLog(events);
  const messages = rows.filter((row) => typeof row.type === "string" && "@level" in row);
  return messages.length > 0 ? readTerraformLog(messages) : undefined;
}
