import { expect } from "@jest/globals";
import { scenario } from "../tour.ts";

scenario("a policy has a name of its own and JSON, and is deleted when it is detached", [
  ["list_account_policies", {}, "404 the account has no policy"],
  ["create_account_policy", { accountId: "1" }, "422 accountId: not the account of the credential"],
  ["create_account_policy", { statements: "{" }, "422 statements: not JSON"],
  ["create_account_policy", { conditions: "{" }, "422 conditions: not JSON"],
  ["create_account_policy", { name: "a-error-503" }, "503 refused because of the name a-error-503"],
  [
    "create_account_policy",
    { policyKRN: undefined, conditions: "", accountId: "000000000000" },
    { name: "readers" },
  ],
  ["create_account_policy", {}, "409 policy readers already exists"],
  [
    "create_account_policy",
    { name: "second", policyKRN: "{account_policy}" },
    "409 policy second already exists",
  ],
  ["create_account_policy", { name: "second" }, 201],
  ["list_account_policies", {}, { name: "second" }],
  ["update_account_policy", { name: "writers" }, { name: "writers" }],
  ["attach_account_policy", { policyKRNs: [] }, "400 policyKRNs: must name a policy"],
  ["detach_account_policy", {}, "404 policy writers is not attached"],
  ["attach_account_policy", {}, { name: "writers", CreationDate: expect.any(String) }],
  ["attach_account_policy", {}, 200],
  ["delete_account_policy", {}, "409 policy writers is attached; detach it first"],
  ["detach_account_policy", {}, 200],
  ["delete_account_policy", {}, 204],
]);
