import { expect, test } from "@jest/globals";
import type { Values } from "../../provider/core/value.ts";
import { openCloud } from "../support/cloud.ts";
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
