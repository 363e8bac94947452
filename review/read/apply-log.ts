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
}

/** Returns the lines of a log that are JSON. A wrapper of the engine may have written others between them. */
export function logLines(text: string): LogLines {
  const rows: Json[] = [];
  let firstOther: number | undefined;
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const row = parsed(line);
    if (isObject(row)) rows.push(row);
    // The log of an apply that was stopped may end in a part of a line.
    else if (index !== last || index === 0) firstOther ??= index + 1;
  }
  return firstOther === undefined ? { rows } : { rows, firstOther };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Returns the log that the lines are; undefined if no line is of an engine. */
export function applyLogIn({ rows }: LogLines): ApplyLog | undefined {
  const events = rows.filter((row) => Object.keys(row).some((name) => name.endsWith("Event")));
  if (events.length > 0) return readPulumiLog(events);
  const messages = rows.filter((row) => typeof row.type === "string" && "@level" in row);
  return messages.length > 0 ? readTerraformLog(messages) : undefined;
}
