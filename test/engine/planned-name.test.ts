import { expect, test } from "@jest/globals";
import { UNKNOWN, type Value, type Values } from "../../provider/core/value.ts";
import { holdersFor, planObject } from "../../provider/engine/engine.ts";
import { openCloud, resource } from "../support/cloud.ts";
import { openProvider } from "../support/engine/provider.ts";

/** Tests plans with `adopt_existing` in which names move from one address to another, as in a list with `count`. */

/** Returns the errors of a plan that gives each object the name of the next one, in this order of the addresses. */
async function shifted(kind: string, inputs: Values, order: readonly number[]): Promise<string[]> {
  const cloud = openCloud();
  const provider = openProvider(cloud);
  const configure = () => provider.configure({ accountId: "000000000000", adoptExisting: true });
  await configure();
  const vpcId = (await cloud.run(cloud.create("vpc", { name: "net" }))).id ?? null;
  const written = (name: string) => ({ ...inputs, ...(kind === "volume" ? { vpcId } : {}), name });
  const names = ["first", "second", "third"];
  const states = [];
  for (const name of names.slice(0, 2)) states.push(await cloud.run(provider.apply(kind, written(name))));
  await configure();
  const lines: string[] = [];
  for (const at of order) {
    const next = written(names[at + 1] ?? "");
    const plan = await provider.plan(kind, next, states[at]);
    const replaces = kind === "bucket" ? await provider.plan(kind, next) : undefined;
    lines.push(...plan.diagnostics, ...(replaces?.diagnostics ?? []));
  }
  return lines.filter((line) => line.startsWith("error"));
}

test("names that move on in a list of objects to replace or to rename are not managed twice", async () => {
  const volume = { sizeGb: 1, volumeType: "ssd" };
  for (const order of [
    [0, 1],
    [1, 0],
  ])
    expect([await shifted("bucket", {}, order), await shifted("volume", volume, order)]).toEqual([[], []]);
});

test("a create of the name that another object keeps or gets is still managed twice", async () => {
  const cloud = openCloud();
  const provider = openProvider(cloud);
  const configure = () => provider.configure({ accountId: "000000000000", adoptExisting: true });
  await configure();
  const vpcId = (await cloud.run(cloud.create("vpc", { name: "net" }))).id ?? null;
  const volume = (name: string) => ({ vpcId, name, sizeGb: 1, volumeType: "ssd" });
  const made = await cloud.run(provider.apply("volume", volume("old")));
  for (const name of ["old", "new"]) {
    await configure();
    await provider.plan("volume", volume(name), made);
    expect((await provider.plan("volume", volume(name))).diagnostics).toEqual([
      expect.stringContaining("error: Object is managed twice: name: is the name of krn:"),
    ]);
  }
});

const vpcId = "krn:vpc:In-Bangalore-1:1:2:vpc:3";

const written = { vpcId, name: "data", sizeGb: 20, volumeType: "HNSS" };

const region = { region: "In-Bangalore-1" };

test("an object that another resource manages is distinguished from one with the same id in another bucket", () => {
  const { session } = openCloud({}, { adoptExisting: true });
  const object = resource("object");
  const inBucket = (bucketId: Value): Values => ({ bucketId, key: "index.html", region: "In-Bangalore-1" });
  planObject(session, object, { id: "index.html", values: inBucket("one") }, { owner: "first" });
  const managed = (bucketId: Value, owner = "second") =>
    Object.keys(holdersFor(session, object, inBucket(bucketId), { owner }));
  expect(managed("one")).toEqual(["index.html"]);
  expect(managed("one", "first")).toEqual([]);
  expect(managed("two")).toEqual([]);
  expect(managed(UNKNOWN)).toEqual(["index.html"]);
});

test("with adopt_existing, a create of an object in the state of another resource is a problem", () => {
  const { session } = openCloud({}, { adoptExisting: true });
  const volume = resource("volume");
  const values = { ...written, ...region };
  const planned = (id: string | undefined, owner: string) =>
    planObject(session, volume, { id, values }, { owner }).map(({ path }) => path);
  expect(planned("krn:vm:In-Bangalore-1:1:2:volume:4", "first")).toEqual([]);
  expect(planned(undefined, "second")).toEqual([["name"]]);
  expect(planned(undefined, "first")).toEqual([]);
});
