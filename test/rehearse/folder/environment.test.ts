import { expect, test } from "@jest/globals";
import { environmentOf } from "../../../rehearse/folder/environment.ts";

test("an engine gets no credential, and no setting that leads it to another place", () => {
  const real = {
    ...{ PATH: "/bin", HOME: "/home/ana", LC_ALL: "C", TF_VAR_size: "3", TMPDIR: "/shared" },
    ...{
      SERVICE_API_KEY: "real",
      SERVICE_BASE_URL: "https://real",
      KCLOUD_PROFILE: "prod",
      AWS_PROFILE: "prod",
    },
    ...{
      TF_CLI_ARGS_plan: "-target=x",
      TF_DATA_DIR: "/elsewhere",
      TF_TOKEN_app_example: "real",
      HTTPS_PROXY: "p",
    },
    ...{ TF_WORKSPACE: "prod", TF_CLI_CONFIG_FILE: "/real.rc", NODE_OPTIONS: "--require x", LD_PRELOAD: "x" },
  };
  expect(environmentOf(real, "/copy", { SERVICE_API_KEY: "emulator-key" })).toEqual({
    ...{ PATH: "/bin", HOME: "/copy", USERPROFILE: "/copy", LC_ALL: "C", TF_VAR_size: "3" },
    ...{ TMPDIR: "/copy", TEMP: "/copy", TMP: "/copy" },
    SERVICE_API_KEY: "emulator-key",
  });
});
