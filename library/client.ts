import { realPorts } from "../provider/platform/real-ports.ts";
import type { Client, ClientOptions } from "./client-type.ts";
import { nameErrors, withStrings } from "./error.ts";
import { clientAt } from "./open.ts";

/** Entry `@kcloud/iac/client`: a typed client of the API with all operations, on the transport of the provider. */

export type { CredentialKind, Failure } from "../provider/core/error.ts";
export type * from "./client-type.ts";
export {
  CloudError,
  ConfigError,
  FailedError,
  InputError,
  mayHaveBeenExecuted,
  PasswordError,
  type Problem,
  SignInError,
  StopError,
} from "./error.ts";
export type * from "./method.ts";
export type * from "./operation-type.ts";
export type * from "./option.ts";

nameErrors();

/** Creates a client; sends nothing. Throws `ConfigError` for invalid or missing settings. */
export function createClient(options: ClientOptions = {}): Client {
  return withStrings(() => clientAt(options, realPorts, process.env));
}
