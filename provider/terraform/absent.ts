import { errorDiagnostics, noSuch } from "./errors.ts";
import type { Handlers } from "./method.ts";
import type { Diagnostic } from "./proto/plugin.ts";
import { nothing } from "./schema.ts";

/**
 * What this provider does not have: ephemeral resources, functions. Engines learn of none and ask for none; whoever
 * asks all the same gets a refusal of a form that no engine trips over.
 */

const refused = (kind: string, type: string): Diagnostic[] => errorDiagnostics(noSuch(kind, type), nothing);

const refuse =
  (kind: string) =>
  async ({ typeName = "" }: { typeName?: string | undefined }): Promise<{ diagnostics: Diagnostic[] }> => ({
    diagnostics: refused(kind, typeName),
  });

export const absentHandlers: Pick<
  Handlers,
  | "getFunctions"
  | "callFunction"
  | "validateEphemeralResourceConfig"
  | "openEphemeralResource"
  | "renewEphemeralResource"
  | "closeEphemeralResource"
> = {
  getFunctions: async () => ({}),
  callFunction: async ({ name = "" }) => ({ error: { text: noSuch("function", name).message } }),
  validateEphemeralResourceConfig: refuse("ephemeral resource"),
  openEphemeralResource: refuse("ephemeral resource"),
  renewEphemeralResource: refuse("ephemeral resource"),
  closeEphemeralResource: refuse("ephemeral resource"),
};
