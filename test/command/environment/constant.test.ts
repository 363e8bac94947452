import { expect, test } from "@jest/globals";
import { environmentOf, settingNames } from "../../../provider/config/config.ts";
import { files, text } from "../../repository/repository.ts";
import { kcloud } from "../kcloud.ts";

/** Tests the variables with the prefix `KCLOUD_` in the environment of `kcloud emulator -- COMMAND`. */

/** Returns the names of these variables that the command receives. */
function received(environment: NodeJS.ProcessEnv): string[] {
  const script =
    'console.log(Object.keys(process.env).filter((name) => name.startsWith("KCLOUD_")).join(" "))';
  const { code, stdout, stderr } = kcloud(["emulator", "--", process.execPath, "-e", script], environment);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.trim().split(" ").filter(Boolean).toSorted();
}

const settings = [...settingNames.map((name) => environmentOf(name, "KCLOUD_")), "KCLOUD_OTP"];

/** Other variables with the prefix that the sources name. */
const others = [
  ...new Set(
    files
      .filter((file) => /\.ts$/.test(file) && !file.startsWith("test/config/"))
      .flatMap((file) => text(file).match(/\bKCLOUD_[A-Z_]+[A-Z]\b/g) ?? []),
  ),
]
  .filter((name) => !settings.includes(name))
  .toSorted();

test("the command receives no KCLOUD_ setting, but every other KCLOUD_ variable", () => {
  expect(others).toEqual(
    expect.arrayContaining([
      ...["KCLOUD_CACHE", "KCLOUD_CHROMIUM", "KCLOUD_ENGINE_PID", "KCLOUD_PROGRAMS", "KCLOUD_REVIEW_KEY"],
    ]),
  );
  const environment = Object.fromEntries([...settings, ...others].map((name) => [name, "1"]));
  expect(received(environment)).toEqual(others);
});
