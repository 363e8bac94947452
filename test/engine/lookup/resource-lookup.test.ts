import { expect, test } from "@jest/globals";
import { lookups } from "../../../functions/index.ts";
import { InputError } from "../../../provider/core/error.ts";
import { plural, terraformType } from "../../../provider/core/name.ts";
import { resources } from "../../../resources/index.ts";
import { text } from "../../repository/repository.ts";
import { live, openCloud } from "../../support/cloud.ts";
import { find, withVpcs } from "../../support/lookup.ts";

test("a lookup with neither or both of id and name is rejected, as is an id of another kind", async () => {
  const cloud = openCloud();
  const either = new InputError([
    { path: ["id"], problem: "set either the ID or other attributes, not both" },
  ]);
  await expect(find(cloud, "vpc", {})).rejects.toThrow(either);
  await expect(find(cloud, "vpc", { id: "a", name: "b" })).rejects.toThrow(either);
  await expect(find(cloud, "vpc", { id: "krn:kbs:r:1:2:volume:3" })).rejects.toThrow(
    new InputError([{ path: ["id"], problem: "is the ID of a volume, but the ID of a VPC is required" }]),
  );
  expect(cloud.emulator.log.entries()).toEqual([]);
});

test("objects in a VPC are looked up by any scalar field that is always set", async () => {
  const cloud = await withVpcs("net");
  const vpcId = live(cloud, "vpc")[0]?.krn as string;
  const volume = (name: string, sizeGb: number) =>
    cloud.run(cloud.create("volume", { vpcId, name, sizeGb, volumeType: "ssd" }));
  const [small] = [await volume("a", 1), await volume("b", 2)];
  expect(await find(cloud, "volume", { vpcId, sizeGb: 1 })).toMatchObject({ id: small.id, name: "a", vpcId });
  const { volumes } = await find(cloud, "volumes", { vpcId, sizeGb: 2 });
  expect(volumes).toMatchObject([{ name: "b", sizeGb: 2, volumeType: "ssd" }]);
  const ids = live(cloud, "volume").map(({ krn, name }) => `${name} (${krn})`);
  await expect(find(cloud, "volume", { vpcId, volumeType: "ssd" })).rejects.toThrow(
    new InputError([{ path: ["volumeType"], problem: `2 volumes have these values: ${ids.join(", ")}` }]),
  );
  await expect(find(cloud, "volume", { vpcId, name: "a", sizeGb: 2 })).rejects.toThrow(
    new InputError([
      { path: ["name"], problem: `no volume has these values. Existing volumes: ${ids.join(", ")}` },
    ]),
  );
});

test("every listed resource has a lookup of one object, and of all objects if names are not unique", () => {
  const names = lookups.map(({ name }) => name);
  const missing = resources.flatMap(({ name, parents = [], verbs }) =>
    verbs.list === undefined
      ? []
      : [name, ...(parents.includes("name") ? [] : [plural(name)])].filter((due) => !names.includes(due)),
  );
  expect(missing).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test("the page of the provider names the lookups of every resource", () => {
  const rows = text("docs/index.md").matchAll(/^\| \[`(\w+)`\]\(resources[^|]+\|[^|]*\|[^|]*\|([^|]*)\|$/gm);
  const documented = [...rows].map(([, type = "", by = ""]) => [
    type,
    by.replaceAll(/\]\([^)]*\)|\[/g, "").trim(),
  ]);
  const names = lookups.map(({ name }) => name);
  const due = resources.map(({ name }) => [
    terraformType(name),
    [name, plural(name)]
      .filter((lookup) => names.includes(lookup))
      .map((lookup) => `\`${terraformType(lookup)}\``)
      .join(", "),
  ]);
  expect(documented.toSorted()).toEqual(due.toSorted());
});

test("no lookup returns a secret except the URL of a document's result, or a field that the API never returns", () => {
  const returned = lookups.flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, { kind, options }]) =>
      (kind === "computed" && options.secret) || "unreadable" in options ? [`${name}.${field}`] : [],
    ),
  );
  expect(returned).toEqual(["document-result.url"]);
});
