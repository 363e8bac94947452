/** The package's entry for programs: the definitions, and the engine that drives them. */
export { buildId } from "./functions/build-id.ts";
export { actions, ephemerals, functions, lookups } from "./functions/index.ts";
export { type IdParts, parseId } from "./functions/parse-id.ts";
export { subnets } from "./functions/subnets.ts";
export { userData } from "./functions/user-data.ts";
export type { Resource } from "./provider/define.ts";
export type { Action, Ephemeral, Lookup, PureFunction } from "./provider/define-function.ts";
export { type Engine, engine } from "./provider/engine.ts";
export {
  CloudError,
  ConfigError,
  explain,
  type Held,
  InputError,
  OperationError,
  StopError,
} from "./provider/errors.ts";
export type { Plan } from "./provider/plan.ts";
export { type Clock, type Ports, type Random, realPorts, type Transport } from "./provider/ports.ts";
export { openSession, type Session } from "./provider/session.ts";
export { UNKNOWN, type Value, type Values } from "./provider/value.ts";
export { resources } from "./resources/index.ts";
