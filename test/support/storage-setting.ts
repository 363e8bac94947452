import { otpCommand } from "../../emulator/auth/one-time-password.ts";
import { account } from "../../emulator/state/id.ts";

/** The provider's settings for object storage, by their environment variables, at an emulator. */
export const storageSettings = (url: string) => ({
  SERVICE_ACCOUNT_ID: account,
  SERVICE_OTP_COMMAND: otpCommand(url),
  SERVICE_ACCESS_KEY: "emulator-access-key",
  SERVICE_SECRET_KEY: "emulator-secret-key",
});
