import { resources } from "../../resources/index.ts";
import { className } from "../core/name.ts";
import { wording } from "../core/wording.ts";
import type { Session } from "../engine/engine.ts";
import { factsInWordsOf, type Log } from "../platform/log.ts";
import { realPorts } from "../platform/real-ports.ts";
import { handleEngineSignals } from "../platform/signal.ts";
import { connectEngineLog, type EngineLog } from "../pulumi/pulumi.ts";
import { createSessionCache } from "./configuration.ts";
import { createHandlers, type Handlers } from "./handler.ts";

/** Log of the engine; its address is the last argument of the host process that loads this module. */
const engineLog: EngineLog = connectEngineLog(process.argv.at(-1) ?? "");
const log: Log = (level, message, facts) => {
  void engineLog.write(
    "DEBUG",
    wording`${level}: ${message} ${JSON.stringify(factsInWordsOf("pulumi", facts))}`,
  );
};
const sessions: Session[] = [];
const parent = process.ppid;
const session = createSessionCache(realPorts, process.env, log, (opened) => {
  if (sessions.push(opened) === 1)
    handleEngineSignals((signal) => {
      // Nothing else ends the host process of an engine that was killed.
      if (signal === "SIGINT" || process.ppid !== parent) void endSessions();
    });
});

/** Ends the object sessions and exits. The engine ends the host process with SIGINT and waits a few seconds. */
async function endSessions() {
  await Promise.all(sessions.map(({ objectSession }) => objectSession.end()));
  process.exit();
}

/** Handlers by class name, such as `Volume`; the `__provider` output in a stack loads them. */
export const handlers: Readonly<Record<string, Handlers>> = Object.fromEntries(
  resources.map((resource) => [className(resource.name), createHandlers(resource, { engineLog, session })]),
);
