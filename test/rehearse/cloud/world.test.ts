import { expect, test } from "@jest/globals";
import { openWorld, seedWorld, startObserving } from "../../../rehearse/cloud/world.ts";

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
