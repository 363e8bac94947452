import { expect } from "@jest/globals";
import { scenario } from "../tour.ts";

const template = ["create_vpc", "create_security_group", "create_ssh_key", "create_template"];
const all = { krn: "", name: "", ip_fixed: "", ip_floating: "", limit: undefined };
const job = "{batch_create_instances.job_id}";
const names = (...list: readonly string[]) =>
  Object.fromEntries([
    ["total_count", list.length],
    ...list.map((name, i) => [`instances.${i}.vm_name`, name]),
  ]);

scenario("a batch returns a job, and the search shows its instances with separate tasks and volumes", [
  ...template,
  [
    "batch_create_instances",
    {},
    { batch_source: "template", message: "batch creation accepted", total_count: 2 },
  ],
  ["search_instances", all, { ...names("web-1", "web-2"), "instances.0.status": "BUILD" }],
  ["search_instances", all, { "instances.1.batch_id": expect.stringMatching(/^[0-9a-f-]{36}$/) }],
  1000,
  ["search_instances", all, { "instances.0.ip_fixed": "10.0.0.2", "instances.1.ip_fixed": "10.0.0.3" }],
  ["search_instances", all, { "instances.1.flavor_name": "c1.small" }],
  ["get_instance_task_status", { task_id: job }, "404 Record not found"],
  ["batch_create_instances", {}, 202],
  ["search_instances", all, names("web-1", "web-2", "web-1", "web-2")],
  ["batch_create_instances", {}, 202, { batchNames: "continue" }],
  ["search_instances", all, names("web-1", "web-2", "web-1", "web-2", "web-3", "web-4")],
  ["batch_create_instances", { count: 1 }, 202, { equalNames: false }],
  ["search_instances", { ...all, name: "web-5" }, { total_count: 1 }],
  ["batch_create_instances", { count: 1, instanceName: "random" }, 202, { batchNames: "random" }],
  [
    "search_instances",
    { ...all, name: "random" },
    { "instances.0.vm_name": expect.stringMatching(/^random-[0-9a-f]{8}$/) },
  ],
  ["delete_template", {}, 200],
]);

scenario("a batch is created completely or not at all, and fails by its name in the last instance", [
  ...template,
  ["batch_create_instances", { count: 0 }, "400 count: must be 1 or more"],
  ["batch_create_instances", { count: 300 }, "409 subnet lan-subnet has no free address"],
  ["batch_create_instances", { instanceName: "a-error-503" }, "503 refused because of the name a-error-503"],
  ["search_instances", all, { total_count: 0 }],
  ["batch_create_instances", { instanceName: "a-fails" }, 202],
  1000,
  ["search_instances", all, { "instances.0.status": "ACTIVE", "instances.1.status": "ERROR" }],
  ["search_instances", all, { "instances.1.failure_reason": "failed because of the name a-fails" }],
]);
