import { errorDiagnostics, noSuch } from "./errors.ts";
import type { Handlers } from "./method.ts";
import type { Diagnostic } from "./proto/plugin.ts";
import { nothing } from "./schema.ts";

/**
 * What this provider does not have: identities, ephemeral resources, list resources, actions, functions. Engines
 * learn of none and ask for none; whoever asks all the same gets a refusal of a form that no engine trips over.
 */

const refused = (kind: string, type: string): Diagnostic[] => errorDiagnostics(noSuch(kind, type), nothing);

const refuse =
  (kind: string) =>
  async ({ typeName = "" }: { typeName?: string | undefined }): Promise<{ diagnostics: Diagnostic[] }> => ({
    diagnostics: refused(kind, typeName),
  });

export const absentHandlers: Pick<
  Handlers,
  | "getResourceIdentitySchemas"
  | "upgradeResourceIdentity"
  | "getFunctions"
  | "callFunction"
  | "validateEphemeralResourceConfig"
  | "openEphemeralResource"
  | "renewEphemeralResource"
  | "closeEphemeralResource"
  | "validateListResourceConfig"
  | "listResource"
  | "validateActionConfig"
  | "planAction"
  | "invokeAction"
> = {
  // An error here would stop every command of Terraform.
  getResourceIdentitySchemas: async () => ({}),
  upgradeResourceIdentity: refuse("identity"),
  getFunctions: async () => ({}),
  callFunction: async ({ name = "" }) => ({ error: { text: noSuch("function", name).message } }),
  validateEphemeralResourceConfig: refuse("ephemeral resource"),
  openEphemeralResource: refuse("ephemeral resource"),
  renewEphemeralResource: refuse("ephemeral resource"),
  closeEphemeralResource: refuse("ephemeral resource"),
  validateListResourceConfig: refuse("list resource"),
  async *listResource({ typeName = "" }) {
    yield { diagnostics: refused("list resource", typeName) };
  },
  validateActionConfig: refuse("action"),
  planAction: async ({ actionType = "" }) => ({ diagnostics: refused("action", actionType) }),
  // A stream that ends without this event counts as a success, an event without a type ends Terraform.
  async *invokeAction({ actionType = "" }) {
    yield { completed: { diagnostics: refused("action", actionType) } };
  },
};
