import { expect, test } from "@jest/globals";
import { floatingIp, port, portSecurityGroups, vpc } from "../../../account/seed/network.ts";

const owner = { account: "12", customer: "00000000-0000-4000-8000-000000000001" };
const entry = (kind: string, id: string, values: object) => ({
  ...{ kind, id, region: "In-A-1", values: values as never },
});

test("a VPC has a network, and its first subnet unless another entry has it", () => {
  const primarySubnet = {
    id: "krn:first",
    name: "first",
    cidr: "10.0.0.0/24",
    ingress: true,
    gatewayIp: null,
  };
  const { rows, parts, changes } = vpc(
    entry("vpc", "krn:net", { name: "net", networkName: "n", networkId: "krn:network", primarySubnet }),
    owner,
  );
  expect(rows).toEqual([{ kind: "vpc", krn: "krn:net", name: "net" }]);
  expect(parts).toEqual([
    { kind: "network", krn: "krn:network", name: "n", vpc: "krn:net" },
    { kind: "subnet", krn: "krn:first", name: "first", vpc: "krn:net", cidr: "10.0.0.0/24", ingress: true },
  ]);
  expect(changes).toEqual([{ krn: "krn:first", fields: { primary: true } }]);
});

test("the groups of a port are those of the definition that sets them", () => {
  const values = { portId: "krn:port", securityGroups: ["krn:a"] };
  expect(portSecurityGroups(entry("port-security-groups", "krn:port", values), owner)).toEqual({
    changes: [{ krn: "krn:port", fields: { securityGroups: ["krn:a"] } }],
  });
  const own = {
    vpcId: "krn:net",
    subnetId: "krn:s",
    networkId: "krn:n",
    fixedIps: [{ ipAddress: "10.0.0.9" }],
  };
  expect(port(entry("port", "krn:port", { ...own, securityGroups: null }), owner).rows).toMatchObject([
    { ip: "10.0.0.9", securityGroups: [] },
  ]);
});

test.each([
  ["is on its own port", { heldBy: "krn:own", portId: null }, "krn:own", []],
  [
    "is attached to another port",
    { heldBy: "krn:other", portId: "krn:other" },
    "krn:other",
    ['the port with which the floating IP "public" was reserved'],
  ],
])("an address that %s", (_, values, holder, facts) => {
  const { rows = [], assumed } = floatingIp(
    entry("floating-ip", "krn:ip", { ...values, name: "public", address: "192.0.2.7" }),
    owner,
  );
  expect(rows).toMatchObject([{ address: "192.0.2.7", port: holder }]);
  expect(assumed).toEqual(facts);
});

test("the listings of an account have the port of an address already", () => {
  const values = { heldBy: "krn:other", portId: "krn:other", name: "public", address: "192.0.2.7" };
  const listed = { ...entry("floating-ip", "krn:ip", values), isListed: true as const };
  const { rows, parts, changes } = floatingIp(listed, owner);
  expect(rows).toMatchObject([{ port: "krn:other", reservedPort: null }]);
  expect([parts, changes]).toEqual([[], []]);
});
