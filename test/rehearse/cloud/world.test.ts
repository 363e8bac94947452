import { expect, test } from "@jest/globals";
import { openWorld, seedWorld, startObserving, usesMore } from "../../../rehearse/cloud/world.ts";
import type { Change } from "../../../review/model/change.ts";
import { resourceOfPulumi } from "../../../review/model/kind.ts";
import type { Plan } from "../../../review/model/plan.ts";

const headers = {
  authorization: "Bearer emulator-key",
  "x-region": "In-Bangalore-1",
  "content-type": "application/json",
};

test("a world has the requests that change something, with an observation of each", async () => {
  const world = await openWorld();
  try {
    seedWorld(world, [], {});
    startObserving(world);
    const send = (method: string, path: string, body?: object) =>
      fetch(`${world.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    await send("GET", "/v1/highlvlvpc/vpc");
    expect([world.executions.length, world.observations.length]).toEqual([0, 1]);
    const objects = {
      vpc: { name: "net" },
      network: { name: "net" },
      subnet: { name: "a", cidr: "10.0.0.0/24" },
    };
    await send("POST", "/v1/highlvlvpc/create_vpc_async", objects);
    expect(world.executions.map(({ operation }) => operation)).toEqual(["create_vpc"]);
    expect(world.observations).toHaveLength(2);
    startObserving(world);
    expect([world.executions.length, world.observations.length]).toEqual([0, 1]);
  } finally {
    await world.close();
  }
});

test("a plan uses more than the states have if it refers to an object that none of them has", () => {
  const change = (after: Change["after"], action: Change["action"] = "create") =>
    ({
      ...{ address: "kcloud:index:Subnet::a", action, after },
      resource: resourceOfPulumi("kcloud:index:Subnet"),
    }) as Change;
  const uses = (...changes: Change[]) => usesMore([], [], { changes } as unknown as Plan);
  const values = { region: "In-Bangalore-1", name: "a", cidr: "10.0.0.0/24" };
  const vpcId =
    "krn:vpc:In-Bangalore-1:000000000000:00000000-0000-4000-8000-000000000000:vpc:5070ef53-16af-4bc0-8bc5-93a7dbfd69f0";
  expect(uses(change({ ...values, vpcId }))).toBe(true);
  expect(uses(change({ ...values, vpcId }, "none"))).toBe(false);
  expect([uses(change(values)), uses()]).toEqual([false, false]);
});
