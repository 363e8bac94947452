import { expect, test } from "@jest/globals";
import type { Given } from "../../provider/config/setting.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { openCloud, requests, resource } from "../support/cloud.ts";
import { openNetwork } from "../support/instance-world.ts";

/** Settings for points on which the contract's sources disagree (docs/contract.md#16 and docs/contract.md#17). */

async function versions(given: Given) {
  const cloud = openCloud({ taskMs: 0 }, given);
  const primarySubnet = { name: "a", cidr: "10.0.0.0/24" };
  const vpc = await cloud.run(cloud.create("vpc", { name: "net", primarySubnet }));
  await cloud.run(cloud.create("subnet", { vpcId: String(vpc.id), name: "b", cidr: "10.0.1.0/24" }));
  const bodies = ["create_vpc", "create_subnet"].map((name) => requests(cloud, name)[0]?.body as Values);
  return [bodies[0]?.subnet, bodies[1]?.subnet_data].map((subnet) => (subnet as Values).ip_version);
}

test("IP versions are sent as a string for a VPC and an integer for a subnet, or all in one form", async () => {
  expect(await versions({})).toEqual(["4", 4]);
  expect(await versions({ ipVersionForm: "string" })).toEqual(["4", "4"]);
  expect(await versions({ ipVersionForm: "integer" })).toEqual([4, 4]);
});

test("user data is sent in base64, or as written; base64 is sent unchanged", async () => {
  const sent = async (given: Given, data: Values) => {
    const bodies: unknown[] = [];
    const { cloud, inputs } = await openNetwork({ taskMs: 0 }, given, {
      wrap: (transport) => ({
        send(request, signal) {
          if (request.url.endsWith("/create_instance_async")) bodies.push(JSON.parse(request.body ?? ""));
          return transport.send(request, signal);
        },
      }),
    });
    await cloud.run(engine.create(cloud.session, resource("instance"), inputs(data), cloud.call));
    return (bodies[0] as Values).user_data;
  };
  const text = "#!/bin/sh";
  const encoded = Buffer.from(text).toString("base64");
  expect(await sent({}, { userData: text })).toBe(encoded);
  expect(await sent({ userDataAsWritten: true }, { userData: text })).toBe(text);
  expect(await sent({ userDataAsWritten: true }, { userDataBase64: encoded })).toBe(encoded);
});
