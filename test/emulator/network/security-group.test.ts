import { expect } from "@jest/globals";
import { scenario } from "../tour.ts";

const all = { limit: undefined, page: undefined, sortBy: undefined, sortOrder: undefined };

scenario("a group has the shape of the switch, and a default rule by another one", [
  "create_vpc",
  ["create_security_group", {}, { "result.name": "web" }],
  [
    "create_security_group",
    {},
    { id: expect.stringContaining(":sg:"), name: "web" },
    { groupCreateShape: "top" },
  ],
  [
    "create_security_group",
    {},
    { securityGroupId: expect.any(String), message: "security group created" },
    { groupCreateShape: "named" },
  ],
  ["create_security_group", {}, "409 security group web already exists", { equalNames: false }],
  ["create_security_group", { name: "a-error-503" }, "503 refused because of the name a-error-503"],
  [
    "create_security_group",
    { name: "a", description: undefined, type: undefined },
    201,
    { groupHasDefaultRules: true },
  ],
  ["list_security_groups", all, { "result.length": 5, "result.4.description": "" }],
  ["list_security_groups", all, { "result.4.rules": [expect.stringContaining(":sgr:")] }],
]);

scenario("the list has pages by offset or number, of at most the size of the switch", [
  "create_vpc",
  ...["b", "c", "a"].map((name) => ["create_security_group", { name }, 201] as const),
  ["list_security_groups", all, { "result.3.name": "a" }],
  ["list_security_groups", all, { pagination: { limit: 10, offset: 0, totalCount: 4 } }],
  ["list_security_groups", { ...all, limit: "2", page: "2" }, { "result.0.name": "c" }],
  ["list_security_groups", { ...all, limit: "2", page: "2" }, { "pagination.offset": 2 }],
  ["list_security_groups", { ...all, limit: "2", offset: "3" }, { "result.length": 1, "result.0.name": "a" }],
  ["list_security_groups", { ...all, sortBy: "name" }, { "result.0.name": "a" }],
  ["list_security_groups", { ...all, sortOrder: "desc" }, { "result.0.name": "a", "result.1.name": "c" }],
  [
    "list_security_groups",
    all,
    { pagination: { limit: 2, offset: 0, total_count: 4 } },
    { groupPageDefault: 2, groupTotalSpelling: "total_count" },
  ],
  ["list_security_groups", { ...all, limit: "1001" }, { "pagination.limit": 1000 }],
  ["list_security_groups", { ...all, limit: "9" }, { "result.length": 3 }, { groupPageMax: 3 }],
  ["list_security_groups", { ...all, limit: "0" }, "400 query limit: must be a whole number from 1 on"],
  ["list_security_groups", { ...all, offset: "-1" }, "400 query offset: must be a whole number from 0 on"],
  ["list_security_groups", { ...all, offset: "1", page: "1" }, "400 query: offset or page, not both"],
]);

scenario("a group that a machine is in is not deleted", [
  "create_vpc",
  "create_ssh_key",
  ["create_instance", { security_groups: ["{security_group}"] }, 202],
  1000,
  ["delete_security_group", {}, "409 security group default is in use by vm-port"],
  ["delete_instance", {}, 202],
  ["delete_security_group", {}, "409 security group default is in use by vm-port"],
  1000,
  ["delete_security_group", {}, 204],
]);
