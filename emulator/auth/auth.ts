import { Refusal } from "../http/wire.ts";
import type { Cloud } from "../model/cloud.ts";
import { isIssuedApiKey } from "./api-key.ts";
import { tokenAge } from "./token.ts";

/** Default API key of the emulator; clearly not a real one. */
export const defaultApiKey = "emulator-key";

/** Returns the credential after `Bearer` in an authorization header. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^bearer (\S.*)$/i.exec(authorization ?? "")?.[1];
}

/** Accepts `Authorization: Bearer <api key or access token>` (docs/contract.md#1.2); anything else gets 401. */
export function authorize(cloud: Cloud, authorization: string | undefined, apiKey: string): void {
  if (authorization === undefined) throw new Refusal(401, "missing bearer token");
  const credential = bearerOf(authorization) ?? "";
  if (credential === apiKey || isIssuedApiKey(cloud, credential)) return;
  const age = tokenAge(cloud.store, credential, cloud.now);
  if (age === undefined) throw new Refusal(401, "invalid API key; the emulator accepts only its own");
  if (age >= cloud.settings.tokenMs) throw new Refusal(401, "the access token has expired");
}

/** Checks and consumes the one-time password of a delete (docs/contract.md#9.1), before any other check. */
export function requireOneTimePassword(cloud: Cloud, otp: string | undefined): void {
  const { passwords, settings, now } = cloud;
  if (otp === undefined && !cloud.decide("otpRequired")) return;
  if (otp === undefined) throw new Refusal(400, "otp: required");
  const problem = passwords.spend(otp, now, settings.otpMs);
  if (problem !== undefined) throw new Refusal(settings.assume.wrongOtp, `otp: it ${problem}`);
}
