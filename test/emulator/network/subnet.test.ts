import { expect } from "@jest/globals";
import { scenario } from "../tour.ts";

const withoutGateway = { "subnet_data.gateway_ip": "" };
const list = "data.tasks.2.subnet_list";
const second = (status: string) => ({ [`${list}.1.status`]: status });
const one = { [`${list}.length`]: 1 };

scenario("a subnet has its id immediately, is ready after a task, and is deleted immediately", [
  "create_vpc",
  ["create_subnet", { "subnet_data.name": "second" }, { subnet_id: expect.stringContaining(":subnet:") }],
  ["get_vpc", {}, second("pending")],
  250,
  ["get_vpc", {}, second("processing")],
  ["search_subnet", { size: "1", page: "2" }, { "subnets.0.gateway_ip": "10.0.1.9" }],
  ["search_subnet", { size: "1", page: "2" }, { "subnets.0.status": "BUILD", total_pages: 2 }],
  [
    "create_instance",
    { subnet_id: "{subnet second}", security_groups: ["{security_group}"] },
    "409 subnet second is not ready",
  ],
  750,
  ["get_vpc", {}, second("success")],
  ["delete_subnet", { subnet_id: "{subnet}" }, "400 lan-subnet is the primary subnet: you cannot delete…"],
  ["delete_subnet", { subnet_id: "{subnet}" }, "403 …", { primarySubnetRefusal: 403 }],
  ["create_vpc other", {}, 202],
  ["delete_subnet", { vpc_id: "{vpc other}" }, "404 subnet krn:… not found"],
  ["delete_subnet", {}, { success: "subnet second deleted" }],
  ["get_vpc", {}, one],
  ["create_subnet", {}, 201],
]);

scenario("a range is normalised and overlaps no other subnet of its VPC but one that failed", [
  "create_vpc",
  "create_vpc other",
  [
    "create_subnet",
    { ...withoutGateway, "subnet_data.cidr": "10.0.0.128/25" },
    "409 10.0.0.128/25 overlaps 10.0.0.0/24 of subnet lan-subnet",
  ],
  [
    "create_subnet",
    {
      vpc_id: "{vpc other}",
      router_krn: undefined,
      "subnet_data.network_id": undefined,
      "subnet_data.cidr": "10.0.0.0/16",
    },
    201,
  ],
  [
    "create_subnet",
    { ...withoutGateway, "subnet_data.cidr": "fd00::7/64", "subnet_data.ip_version": "6" },
    201,
  ],
  ["search_subnet", { page: "2", size: "1" }, { "subnets.0.cidr": "fd00::/64" }],
  ["search_subnet", { page: "2", size: "1" }, { "subnets.0.gateway_ip": "fd00::1" }],
  [
    "create_subnet",
    { ...withoutGateway, "subnet_data.cidr": "10.0.2.7/24" },
    "400 subnet_data.cidr: has host bits set; 10.0.2.0/24 has not",
    { cidrHostBits: "refuse" },
  ],
  ["create_subnet", { "subnet_data.name": "a-error-409" }, "409 refused because of the name a-error-409"],
  ["create_subnet", { "subnet_data.name": "second-fails" }, 201],
  1000,
  ["get_vpc", {}, { [`${list}.2.status`]: "failed" }],
  ["create_subnet", {}, 201],
  [
    "create_subnet",
    { ...withoutGateway, "subnet_data.cidr": "10.0.3.0/24" },
    "409 subnet second already exists",
    { equalNames: false },
  ],
]);

scenario(
  "a subnet with a machine or an address is not deleted, with a port only unless a switch forbids it",
  [
    "create_vpc",
    "create_security_group",
    "create_ssh_key",
    "create_subnet",
    ["create_port", { subnet_id: "{subnet second}" }, 201],
    ["create_instance", { subnet_id: "{subnet second}" }, 202],
    ["delete_subnet", {}, "409 subnet second is in use by reserved, vm-ip, vm"],
    1000,
    ["delete_instance", {}, 202],
    ["delete_floating_ip", {}, 200],
    1000,
    ["create_port", { subnet_id: "{subnet second}", floating_ip: false }, 201],
    ["delete_subnet", {}, "409 subnet second is in use by reserved", { subnetDeleteWithPorts: "conflict" }],
    ["delete_subnet", {}, 200],
    ["search_port", { port_id: "", network_id: "", vpc_id: "" }, { total_count: 0 }],
  ],
);

scenario("new and deleted subnets show in the listings later, by the lag", [
  { listingLagMs: 3000 },
  "create_vpc",
  3000,
  ["create_subnet", {}, 201],
  2999,
  ["get_vpc", {}, one],
  1001,
  ["get_vpc", {}, second("success")],
  ["delete_subnet", {}, 200],
  ["get_vpc", {}, second("success")],
  3000,
  ["get_vpc", {}, one],
]);
