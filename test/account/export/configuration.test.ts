import { expect, test } from "@jest/globals";
import { configurationOf, selectedGroups } from "../../../account/export/configuration.ts";
import type { Values } from "../../../provider/core/value.ts";
import { resource } from "../../support/cloud.ts";

const region = "In-Bangalore-1";

/** Returns the configuration of an object with these values. */
const configured = (kind: string, values: Values, candidates?: Values) =>
  configurationOf(
    {
      resource: resource(kind),
      id: "krn:x",
      name: "x",
      region,
      parents: {},
      state: { id: "krn:x", task: undefined, values, unread: [], ...(candidates && { candidates }) },
    },
    { region, isExported: (id) => id === "krn:group" },
  );

test("defaults, computed values and values of the state only are left out", () => {
  const values = { vpcId: "krn:vpc", name: "data", sizeGb: 5, volumeType: "ssd", status: "available" };
  const assumed = { availabilityZone: "nova", multiattach: false, deletionProtection: true, region };
  expect(configured("volume", { ...values, ...assumed, description: null })).toEqual({
    values: { vpcId: "krn:vpc", name: "data", sizeGb: 5, volumeType: "ssd" },
    ignored: [],
  });
  expect(configured("volume", { ...values, availabilityZone: "nova-2" }).values.availabilityZone).toBe(
    "nova-2",
  );
});

test("a value that the API does not show is never written, and is ignored if a change would replace the object", () => {
  const values = { vpcId: "krn:vpc", name: "web", ingress: true, gatewayIp: "10.0.0.1", ipVersion: 4 };
  const { values: written, ignored } = configured("subnet", values);
  expect(written).toEqual({ vpcId: "krn:vpc", name: "web" });
  expect(ignored).toEqual(["gatewayIp", "description", "ipVersion", "ingress", "egress", "routerKrn"]);
});

test("a secret is never written, and is ignored", () => {
  const { values, ignored } = configured("ai-pod", { name: "p", environmentVariables: { TOKEN: "abc" } });
  expect(values).toEqual({ name: "p" });
  expect(ignored).toContain("environmentVariables");
});

test("a value that an import takes from another one is written", () => {
  const { values, ignored } = configured("instance", {
    name: "web",
    volumeId: "krn:boot",
    floatingIp: false,
  });
  expect(values).toEqual({ name: "web", volumeId: "krn:boot" });
  expect(ignored).not.toContain("volumeId");
});

test("a value that the API chose is written only if it refers to exported objects", () => {
  const groupsOf = (...securityGroups: string[]) =>
    configured("port", { securityGroups }).values.securityGroups;
  expect([groupsOf("krn:group"), groupsOf("krn:group", "krn:other"), groupsOf()]).toEqual([
    ["krn:group"],
    undefined,
    undefined,
  ]);
  expect(configured("bucket", { name: "logs", tier: "fast" }).values).toEqual({ name: "logs" });
});

test("the first candidate of a group is written; without one, the object has no such group", () => {
  const [first, second] = ["first", "second"].map((name) => ({
    name,
    cidr: "10.0.0.0/24",
    id: `krn:${name}`,
  }));
  const subnets = { primarySubnet: [first, second] } as Values;
  const written = { name: "first", cidr: "10.0.0.0/24" };
  expect(configured("vpc", { name: "shop", primarySubnet: null }, subnets).values).toEqual({
    name: "shop",
    primarySubnet: written,
  });
  expect(configured("vpc", { name: "shop" }).ignored).toEqual([
    "description",
    "enabled",
    "adminStateUp",
    "ipVersion",
  ]);
});

test("a group that the import recorded is written in place of a candidate", () => {
  const primarySubnet = { name: "own", cidr: "10.0.1.0/24", id: "krn:own", ingress: true };
  const state = { id: "krn:x", task: undefined, values: { primarySubnet }, unread: [] };
  expect(selectedGroups({ resource: resource("vpc"), state })).toEqual({ primarySubnet });
  expect(configured("vpc", { name: "shop", primarySubnet }).values.primarySubnet).toEqual({
    name: "own",
    cidr: "10.0.1.0/24",
  });
});

test("the name of an attached address, which no response shows, is the address and is ignored; that of a reserved one is known", () => {
  const address = (name: string, portId: string | null) =>
    configured("floating-ip", { vpcId: "krn:vpc", name, subnetId: "krn:subnet", networkId: null, portId });
  expect(address("198.18.0.1", "krn:port")).toEqual({
    values: { vpcId: "krn:vpc", name: "198.18.0.1", subnetId: "krn:subnet", portId: "krn:port" },
    ignored: ["name", "subnetId", "networkId"],
  });
  expect(address("front", null).ignored).toEqual(["networkId"]);
});
