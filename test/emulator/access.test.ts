import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { accessTo } from "../../emulator/access.ts";
import { createEmulator } from "../../emulator/emulator.ts";

test("the variables have a key or a sign-in, and a command that prints a one-time password", async () => {
  const emulator = createEmulator({ account: "12" });
  const { url, close } = await emulator.listen();
  try {
    const { SERVICE_OTP_COMMAND: command = "", ...access } = accessTo(url, emulator.settings(), {
      region: "r",
    });
    expect(access).toEqual({
      ...{
        SERVICE_BASE_URL: url,
        SERVICE_API_KEY: "emulator-key",
        SERVICE_REGION: "r",
        SERVICE_ACCOUNT_ID: "12",
      },
      ...{ SERVICE_ACCESS_KEY: "emulator-access-key", SERVICE_SECRET_KEY: "emulator-secret-key" },
    });
    const { stdout } = await promisify(execFile)("sh", ["-c", command]);
    expect(stdout).toMatch(/^\d{8}\n$/);
    expect(accessTo(url, emulator.settings(), { region: "r", signIn: true })).toMatchObject({
      ...{ SERVICE_EMAIL: "user@example.com", SERVICE_PASSWORD: "emulator-password" },
    });
  } finally {
    await close();
  }
});
