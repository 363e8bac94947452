import { expect, test } from "@jest/globals";
import { offered } from "./completion/offered.ts";

test("Bash completes the value of an option, also after an equals sign; files have the default completion of Bash", () => {
  expect(offered("emulator", "--clock", "m")).toEqual(["manual"]);
  expect(offered("emulator", "--clock", "=", "r")).toEqual(["real"]);
  expect(offered("emulator", "--clock", "=")).toEqual(["real", "manual"]);
  expect(offered("install", "terraform", "--platform", "linux")).toEqual(["linux_amd64", "linux_arm64"]);
  expect(offered("install", "terraform", "--mirror", "p")).toEqual(["plans"]);
  expect(offered("emulator", "--state", "p")).toEqual([]);
  expect(offered("emulator", "--port", "8")).toEqual([]);
  expect(offered("unknown", "")).toEqual([]);
});
