import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
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
