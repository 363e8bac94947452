import { expect } from "@jest/globals";
import { scenario } from "../tour.ts";

const site = ["create_vpc", "create_security_group", "create_ssh_key"];
const all = { port_id: "", name: "", network_id: "", vpc_id: "", status: "" };
const onPort = { port_krn: "{port}", floating_ip: false };

scenario("the search finds by id, part of the name, network, VPC and status, in pages of the region", [
  ...site,
  "create_vpc other",
  "create_port",
  "create_instance",
  ["search_port", { ...all, port_id: "{port}" }, { "ports.0.name": "reserved", "ports.0.status": "DOWN" }],
  ["search_port", { ...all, port_id: "{port}" }, { total_count: 1 }],
  ["search_port", { ...all, name: "ort" }, { "ports.0.name": "vm-port", total_count: 1 }],
  ["search_port", { ...all, network_id: "{network other}" }, { total_count: 0 }],
  ["search_port", { ...all, vpc_id: "{vpc other}" }, { total_count: 0 }],
  [
    "search_port",
    { ...all, status: "active" },
    { "ports.0.device_owner": "compute:nova", "ports.0.device_id": expect.stringContaining(":instance:") },
  ],
  ["search_port", { ...all, page: "2", size: "1" }, { "ports.0.name": "vm-port", page: 2, size: 1 }],
  ["search_port", { ...all, page: "2", size: "1" }, { total_pages: 2 }],
  ["search_port", { ...all, size: undefined }, { "ports.length": 1, size: 1 }, { portPageDefault: 1 }],
  ["search_port", { ...all, size: undefined }, { size: 10 }],
  ["search_port", { ...all, size: "999" }, { size: 6 }, { portPageMax: 6 }],
  ["search_port", { ...all, size: "999" }, { size: 100 }],
  ["search_port", { ...all, "x-region": "In-Hyderabad-1" }, { total_count: 0 }],
  [
    "search_port",
    { ...all, size: "1" },
    { length: 2, "0.krn_id": expect.stringContaining(":port:") },
    { portSearchShape: "array", portIdField: "krn_id" },
  ],
  ["create_port", { name: "a-error-409" }, "409 refused because of the name a-error-409"],
  ["create_port", {}, "409 port reserved already exists", { equalNames: false }],
  ["create_port", {}, 201],
  ["delete_instance", {}, 202],
  ["search_port", { ...all, status: "active" }, { total_count: 1 }],
  1000,
  ["search_port", { ...all, name: "vm" }, { total_count: 0 }],
]);

scenario("ports and machines share the addresses of a subnet", [
  ["create_vpc", { "subnet.cidr": "10.0.0.0/30" }, 202],
  1000,
  ["create_security_group", {}, 201],
  ["create_ssh_key", {}, 201],
  ["create_instance", { count: 2 }, "409 subnet lan-subnet has no free address"],
  ["create_port", {}, 201],
  ["search_port", all, { "ports.0.fixed_ips.0.ip_address": "10.0.0.2" }],
  ["create_instance", {}, "409 subnet lan-subnet has no free address"],
]);

scenario("a machine uses an existing port with the groups of the request, and leaves it", [
  ...site,
  "create_subnet",
  "create_vpc other",
  "create_port",
  ["create_instance", { port_krn: "{port}" }, "409 port reserved already holds a floating IP"],
  ["create_instance", { ...onPort, count: 2 }, "400 port_krn: one port is for one instance"],
  ["create_instance", { ...onPort, subnet_id: "{subnet second}" }, "400 port_krn: port reserved is not…"],
  ["create_instance", onPort, 202],
  ["search_port", all, { "ports.0.status": "BUILD" }],
  1000,
  ["get_instance", {}, { ip_fixed: "10.0.0.2", floatingIpAddress: "198.18.0.1" }],
  ["get_instance", {}, { "network_ports.0.fixed_ip": "10.0.0.2" }],
  ["search_port", all, { "ports.0.status": "ACTIVE", "ports.0.security_group_krns.length": 1 }],
  ["create_instance", onPort, "409 port reserved is in use by vm"],
  [
    "update_port_security_groups",
    { security_groups: ["{security_group}", "{security_group web}", "{security_group}"] },
    { "port.security_groups.length": 2, "port.updatedAt": "2026-01-01T00:00:07.000Z" },
  ],
  ["get_instance", {}, { "security_groups.length": 2 }],
  ["delete_security_group", {}, "409 security group default is in use by reserved"],
  ["create_security_group", { vpcid: "{vpc other}", name: "strange" }, 201],
  [
    "update_port_security_groups",
    { security_groups: ["{security_group strange}"] },
    "400 security group strange is not of VPC lan",
  ],
  ["update_port_security_groups", { security_groups: [] }, "400 security_groups: must not be empty"],
  ["delete_instance", {}, 202],
  1000,
  ["search_port", all, { "ports.0.status": "DOWN", "ports.0.device_id": "", "ports.0.device_owner": "" }],
  ["create_instance", onPort, 202],
]);

scenario("a new port shows in the search later, by the lag", [
  { listingLagMs: 3000 },
  "create_vpc",
  "create_port",
  ["search_port", all, { ports: [] }],
  3000,
  ["search_port", all, { "ports.0.name": "reserved", "ports.0.floating_ip_address": "198.18.0.1" }],
]);
