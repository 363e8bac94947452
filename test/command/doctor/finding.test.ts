import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { failed, formatFindings, ok } from "../../../command/doctor/finding.ts";
import { realClock } from "../../../emulator/emulator.ts";
import { expectGolden } from "../../support/golden.ts";
import { bin, closedPort, doctor, script, setUp } from "./setup.ts";

test("the findings of a healthy setup and of five broken ones", async () => {
  const real = realClock();
  const later = { clock: { ...real, now: () => real.now() + 660_000 } };
  const cases: [string, () => Promise<NodeJS.ProcessEnv>][] = [
    ["healthy", () => setUp()],
    ["wrong address", async () => ({ ...(await setUp()), SERVICE_BASE_URL: await closedPort() })],
    ["wrong key", async () => ({ ...(await setUp()), SERVICE_API_KEY: "not-this-key" })],
    ["wrong region", async () => ({ ...(await setUp()), SERVICE_REGION: "In-Bangalor-1" })],
    ["clock off", () => setUp(later)],
    [
      "no engine on PATH, and an old Node",
      async () => {
        for (const name of ["terraform", "tofu"]) rmSync(join(bin, name));
        script("node", "echo v20.20.2");
        return setUp();
      },
    ],
  ];
  const texts: string[] = [];
  for (const [name, environment] of cases) {
    const { code, stdout, stderr } = await doctor(await environment());
    expect([name, code, stderr]).toEqual([name, name === "healthy" ? 0 : 1, ""]);
    // The header of a response has whole seconds, and the response takes some time.
    texts.push(`# ${name}\n${stdout.replace(/\b6[0-6]\d s\b/, "660 s")}`);
  }
  expectGolden("doctor.txt", texts.join("\n"));
});

test("findings on a terminal are coloured and wrapped, and each remedy is shown once", () => {
  const remedy = "Set SERVICE_REGION. Run kcloud doctor again.";
  const findings = [
    failed("settings", "the region is missing, and so is the address of the API", remedy),
    failed("region", "is missing", remedy),
    ok("clock", "equal to that of the API"),
  ];
  const text = formatFindings(findings, { colour: true, width: 60 });
  expect(text.split("\n")).toEqual([
    "\u001b[31mFAILED\u001b[0m  settings         the region is missing, and so is",
    `${" ".repeat(25)}the address of the API`,
    `${" ".repeat(25)}Set SERVICE_REGION. Run kcloud`,
    `${" ".repeat(25)}doctor again.`,
    "\u001b[31mFAILED\u001b[0m  region           is missing",
    "\u001b[32mok\u001b[0m      clock            equal to that of the API",
    "",
    "2 checks failed.",
    "",
  ]);
});
