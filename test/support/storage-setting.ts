import { otpCommand } from "../../emulator/access.ts";
import { account } from "../../emulator/state/id.ts";

/** Returns the provider settings for object storage and inference with an emulator, by their environment variables. */
export const storageSettings = (url: string) => ({
  SERVICE_USER: "ana",
  SERVICE_ACCOUNT_ID: account,
  SERVICE_OTP_COMMAND: otpCommand(url),
  SERVICE_ACCESS_KEY: "emulator-access-key",
  SERVICE_SECRET_KEY: "emulator-secret-key",
});
