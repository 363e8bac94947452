import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Values } from "../../provider/core/value.ts";
import { parseImportId } from "../../provider/definition/import-id.ts";
import { createSessionCache } from "../../provider/dynamic/configuration.ts";
import { createHandlers } from "../../provider/dynamic/handler.ts";
import { realPorts } from "../../provider/platform/real-ports.ts";
import { importIdOf } from "../../provider/pulumi/import.ts";
import { noEngineLog } from "../../provider/pulumi/log.ts";
import { stateOf } from "../../provider/pulumi/pulumi.ts";
import { resources } from "../../resources/index.ts";
import { resource } from "../support/cloud.ts";
import { checkAndCreate, type Driver, withDriver } from "../support/pulumi/driver.ts";

/** Tests the two meanings of an id in a read of Pulumi: the id of a stored object, and an import id. */

const word = fc.string({ unit: fc.constantFrom(..."abkrn:/.- é"), minLength: 1, maxLength: 8 });
const anyId = fc.array(word, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(","));

test("a complete state is never an import, for any id", () => {
  fc.assert(
    fc.property(fc.constantFrom(...resources.map(({ name }) => name)), anyId, (kind, id) => {
      const { fields } = resource(kind);
      const complete = Object.fromEntries(Object.keys(fields).map((name) => [name, "value"]));
      expect(importIdOf(resource(kind), stateOf(resource(kind), id, complete))).toBeUndefined();
    }),
  );
});

test("an incomplete state of an object is read in its own bucket, for any key", () => {
  const object = resource("object");
  const bucket = fc.constantFrom("data", "krn:bucket:1");
  const key = anyId.filter((id) => id === id.trim() && !id.startsWith("krn:"));
  fc.assert(
    fc.property(bucket, key, fc.option(fc.constant("In-Hyderabad-1")), (bucketId, key, region) => {
      fc.pre(!key.startsWith(`${bucketId},`));
      const asked = importIdOf(object, stateOf(object, key, { bucketId, region }));
      const target = typeof asked === "string" ? parseImportId(object, asked) : asked;
      expect(target).toEqual({ id: key, region: region ?? undefined, values: { bucketId } });
    }),
  );
});

test("an import id with its bucket is used unchanged, with or without the bucket in the properties", () => {
  const object = resource("object");
  for (const id of ["data,a,b", "In-Hyderabad-1,data,a,b"])
    for (const values of [{}, { bucketId: "data", region: "In-Hyderabad-1" }])
      expect(importIdOf(object, stateOf(object, id, values as Values))).toBe(id);
});

const keys = {
  accountId: "000000000000",
  accessKey: "emulator-access-key",
  secretKey: "emulator-secret-key",
  otpRequired: "false",
};

/** Creates an object whose key looks like the import id of another existing object. */
async function withTwins(driver: Driver) {
  await driver.configure(keys);
  const [data, other] = [
    await checkAndCreate(driver, "Bucket", { name: "data" }),
    await checkAndCreate(driver, "Bucket", { name: "other" }),
  ];
  const key = `${other.id},report.csv`;
  const twin = await checkAndCreate(driver, "ObjectResource", {
    bucketId: other.id,
    key: "report.csv",
    content: "theirs",
  });
  const own = await checkAndCreate(driver, "ObjectResource", { bucketId: data.id, key, content: "ours" });
  const left = () =>
    driver.emulator.inventory.list().flatMap(({ kind, name }) => (kind === "object" ? [name] : []));
  return { own, twin, key, left };
}

test("a refresh and a destroy of an object with commas in its key concern that object", () =>
  withDriver(async (driver) => {
    const { own, twin, key, left } = await withTwins(driver);
    const read = await driver.read("ObjectResource", own.id, own.properties, own.inputs);
    expect(read).toMatchObject({ id: key, properties: { key, bucketId: own.properties.bucketId } });
    await driver.remove("ObjectResource", { ...own, ...read });
    expect(left()).toEqual([twin.id]);
  }));

test("with the dynamic classes, a refresh and a destroy of an object with commas in its key concern that object", () =>
  withDriver(async (driver) => {
    const { own, twin, key, left } = await withTwins(driver);
    const config: Record<string, string> = {
      "kcloud:baseUrl": driver.url,
      "kcloud:apiKey": "emulator-key",
      "kcloud:region": "In-Bangalore-1",
      ...Object.fromEntries(Object.entries(keys).map(([name, value]) => [`kcloud:${name}`, value])),
    };
    const handlers = createHandlers(resource("object"), {
      engineLog: noEngineLog,
      session: createSessionCache(realPorts, {}, () => {}),
    });
    void handlers.configure({ config: { get: (name) => config[name] } });
    const read = await handlers.read(own.id, own.properties as never);
    expect(read).toMatchObject({ id: key, props: { key, bucketId: own.properties.bucketId } });
    await handlers.delete(String(read.id), read.props as never);
    expect(left()).toEqual([twin.id]);
  }));
