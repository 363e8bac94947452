import { expect } from "@jest/globals";
import { scenario } from "../tour.ts";

const idle = {
  delete_incomplete_mpu: 0,
  newer_noncurrent_versions: 0,
  noncurrent_days: 0,
  expiration_days: undefined,
};

scenario("a rule has a name of its own and at least one action, and is replaced as a whole", [
  "create_bucket",
  ["create_lifecycle_rule", { enabled: undefined }, { enabled: true, status: "Enabled" }],
  ["create_lifecycle_rule", {}, "409 lifecycle rule old already exists"],
  ["create_lifecycle_rule", { ...idle, name: "idle" }, "400 body: a rule must have at least one action"],
  [
    "create_lifecycle_rule",
    { ...idle, name: "marker", expired_obj_delete_marker: true },
    { id: undefined, message: "lifecycle rule created" },
    { lifecycleRuleAnswer: "message" },
  ],
  ["create_lifecycle_rule", { name: "a-error-503" }, "503 refused because of the name a-error-503"],
  ["create_lifecycle_rule", { expiration_days: -1 }, 400],
  ["list_lifecycle_rules", {}, { length: 2, "1.name": "marker" }],
  ["create_lifecycle_rule", { name: "other" }, 201],
  ["update_lifecycle_rule", { name: "old" }, "409 lifecycle rule old already exists"],
  [
    "update_lifecycle_rule",
    { name: "other", attribute: undefined },
    { name: "other", enabled: false, status: "Disabled", attribute: undefined },
  ],
  ["get_lifecycle_rule", {}, { name: "other", id: expect.any(String) }],
  ["delete_lifecycle_rule", {}, 204],
  ["get_lifecycle_rule", {}, "404 lifecycle rule … not found"],
]);
