import { resources } from "../../resources/index.ts";
import { pascalCase } from "../names.ts";
import { realPorts } from "../ports.ts";
import { connectHost, type Host } from "../pulumi/host.ts";
import { createSessions } from "./configuration.ts";
import { createHandlers, type Handlers } from "./server.ts";

/** The engine's address is the last argument of the process that loads this; words for the user go there. */
const host: Host = connectHost(process.argv.at(-1) ?? "");
const session = createSessions(realPorts, process.env, (level, message, facts = {}) => {
  void host.log("DEBUG", `${level}: ${message} ${JSON.stringify(facts)}`);
});

/** `Volume` and so on: what a stack's `__provider` loads. */
export const handlers: Readonly<Record<string, Handlers>> = Object.fromEntries(
  resources.map((resource) => [pascalCase(resource.name), createHandlers(resource, { host, session })]),
);
