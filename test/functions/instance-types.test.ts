import { expect, test } from "@jest/globals";
import { InputError } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { openCloud, requests } from "../support/cloud.ts";
import { find } from "../support/lookup.ts";

test("instance types are listed by kind, and one is found by its name", async () => {
  const cloud = openCloud();
  const names = async (written: Values) => {
    const { instanceTypes } = await find(cloud, "instance-types", written);
    return (instanceTypes as Values[]).map(({ name, type }) => `${String(name)} ${String(type)}`);
  };
  const all = await names({});
  const [cpu, gpu] = [await names({ type: "CPU" }), await names({ type: "GPU" })];
  expect(all).toEqual([...cpu, ...gpu]);
  expect(gpu).toEqual(["g1.large GPU"]);
  const { id, region, ...found } = await find(cloud, "instance-type", { name: "c1.medium" });
  expect([id, region]).toEqual([expect.stringMatching(/./), "In-Bangalore-1"]);
  expect(found).toEqual({
    name: "c1.medium",
    type: "CPU",
    cpus: 2,
    memory: 8,
    cost: 3,
    currency: "XXX",
    unit: "hour",
    status: "active",
  });
  await expect(find(cloud, "instance-type", { name: "c9" })).rejects.toThrow(
    new InputError([
      {
        path: ["name"],
        problem: `no instance type has this name. Existing instance types: ${all.map((text) => text.split(" ")[0]).join(", ")}`,
      },
    ]),
  );
  expect(requests(cloud, "list_flavors")).toHaveLength(2);
});
