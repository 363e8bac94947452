import { expect, test } from "@jest/globals";
import { configured, createVolume } from "../support/pulumi/driver.ts";

test("requests have a user agent with the adapter and without the name of the program", () =>
  configured(async (driver) => {
    await createVolume(driver);
    const agents = driver.emulator.log.entries().map(({ headers }) => headers["user-agent"]);
    for (const agent of agents) expect(agent).toMatch(/^kcloud\/\d+\.\d+\.\d+ \(pulumi plugin\)$/);
  }));
