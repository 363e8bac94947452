import { expect, test } from "@jest/globals";
import { at, cloud } from "../client.ts";
import { openTour, scenario } from "../tour.ts";

const none = { security_group: undefined, security_group_rule: undefined };
const elsewhere = { "x-region": "In-Hyderabad-1" };

test("VPC, network and subnet are created one after the other, each pending, processing, then success", async () => {
  const { emulator, request } = openTour(cloud({ taskMs: 1200 }));
  await request("create_vpc", {});
  const words = new Set<string>();
  for (let ms = 0; ms <= 1200; ms += 100) {
    const tasks = at((await request("get_vpc_task_status", {})).body, "data.tasks") as { status: string }[];
    words.add(tasks.map(({ status }) => status).join(" "));
    await emulator.clock.advance(100);
  }
  expect([...words]).toEqual([
    "pending pending pending",
    "processing pending pending",
    "success pending pending",
    "success processing pending",
    "success success pending",
    "success success processing",
    "success success success",
  ]);
});

scenario("a task has the KRN of a part once it is created; the list shows BUILD, ACTIVE, DELETING", [
  ["create_vpc", none, 202],
  332,
  [
    "get_vpc_task_status",
    {},
    { "data.tasks.0": { field: "vpc", status: "processing", krn: null, error: null } },
  ],
  ["get_vpc_list", {}, { "0.operating_status": "BUILD" }],
  ["search_vpc", { status: "build" }, { total_count: 1 }],
  ["search_vpc", { status: "active" }, { total_count: 0 }],
  ["delete_vpc", { vpc_id: "{vpc}" }, "409 cannot delete vpc lan: it is being created"],
  ["create_subnet", {}, "409 VPC lan is not ready: BUILD"],
  1,
  ["create_subnet", { router_krn: undefined }, "409 the network of VPC lan is not ready"],
  667,
  ["get_vpc_list", {}, { "0.operating_status": "ACTIVE" }],
  ["delete_vpc", { vpc_id: "{vpc}" }, 202],
  ["get_vpc_list", {}, { "0.operating_status": "DELETING" }],
  ["get_vpc", {}, { "data.tasks.0.status": "DELETING", "data.tasks.1.status": "DELETING" }],
  ["delete_vpc", { vpc_id: "{vpc}" }, "409 lan is already being deleted"],
  ["delete_vpc", { vpc_id: "{vpc}" }, 202, { repeatedDelete: 202 }],
  ["delete_vpc", { vpc_id: "{vpc}" }, "404 VPC krn:… not found", { repeatedDelete: 404 }],
  1000,
  ["get_vpc_list", {}, { length: 0 }],
  ["get_vpc_list", {}, { "0.operating_status": "deleted" }, { vpcListKeepsDeadMs: 2000 }],
  2000,
  ["get_vpc_list", {}, { length: 0 }, { vpcListKeepsDeadMs: 2000 }],
]);

scenario("a VPC is read by id or name, which must agree; its list is that of all regions", [
  "create_vpc",
  ["get_vpc", { vpc_id: undefined }, { "data.tasks.0.name": "lan" }],
  ["get_vpc", { vpc_name: "" }, { "data.tasks.0.name": "lan" }],
  ["get_vpc", { vpc_id: undefined, vpc_name: undefined }, "400 vpc_id: required"],
  ["get_vpc", { vpc_id: undefined, vpc_name: "no" }, "404 VPC no not found"],
  ["get_vpc", { vpc_name: "no" }, "400 vpc_name: disagrees with vpc_id, which is lan"],
  ["get_vpc", { vpc_id: undefined, ...elsewhere }, "404 VPC lan not found"],
  ["describe_vpc", { vpc_id: "" }, 200],
  ["get_vpc_list", elsewhere, { "0.vpcName": "lan" }],
  ["get_vpc_list", elsewhere, { length: 0 }, { vpcListIgnoresRegion: false }],
  ["search_vpc", elsewhere, { vpcs: [], total_pages: 0 }],
  ["search_vpc", { "x-region": undefined }, { total_count: 1 }],
  ["search_vpc", { page: "2", size: "1" }, { vpcs: [], page: 2, size: 1, total_count: 1 }],
  ["search_vpc", { page: "0" }, "400 query page: must be a whole number from 1 on"],
  ["search_vpc", {}, { "data.vpcs.0.name": "lan" }, { vpcSearchShape: "data" }],
  ["create_vpc", elsewhere, 202, { equalNames: false }],
  ["create_vpc", {}, "409 VPC lan already exists", { equalNames: false }],
  ["create_vpc", {}, 202],
  ["get_vpc", { vpc_id: undefined }, "409 2 VPCs are named lan"],
]);

scenario(
  "a VPC has three objects or five, a subnet only with a name and a range, and a default group by a switch",
  [
    ["create_vpc", { ...none, subnet: {} }, 202],
    1000,
    ["get_vpc_task_status", {}, { "data.tasks.length": 2, "data.tasks.1.field": "network" }],
    [
      "get_vpc_task_status",
      {},
      { status: "done", error: null },
      { vpcTaskShape: "flat", taskSuccessWord: "done" },
    ],
    ["list_security_groups", {}, { result: [], pagination: { limit: 5, offset: 0, totalCount: 0 } }],
    [
      "create_vpc",
      { ...none, vpc: { name: "other" }, "subnet.ip_version": "" },
      202,
      { vpcMakesDefaultGroup: true },
    ],
    ["list_security_groups", { vpc: "{vpc other}" }, { "result.0.name": "default", "result.0.rules": [] }],
    [
      "create_vpc",
      none,
      "400 security_group: required; security_group_rule: required",
      { vpcNeedsGroup: true },
    ],
    ["create_vpc", {}, 202, { vpcCreateAnswersEmpty: true }],
    ["create_vpc", { "subnet.name": "" }, "400 subnet.name: required"],
    ["create_vpc", { "subnet.cidr": "" }, "400 subnet.cidr: required"],
    ["create_vpc", { "subnet.cidr": "10.0.0.0" }, "400 subnet.cidr: not a CIDR such as 10.0.0.0/24"],
    ["create_vpc", { "subnet.ip_version": 6 }, "400 subnet.ip_version: the CIDR is IPv4"],
    ["create_vpc", { "subnet.ip_version": 5 }, '400 subnet.ip_version: must be 4, 6, "4" or "6"'],
    ["create_vpc", { "subnet.gateway_ip": "10.0.1.1" }, "400 subnet.gateway_ip: outside 10.0.0.0/24"],
    ["create_vpc", { "subnet.gateway_ip": "x" }, "400 subnet.gateway_ip: not an IP address"],
    ["create_vpc", { "subnet.name": "a-error-503" }, "503 refused because of the name a-error-503"],
  ],
);

const error = { message: "failed because of the name a-fails", code: 500 };
const failed = { field: "vpc", status: "failed", krn: null, error };
const skipped = { message: "not attempted: an earlier step failed", code: 500 };
scenario("a VPC that fails by its name fails with its parts, one whose subnet fails exists", [
  ["create_vpc", { "vpc.name": "a-fails" }, 202],
  1000,
  ["get_vpc_task_status", {}, { "data.tasks.0": failed, "data.tasks.2.error": skipped }],
  ["get_vpc_task_status", {}, { "data.tasks.2.subnet_list.0.error": skipped }],
  ["get_vpc_task_status", {}, { status: "error", error }, { vpcTaskShape: "flat", taskFailureWord: "error" }],
  ["get_vpc_list", {}, { "0.operating_status": "FAILED" }],
  ["describe_vpc", { vpc_name: "" }, 200],
  ["search_network", {}, { "0.status": "ERROR" }],
  ["create_vpc", { "vpc.name": "b", "subnet.name": "b-fails" }, 202],
  500,
  ["get_vpc_task_status", {}, { status: "processing" }, { vpcTaskShape: "flat" }],
  500,
  ["get_vpc", { vpc_id: "{vpc b}", vpc_name: "" }, { "data.tasks.2.subnet_list.0.status": "failed" }],
]);

scenario("a VPC with a volume, a subnet, a group or, by a switch, a port is not deleted", [
  "create_vpc",
  "create_security_group",
  "create_subnet",
  "create_port",
  "create_volume",
  [
    "delete_vpc",
    { vpc_id: "{vpc}" },
    "409 cannot delete vpc lan: still in use by krn:…:subnet:…:sg:…floatingIP:…:volume:…",
  ],
  ["delete_volume", {}, 202],
  ["delete_floating_ip", {}, 200],
  1000,
  ["delete_subnet", {}, 200],
  ["create_port", { floating_ip: false }, 201],
  ["delete_vpc", { vpc_id: "{vpc}" }, "409 …:sg:…"],
  [
    "delete_vpc",
    { vpc_id: "{vpc}" },
    "409 … by krn:…:port:…",
    { vpcDeleteWithGroups: "removes", subnetDeleteWithPorts: "conflict" },
  ],
  ["delete_vpc", { vpc_id: "{vpc}" }, 202, { vpcDeleteWithGroups: "removes" }],
  1000,
  ["get_vpc_list", {}, { length: 0 }],
]);

scenario("listings show an earlier state, exact reads the current one", [
  { listingLagMs: 5000 },
  ["create_vpc", none, 202],
  1000,
  ["get_vpc_list", {}, { length: 0 }],
  ["get_vpc", {}, 200],
  4000,
  ["get_vpc_list", {}, { "0.operating_status": "BUILD" }],
  1000,
  ["get_vpc_list", {}, { "0.operating_status": "ACTIVE" }],
  ["delete_vpc", { vpc_id: "{vpc}" }, 202],
  4999,
  ["get_vpc_list", {}, { "0.operating_status": "ACTIVE" }],
  1001,
  ["get_vpc_list", {}, { length: 0 }],
]);
