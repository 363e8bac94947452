import { expect } from "@jest/globals";
import { scenario } from "../tour.ts";

const site = ["create_vpc", "create_security_group", "create_ssh_key"];
/** A reserved floating IP and an instance without one, each with its port. */
const ready = [...site, "create_port", "create_instance_sync"];
const reverse = { attach_port: "{port sync-port}", detach_port: "{port}" };
const on = (vm: string, port: unknown = expect.any(String)) => ({
  length: 1,
  "0.vm_name": vm,
  "0.port_krn": port,
});
const onMachine = { port: "{port vm-port}" };

scenario("an address moves to the other port in either order, and back to its own by a detach", [
  ...ready,
  ["detach_floating_ip", {}, "409 no floating IP is attached to port sync-port"],
  [
    "detach_floating_ip",
    { port: "{port}" },
    { message: "no floating IP is attached to port reserved" },
    { repeatedAttach: 200 },
  ],
  ["attach_floating_ip", reverse, { message: "floating IP attached" }],
  ["list_floating_ips", {}, on("sync")],
  ["get_instance", {}, { floatingIpAddress: "198.18.0.1", "network_ports.0.floating_ip": "198.18.0.1" }],
  ["delete_floating_ip", {}, "409 floating IP 198.18.0.1 is attached to instance sync; detach it first"],
  ["detach_floating_ip", {}, { message: "floating IP detached" }],
  ["list_floating_ips", {}, on("unknown")],
  ["get_instance", {}, { floatingIpAddress: null }],
  ["attach_floating_ip", reverse, 200, { floatingIpAttachOrder: "attach-holds" }],
  ["list_floating_ips", {}, on("unknown")],
  ["attach_floating_ip", {}, 200, { floatingIpAttachOrder: "detach-holds" }],
  ["list_floating_ips", {}, on("unknown")],
  ["attach_floating_ip", {}, 200, { floatingIpAttachOrder: "attach-holds" }],
  ["list_floating_ips", {}, on("sync")],
  ["delete_instance_sync", {}, 200],
  ["list_floating_ips", {}, on("unknown")],
]);

scenario("an attach needs two ports of one VPC, of which one holds an address", [
  ...ready,
  "create_vpc other",
  ["create_port", { name: "second" }, 201],
  ["create_port", { name: "empty", floating_ip: false }, 201],
  ["create_port", { name: "more", floating_ip: false }, 201],
  ["attach_floating_ip", { detach_port: "{port}" }, "400 attach_port: is detach_port too"],
  [
    "attach_floating_ip",
    { attach_port: "{port empty}", detach_port: "{port more}" },
    "404 neither port empty nor port more holds a floating IP",
  ],
  ["attach_floating_ip", { detach_port: "{port second}" }, "409 ports reserved and second both hold a…"],
  ["attach_floating_ip", { detach_port: "{port empty}" }, 200],
  ["delete_floating_ip", {}, "409 floating IP 198.18.0.1 is attached to port empty; detach it first"],
  [
    "attach_floating_ip",
    { attach_port: "{port second}", detach_port: "{port}" },
    "409 port reserved is reserved for floating IP 198.18.0.1",
  ],
  [
    "create_subnet",
    { vpc_id: "{vpc other}", router_krn: undefined, "subnet_data.network_id": undefined },
    201,
  ],
  1000,
  [
    "create_port",
    { vpc_id: "{vpc other}", network_id: "{network other}", subnet_id: "{subnet second}", name: "far" },
    201,
  ],
  [
    "attach_floating_ip",
    { attach_port: "{port far}", detach_port: "{port empty}" },
    "400 ports far and empty are not of one VPC",
  ],
]);

scenario("an address is released with its reserved port, which a switch keeps", [
  ...ready,
  ["delete_floating_ip", {}, { message: "floating IP deletion accepted" }],
  ["delete_floating_ip", {}, "409 reserved is already being deleted"],
  ["attach_floating_ip", reverse, "409 floating IP 198.18.0.1 is being deleted"],
  1000,
  ["list_floating_ips", {}, { length: 0 }],
  ["search_port", { port_id: "", name: "", network_id: "", vpc_id: "", status: "" }, { total_count: 1 }],
  ["create_port", {}, 201],
  ["delete_floating_ip", {}, 200, { floatingIpDeletePort: "keeps" }],
  1000,
  ["search_port", { port_id: "" }, { total_count: 1, "ports.0.floating_ip_address": null }],
  ["create_port", { name: "third" }, 201],
  ["attach_floating_ip", { attach_port: "{port third}" }, 200],
  ["detach_floating_ip", {}, 200, { floatingIpDetach: "deletes" }],
  ["list_floating_ips", {}, { length: 0 }],
  ["search_port", { port_id: "", name: "third" }, { total_count: 0 }],
]);

scenario("an address of a machine is deleted with it, unless it was detached or a switch keeps it", [
  ...site,
  "create_instance",
  ["list_floating_ips", {}, on("vm")],
  ["delete_instance", {}, 202],
  ["detach_floating_ip", onMachine, "409 floating IP 198.18.0.1 is being deleted"],
  1000,
  ["list_floating_ips", {}, { length: 0 }],
  "create_instance",
  1000,
  ["delete_instance", {}, 202, { instanceDeleteFloatingIp: "keeps" }],
  1000,
  ["list_floating_ips", {}, { ...on("unknown", null), "0.subnet_name": "lan-subnet" }],
  ["delete_floating_ip", {}, 200],
  1000,
  "create_instance",
  ["detach_floating_ip", onMachine, 200],
  ["get_instance", {}, { floatingIpAddress: null, floating_ip_krn: null }],
  ["delete_instance", {}, 202],
  1000,
  ["list_floating_ips", {}, on("unknown", null)],
]);

scenario("the list shows the port of an address with the listing lag", [
  { listingLagMs: 3000 },
  ...ready,
  3000,
  ["attach_floating_ip", reverse, 200],
  ["list_floating_ips", {}, on("unknown")],
  3000,
  ["list_floating_ips", {}, on("sync")],
]);
