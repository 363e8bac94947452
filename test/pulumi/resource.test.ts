import { status } from "@grpc/grpc-js";
import { expect, test } from "@jest/globals";
import { failureOf } from "../../tools/plugin/pulumi.ts";
import {
  checkAndCreate,
  configured,
  createVolume,
  createVpc,
  secret,
  withDriver,
} from "../support/pulumi/driver.ts";

test("a volume is created, read, updated and deleted; a read after that finds nothing", () =>
  configured(async (driver) => {
    const made = await createVolume(driver, { description: secret("hush") });
    expect(made.id).toMatch(/^krn:kbs:.*:volume:/);
    expect(made.properties).toMatchObject({ name: "data", status: "available", description: secret("hush") });
    expect(Object.values(made.properties)).not.toContain(null);

    const read = await driver.read("Volume", made.id, made.properties, made.inputs);
    expect(read).toEqual({ id: made.id, properties: made.properties, inputs: made.inputs });
    expect(await driver.diff("Volume", read.properties, made.inputs ?? {})).toMatchObject({
      changes: "DIFF_NONE",
    });

    const news = { ...made.inputs, sizeGb: 20 };
    const properties = await driver.update("Volume", made, news);
    expect(properties).toEqual({ ...made.properties, sizeGb: 20 });

    await driver.remove("Volume", { id: made.id, properties });
    expect(await driver.read("Volume", made.id, properties, news)).toEqual({
      id: "",
      properties: {},
      inputs: {},
    });
  }));

test("a refresh shows drift in inputs and in outputs", () =>
  configured(async (driver) => {
    const made = await createVolume(driver);
    driver.emulator.inventory.change(made.id, { description: "by hand" });
    // Reads within 5 s use the recent listing.
    await driver.plugin.context.ports.clock.sleep(6_000);
    const read = await driver.read("Volume", made.id, made.properties, made.inputs);
    expect(read.inputs).toEqual({ ...made.inputs, description: "by hand" });
    expect(await driver.diff("Volume", read.properties, made.inputs ?? {})).toMatchObject({
      detailed: { description: "DELETE" },
    });
  }));

test("an import needs the id and the parents' ids, and returns the API's id and inputs that check does not change", () =>
  configured(async (driver) => {
    const made = await createVolume(driver, { metadata: { team: "x" } });
    const imported = await driver.read("Volume", `${made.properties.vpcId},${made.id}`);
    const { __createdAt, ...properties } = made.properties;
    expect(imported).toEqual({ id: made.id, properties, inputs: made.inputs });
    expect(await driver.check("Volume", imported.inputs ?? {}, { olds: {} })).toEqual({
      inputs: imported.inputs,
      failures: [],
    });
    const { message } = await failureOf(driver.read("Volume", made.id));
    expect(message).toBe(
      `Invalid value for id\nid: ${JSON.stringify(made.id)} is not of the form vpcId,id or region,vpcId,id, where its name can replace the id`,
    );
  }));

test("an import from another region has the region in its inputs", () =>
  configured(async (driver) => {
    const made = await checkAndCreate(driver, "Vpc", { name: "far", region: "In-Hyderabad-1" });
    const { inputs } = await driver.read("Vpc", `In-Hyderabad-1,${made.id}`);
    expect(inputs).toMatchObject({ name: "far", region: "In-Hyderabad-1" });
  }));

test("a field that the API does not return is marked unread by an import, which is no change, and stored by an update without a write request", () =>
  configured(async (driver) => {
    const made = await checkAndCreate(driver, "Vpc", { name: "net", description: "mine" });
    const imported = await driver.read("Vpc", made.id);
    expect(imported.properties.__unread).toEqual(expect.arrayContaining(["description"]));
    const news = { ...imported.inputs, description: "mine" };
    expect(await driver.diff("Vpc", imported.properties, news)).toMatchObject({
      changes: "DIFF_NONE",
      detailed: {},
    });
    const sent = driver.emulator.log.entries().length;
    const properties = await driver.update("Vpc", imported, news);
    expect(properties).toMatchObject({ description: "mine" });
    expect(
      driver.emulator.log
        .entries()
        .slice(sent)
        .map(({ operation }) => operation),
    ).toEqual(["get_vpc"]);
  }));

test("`get` of a volume accepts its id with the parent's id as a property, or its import id", () =>
  configured(async (driver) => {
    const { id, properties: created } = await createVolume(driver);
    const { __createdAt, ...properties } = created;
    const known = { vpcId: properties.vpcId ?? null };
    expect((await driver.read("Volume", id, known, known)).properties).toEqual(properties);
    expect((await driver.read("Volume", `${properties.vpcId},${id}`, known, known)).properties).toEqual(
      properties,
    );
  }));

test("an import of a missing object names the id and what to check", () =>
  configured(async (driver) => {
    const { message } = await failureOf(driver.read("Vpc", "krn:vpc:In-Bangalore-1:0:0:vpc:none"));
    expect(message).toContain("No VPC has the ID krn:vpc:In-Bangalore-1:0:0:vpc:none in In-Bangalore-1.");
    expect(message).toContain("Check the ID, the region and the account of the API key.");
  }));

test("a pure function sends no request, and an invalid argument is reported by its name", () =>
  withDriver(async (driver) => {
    expect(await driver.invoke("kcloud:index:subnets", { range: "10.0.0.0/16", prefixes: [24] })).toEqual({
      result: { result: ["10.0.0.0/24"] },
      failures: [],
    });
    expect(await driver.invoke("kcloud:index:parseId", { id: "krn:a:b:c:d/e:f" })).toEqual({
      result: {},
      failures: [
        {
          property: "id",
          reason: "must be of the form krn:<service>:<region>:<account>:<customer>:<type>:<uuid>",
        },
      ],
    });
    expect(driver.emulator.log.entries()).toEqual([]);
  }));

test("a lookup returns its result, and an invalid argument is reported by its name", () =>
  configured(async (driver) => {
    const net = await createVpc(driver);
    expect(await driver.invoke("kcloud:index:getVpc", { name: "net" })).toEqual({
      result: {
        id: net.id,
        name: "net",
        networkName: "net-network",
        networkId: net.properties.networkId,
        status: "success",
        region: "In-Bangalore-1",
      },
      failures: [],
    });
    expect(await driver.invoke("kcloud:index:getVpc", {})).toEqual({
      result: {},
      failures: [{ property: "", reason: "id: set either the ID or other attributes, not both" }],
    });
    const { failures } = await driver.invoke("kcloud:index:getVpc", { name: "nett" });
    expect(failures).toEqual([
      {
        property: "name",
        reason: `no VPC has this name; did you mean "net"? Existing VPCs: net (${net.id})`,
      },
    ]);
  }));

test("a state that a newer version of the plugin wrote is refused by diff, read, update and delete, and nothing is sent", () =>
  configured(async (driver) => {
    const { inputs = {}, ...made } = await createVolume(driver, { description: secret("hush") });
    const newer = { id: made.id, properties: { ...made.properties, __version: 1 } };
    const sent = driver.emulator.log.entries().length;
    const message = [
      "The state was written by a newer version",
      `A newer version of the plugin wrote the state of the volume "data" (${made.id}), and this version cannot read it. Update the plugin, or the package @kcloud/iac, to that version or a newer one, then run again.`,
    ].join("\n");
    for (const refused of [
      driver.diff("Volume", newer.properties, inputs, made.id),
      driver.read("Volume", made.id, newer.properties, inputs),
      driver.update("Volume", newer, { ...inputs, sizeGb: 20 }),
      driver.update("Volume", newer, { ...inputs, sizeGb: 20 }, true),
      driver.remove("Volume", newer),
    ])
      expect(await failureOf(refused)).toEqual({ code: status.INVALID_ARGUMENT, message });
    expect(driver.emulator.log.entries()).toHaveLength(sent);
  }));

test("a delete keeps an object that a diff left unchanged, unless the diff was that of a refresh or the process creates its URN", () =>
  withDriver(async (first) => {
    await first.configure();
    const made = await createVpc(first);
    const { inputs = {} } = made;
    /** Runs the calls of one command in a new process; returns the number of VPCs after its delete. */
    const after = async (calls: (driver: typeof first) => Promise<unknown>): Promise<number> => {
      let count = 0;
      await withDriver(async (driver) => {
        await driver.configure({ baseUrl: first.url });
        await calls(driver);
        await driver.remove("Vpc", made);
        count = first.emulator.inventory.list().filter(({ kind }) => kind === "vpc").length;
      });
      return count;
    };
    const diff = (driver: typeof first) => driver.diff("Vpc", made.properties, inputs, made.id);
    expect(
      await after(async (driver) => {
        await driver.check("Vpc", inputs, { olds: inputs });
        await diff(driver);
      }),
    ).toBe(1);
    expect(
      await after(async (driver) => {
        await driver.read("Vpc", made.id, made.properties, inputs);
        await diff(driver);
        await driver.check("Vpc", inputs, { olds: inputs });
        await diff(driver);
        await driver.remove("Vpc", made);
      }),
    ).toBe(1);
    expect(await after((driver) => driver.update("Vpc", made, inputs))).toBe(1);
    const refreshed = await after(async (driver) => {
      await driver.check("Vpc", inputs, { olds: inputs });
      await driver.read("Vpc", made.id, made.properties, inputs);
      await diff(driver);
    });
    expect(refreshed).toBe(0);
  }));
