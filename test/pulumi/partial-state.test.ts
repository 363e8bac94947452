import { status } from "@grpc/grpc-js";
import { expect, test } from "@jest/globals";
import { failureOf, type Properties, urnOf } from "../../tools/plugin/pulumi.ts";
import { configured, createVolume, createVpc } from "../support/pulumi/driver.ts";

const size = { sizeGb: 10, volumeType: "ssd" };

test("a create that times out returns ErrorResourceInitFailed with the id, and so does a refresh after it", () =>
  configured(async (driver) => {
    const net = await createVpc(driver);
    driver.emulator.configure({ taskMs: 3_600_000 });
    const { inputs } = await driver.check("Volume", { vpcId: net.id, name: "data", ...size });
    const { code, message, partial } = await failureOf(driver.create("Volume", inputs, { timeout: 120 }));
    expect(code).toBe(status.FAILED_PRECONDITION);
    expect(partial).toEqual({
      id: expect.stringMatching(/^krn:kbs:/),
      properties: { ...inputs, region: "In-Bangalore-1", __createdAt: expect.any(Number) },
      inputs,
      reasons: [message],
    });
    expect(message.replace(/\d+ s;|\d+ s\.$/gm, "N s.").split("\n")).toEqual([
      'Creating the volume "data" failed',
      "The object was created but did not become ready; last seen: creating, N s.",
      "The timeout of 120 s expired.",
      `The object exists as ${partial?.id} and is in the state.`,
      "The next `pulumi up` resumes it.",
    ]);
    const stored = { id: partial?.id ?? "", properties: partial?.properties ?? {} };
    // A refresh keeps the init error, so that the next update waits again.
    const read = await failureOf(driver.read("Volume", stored.id, stored.properties, inputs));
    expect(read.partial?.reasons).toEqual([
      "The API reports the status creating. The next `pulumi up` waits for it.",
    ]);
    expect(read.partial?.properties).toMatchObject({ status: "creating" });
  }));

test("the status of a failed object is shown without secrets and without terminal escape sequences", () =>
  configured(async (driver) => {
    const net = await createVpc(driver);
    const word = "error_with emulator-key\u001b]0;title\u0007";
    for (const target of ["get_volume", "list_volumes"])
      driver.emulator.faults.add({ target, kind: "unknown-status", word });
    const { inputs } = await driver.check("Volume", { vpcId: net.id, name: "data", ...size });
    const { partial } = await failureOf(driver.create("Volume", inputs));
    const { __failed, ...properties } = partial?.properties ?? {};
    const shown = "he API reports the status error_with *** ]0;title";
    expect(__failed).toBe(`t${shown}`);
    const read = (stored: Properties) => failureOf(driver.read("Volume", partial?.id ?? "", stored, inputs));
    expect((await read({ ...properties, __failed: __failed ?? "" })).message).toBe(
      `The object was never ready: t${shown}. The next \`pulumi up\` replaces it.`,
    );
    expect((await read(properties)).message).toBe(
      `T${shown}. To replace it: pulumi up --replace '${urnOf("Volume")}'`,
    );
  }));

test("the status of a wait is shown in the resource's row and cleared at its end", () =>
  configured(
    async (driver) => {
      await createVolume(driver);
      const row = driver.logged.filter(({ urn, ephemeral }) => urn === urnOf("Volume") && ephemeral);
      expect(row[0]).toMatchObject({ severity: "INFO", message: expect.stringMatching(/^creating, \d+ s$/) });
      expect(row.at(-1)?.message).toBe("");
    },
    { taskMs: 100 },
  ));

test("Cancel ends a create within two seconds, with the partial state", () =>
  configured(async (driver) => {
    const net = await createVpc(driver);
    driver.emulator.configure({ taskMs: 3_600_000 });
    const { inputs } = await driver.check("Volume", { vpcId: net.id, name: "data", ...size });
    const creating = failureOf(driver.create("Volume", inputs));
    await driver.until(() => driver.logged.some(({ message }) => message.startsWith("creating")));
    const began = performance.now();
    await driver.cancel();
    const { partial } = await creating;
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(partial?.id).toMatch(/^krn:kbs:/);
    expect(partial?.reasons[0]).toContain("The run was stopped.");
  }));

test("a create without an id names its task and reports that the object may exist", () =>
  configured(async (driver) => {
    driver.emulator.configure({ taskMs: 3_600_000 });
    driver.emulator.faults.add({ target: "get_vpc_task_status", kind: "503" });
    const { inputs } = await driver.check("Vpc", { name: "net" });
    const { message, partial } = await failureOf(driver.create("Vpc", inputs, { timeout: 20 }));
    expect(partial).toBeUndefined();
    expect(message).toMatch(/^The ID of the new object is not known; its task is [\w-]+\.$/m);
    expect(message).toContain("The object may exist.");
  }));

test("a rejected create reports that nothing was created", () =>
  configured(async (driver) => {
    driver.emulator.faults.add({ target: "create_vpc", kind: "400" });
    const { inputs } = await driver.check("Vpc", { name: "net" });
    const { partial, message } = await failureOf(driver.create("Vpc", inputs));
    expect(partial).toBeUndefined();
    expect(message).toContain("Nothing was created.");
  }));

test("an object whose create failed is replaced only if it is not ready by then", () =>
  configured(async (driver) => {
    const net = await createVpc(driver);
    const { inputs } = await driver.check("Volume", { vpcId: net.id, name: "data-fails", ...size });
    const { partial } = await failureOf(driver.create("Volume", inputs));
    const { id = "", properties = {} } = partial ?? {};
    expect(await driver.diff("Volume", properties, inputs, id)).toMatchObject({ replaces: ["status"] });
  }));

test("an object whose create failed is kept if it is ready by then", () =>
  configured(async (driver) => {
    const made = await createVolume(driver);
    const { inputs } = await driver.check("Volume", made.properties);
    const failed = { ...made.properties, status: "error", __failed: "the API reports the status error" };
    expect(await driver.diff("Volume", failed, inputs, made.id)).toMatchObject({ replaces: [] });
    expect(await driver.update("Volume", { ...made, properties: failed }, inputs)).toEqual(made.properties);
  }));
