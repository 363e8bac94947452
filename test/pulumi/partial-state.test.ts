import { status } from "@grpc/grpc-js";
import { expect, test } from "@jest/globals";
import { failureOf, urnOf } from "../support/pulumi/call.ts";
import { configured, createVolume, createVpc } from "../support/pulumi/driver.ts";

const size = { sizeGb: 10, volumeType: "ssd" };

test("what exists half made goes home with its id, and a refresh keeps the mark on it", () =>
  configured(async (driver) => {
    const net = await createVpc(driver);
    driver.emulator.configure({ taskMs: 3_600_000 });
    const { inputs } = await driver.check("Volume", { vpcId: net.id, name: "data", ...size });
    const {
      code,
      message,
      partial: half,
    } = await failureOf(driver.create("Volume", inputs, { timeout: 120 }));
    expect(code).toBe(status.FAILED_PRECONDITION);
    expect(half).toEqual({
      id: expect.stringMatching(/^krn:kbs:/),
      properties: { ...inputs, region: "In-Bangalore-1" },
      inputs,
      reasons: [message],
    });
    expect(message.replace(/\d+ s;|\d+ s\.$/gm, "N s.").split("\n")).toEqual([
      'Creating the volume "data" failed',
      "It was made but did not become ready; last seen: creating, N s.",
      "Not finished after N s.",
      `It was created and is recorded as ${half?.id}.`,
      "Run again: the next run takes it up or replaces it.",
    ]);
    const kept = { id: half?.id ?? "", properties: half?.properties ?? {} };
    // A refresh keeps the mark, so that the next update waits again.
    const read = await failureOf(driver.read("Volume", kept.id, kept.properties, inputs));
    expect(read.partial?.reasons).toEqual([
      "The cloud reports it as creating. The next update waits for it.",
    ]);
    expect(read.partial?.properties).toMatchObject({ status: "creating" });
  }));

test("the status of a wait stands in the resource's row, and goes when it is over", () =>
  configured(
    async (driver) => {
      await createVolume(driver);
      const row = driver.logged.filter(({ urn, ephemeral }) => urn === urnOf("Volume") && ephemeral);
      expect(row[0]).toMatchObject({ severity: "INFO", message: expect.stringMatching(/^creating, \d+ s$/) });
      expect(row.at(-1)?.message).toBe("");
    },
    { taskMs: 100 },
  ));

test("after Cancel a create answers at once, with what there is", () =>
  configured(async (driver) => {
    const net = await createVpc(driver);
    driver.emulator.configure({ taskMs: 3_600_000 });
    const { inputs } = await driver.check("Volume", { vpcId: net.id, name: "data", ...size });
    const creating = failureOf(driver.create("Volume", inputs));
    await driver.until(() => driver.logged.some(({ message }) => message.startsWith("creating")));
    const began = performance.now();
    await driver.cancel();
    const { partial: half } = await creating;
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(half?.id).toMatch(/^krn:kbs:/);
    expect(half?.reasons[0]).toContain("Stopped on request.");
  }));

test("a create known by its task alone names the task and says that it may exist", () =>
  configured(async (driver) => {
    driver.emulator.configure({ taskMs: 3_600_000 });
    driver.emulator.faults.add({ target: "get_vpc_task_status", kind: "503" });
    const { inputs } = await driver.check("Vpc", { name: "net" });
    const { message, partial: half } = await failureOf(driver.create("Vpc", inputs, { timeout: 20 }));
    expect(half).toBeUndefined();
    expect(message).toMatch(/^Its id is not known.*; the task is [\w-]+\.$/m);
    expect(message).toContain("It may exist: this could not be confirmed.");
  }));

test("a refused create leaves nothing behind, and says so", () =>
  configured(async (driver) => {
    driver.emulator.faults.add({ target: "create_vpc", kind: "400" });
    const { inputs } = await driver.check("Vpc", { name: "net" });
    const { partial: half, message } = await failureOf(driver.create("Vpc", inputs));
    expect(half).toBeUndefined();
    expect(message).toContain("Nothing was created.");
  }));
