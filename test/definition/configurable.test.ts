import { expect, test } from "@jest/globals";
import { configurable } from "../../provider/definition/configurable.ts";
import { resource } from "../support/cloud.ts";

test("a value that only the API sets is in no configuration, also inside a group", () => {
  const subnet = { name: "first", cidr: "10.0.0.0/24", id: "krn:subnet" };
  const values = { name: "shop", status: "success", primarySubnet: subnet };
  expect(configurable(resource("vpc").fields, values)).toMatchObject({
    name: "shop",
    description: null,
    status: null,
    primarySubnet: { name: "first", cidr: "10.0.0.0/24", id: null },
  });
});
