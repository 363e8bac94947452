import { writeSync } from "node:fs";
import { provider } from "../core/name.ts";
import { inWordsOf } from "../core/wording.ts";
import { factsInWordsOf, type Level, type Log } from "../platform/log.ts";
import type { Clock } from "../platform/ports.ts";

/**
 * Log in the format that engines parse: one JSON object per line on standard error. Lines are written synchronously, so
 * that no line is lost at exit. Lines below the log level are not formatted.
 */

const levels: readonly (Level | "off")[] = ["debug", "info", "warn", "error", "off"];
const maxLine = 60_000;

/** Returns the minimum level: that of this provider, of all providers, or of the engine. Default: errors. */
export function logLevel(environment: NodeJS.ProcessEnv): Level | "off" {
  const { TF_LOG, TF_LOG_PROVIDER } = environment;
  const configured =
    environment[`TF_LOG_PROVIDER_${provider.toUpperCase()}`] || TF_LOG_PROVIDER || TF_LOG || "error";
  const level = configured.toLowerCase();
  // Engines also accept trace and json, which means trace, and treat unknown values as trace.
  return levels.find((known) => known === level) ?? "debug";
}

/** Formats a time with six fractional digits, the only format that engines parse. */
const timestamp = (milliseconds: number): string => new Date(milliseconds).toISOString().replace("Z", "000Z");

/** Creates a log. `write` receives whole lines. */
export function createLog(
  level: Level | "off",
  clock: Clock,
  write: (line: string) => void = writeError,
): Log {
  const minimum = levels.indexOf(level);
  const drops = (severity: Level) => levels.indexOf(severity) < minimum;
  const log: Log = (severity, message, facts) => {
    if (drops(severity)) return;
    const text = inWordsOf("terraform", message);
    const line = JSON.stringify({
      ...factsInWordsOf("terraform", facts),
      "@level": severity,
      "@message": text,
      "@module": provider,
      "@timestamp": timestamp(clock.wall()),
    });
    // Engines truncate lines at 64 KiB, which makes the JSON invalid.
    write(
      line.length <= maxLine
        ? `${line}\n`
        : `${JSON.stringify({ "@level": severity, "@message": text.slice(0, maxLine / 4), "@module": provider, "@timestamp": timestamp(clock.wall()) })}\n`,
    );
  };
  return Object.assign(log, { drops });
}

/** Writes to standard error. Ignores errors: a closed or blocked reader must not stop the provider. */
function writeError(line: string): void {
  try {
    writeSync(2, line);
  } catch {}
}
