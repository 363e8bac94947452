import { writeSync } from "node:fs";
import { provider } from "../core/name.ts";
import type { Level, Log } from "../platform/log.ts";
import type { Clock } from "../platform/ports.ts";

/**
 * Log lines as engines take them apart: one JSON object a line on standard error. Written at once, so that a
 * process that ends has said everything; not even formatted when nobody listens.
 */

const levels: readonly (Level | "off")[] = ["debug", "info", "warn", "error", "off"];
const maxLine = 60_000;

/** The least level that is written: of this provider, of all providers, of the engine. Default: errors. */
export function logLevel(environment: NodeJS.ProcessEnv): Level | "off" {
  const { TF_LOG, TF_LOG_PROVIDER } = environment;
  const asked =
    environment[`TF_LOG_PROVIDER_${provider.toUpperCase()}`] || TF_LOG_PROVIDER || TF_LOG || "error";
  const level = asked.toLowerCase();
  // The engines' own words below and beside ours: trace, json (which is trace), anything unknown is trace too.
  return levels.find((known) => known === level) ?? "debug";
}

/** Engines take a time only with six digits of a second. */
const timestamp = (milliseconds: number): string => new Date(milliseconds).toISOString().replace("Z", "000Z");

/** A log on standard error. `write` gets whole lines. */
export function createLog(
  level: Level | "off",
  clock: Clock,
  write: (line: string) => void = writeError,
): Log {
  const least = levels.indexOf(level);
  return (at, message, facts) => {
    if (levels.indexOf(at) < least) return;
    const line = JSON.stringify({
      ...facts,
      "@level": at,
      "@message": message,
      "@module": provider,
      "@timestamp": timestamp(clock.wall()),
    });
    // A line longer than 64 KiB is cut by the engine and no longer an object.
    write(
      line.length <= maxLine
        ? `${line}\n`
        : `${JSON.stringify({ "@level": at, "@message": message.slice(0, maxLine / 4), "@module": provider, "@timestamp": timestamp(clock.wall()) })}\n`,
    );
  };
}

/** A log that cannot be written, because its reader has gone or does not keep up, must not end the work. */
function writeError(line: string): void {
  try {
    writeSync(2, line);
  } catch {}
}
