/** Entry `definitions` of the package: the definitions, and the engine that runs them. */
export { buildId } from "./functions/build-id.ts";
export { actions, ephemerals, functions, lookups } from "./functions/index.ts";
export { type IdParts, parseId } from "./functions/parse-id.ts";
export { subnets } from "./functions/subnets.ts";
export { userData } from "./functions/user-data.ts";
export {
  CloudError,
  ConfigError,
  explain,
  InputError,
  OperationError,
  StopError,
} from "./provider/core/error.ts";
export type { ResourceState } from "./provider/core/state.ts";
export { UNKNOWN, type Value, type Values } from "./provider/core/value.ts";
export type { Action, Ephemeral, Lookup, PureFunction } from "./provider/definition/function.ts";
export type { Resource } from "./provider/definition/resource.ts";
export { type Engine, engine } from "./provider/engine/engine.ts";
export type { Plan } from "./provider/engine/plan.ts";
export { openSession, type Session } from "./provider/engine/session.ts";
export type { Clock, Ports, Random, Transport } from "./provider/platform/ports.ts";
export { realPorts } from "./provider/platform/real-ports.ts";
export { resources } from "./resources/index.ts";
