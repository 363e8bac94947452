import { resources } from "../../resources/index.ts";
import { className } from "../core/name.ts";
import type { Session } from "../engine/engine.ts";
import type { Log } from "../platform/log.ts";
import { realPorts } from "../platform/real-ports.ts";
import { connectHost, type Host } from "../pulumi/host.ts";
import { createSessions } from "./configuration.ts";
import { createHandlers, type Handlers } from "./handler.ts";

/** The engine's address is the last argument of the process that loads this; words for the user go there. */
const host: Host = connectHost(process.argv.at(-1) ?? "");
const log: Log = (level, message, facts = {}) => {
  void host.log("DEBUG", `${level}: ${message} ${JSON.stringify(facts)}`);
};
const sessions: Session[] = [];
const session = createSessions(realPorts, process.env, log, (opened) => {
  if (sessions.push(opened) === 1) process.once("SIGINT", () => void leave());
});

/** The engine asks for the end of this process by a signal, and waits a few seconds. */
async function leave() {
  await Promise.all(sessions.map(({ objects }) => objects.end()));
  process.exit();
}

/** `Volume` and so on: what a stack's `__provider` loads. */
export const handlers: Readonly<Record<string, Handlers>> = Object.fromEntries(
  resources.map((resource) => [className(resource.name), createHandlers(resource, { host, session })]),
);
