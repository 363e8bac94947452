import { Refusal } from "./wire.ts";

/** The key that the emulator takes unless told otherwise: nobody can mistake it for a real one. */
export const defaultApiKey = "emulator-key";

/** Takes `Authorization: Bearer <api key>` (contract 1.2); anything else is a 401. */
export function authorize(headers: Readonly<Record<string, string>>, apiKey: string): void {
  const { authorization } = headers;
  if (authorization === undefined) throw new Refusal(401, "missing bearer token");
  const credential = /^bearer (\S.*)$/i.exec(authorization)?.[1];
  if (credential !== apiKey) {
    throw new Refusal(401, "invalid API key; the emulator takes only its own");
  }
}
