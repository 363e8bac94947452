import { expect, test } from "@jest/globals";
import { at, cloud, refusal, region } from "../client.ts";

test("every region has the two public images", async () => {
  const emulator = cloud();
  const reply = await emulator.call(`GET /vm/v1/image/${region}?region_id=${region}`, {
    headers: { "x-region": "" },
  });
  const krn = (last: string) =>
    `krn:vm:${region}:default:default:image:00000000-0000-4000-8000-000000000${last}`;
  expect(reply.body).toEqual({
    images: [
      { krn: krn("101"), name: "Ubuntu-24.04", status: "active" },
      { krn: krn("102"), name: "Rocky-9", status: "active" },
    ],
  });
  expect(at((await emulator.call(`GET /vm/v1/image/${region}?page=2&limit=1`)).body, "images")).toMatchObject(
    [{ name: "Rocky-9" }],
  );
  expect(await refusal(emulator, `GET /vm/v1/image/${region}?region_id=x`)).toEqual([
    400,
    `query region_id: is not that of the path, ${region}`,
  ]);
});

test("every region has the four instance types, by kind or all", async () => {
  const emulator = cloud();
  const flavors = async (query: string) => {
    const { body } = await emulator.call(`GET /api/v1/flavor/compute${query}`);
    expect(at(body, "0.subject")).toBe(region);
    return (at(body, "0.groupBy") as { flavorname: string }[]).map(({ flavorname }) => flavorname);
  };
  expect(await flavors("")).toEqual(["c1.small", "c1.medium", "c1.large", "g1.large"]);
  expect(await flavors("?type=CPU")).toEqual(["c1.small", "c1.medium", "c1.large"]);
  expect(await flavors("?type=GPU")).toEqual(["g1.large"]);
});

test("an instance type has its size and price", async () => {
  const { body } = await cloud().call("GET /api/v1/flavor/compute?type=GPU");
  expect(at(body, "0.groupBy.0")).toEqual({
    flavorid: "00000000-0000-4000-8000-000000000204",
    flavorname: "g1.large",
    cpus: 16,
    cpuram: 64,
    cost: 90,
    currency: "XXX",
    unit: "hour",
    flavorstatus: "active",
    type: "GPU",
  });
});
