import { realPorts } from "../provider/platform/real-ports.ts";
import type { Client, ClientOptions } from "./client-type.ts";
import { clientAt } from "./open.ts";

/** Entry `@kcloud/iac/client`: a typed client of the API with all operations, on the transport of the provider. */

export {
  CloudError,
  ConfigError,
  FailedError,
  type Failure,
  InputError,
  PasswordError,
  SignInError,
  StopError,
} from "../provider/core/error.ts";
export type * from "./client-type.ts";
export { mayHaveBeenExecuted } from "./error.ts";
export type * from "./method.ts";
export type * from "./operation-type.ts";
export type * from "./option.ts";

/** Creates a client; sends nothing. Throws `ConfigError` for invalid or missing settings. */
export function createClient(options: ClientOptions = {}): Client {
  return clientAt(options, realPorts, process.env);
}
