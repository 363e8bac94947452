import { expect, test } from "@jest/globals";
import { mayDestroy } from "../../../operation/destruction/destruction.ts";
import { confirmationOf, confirmsByName, identifierName } from "../../../operation/destruction/identifier.ts";
import { allOperations } from "../../../operation/operations.ts";

const destroying = allOperations().filter(mayDestroy);
const rowOf = (name: string) => {
  const row = allOperations().find((each) => each.name === name);
  if (row === undefined) throw new TypeError(name);
  return row;
};

test("each operation that destroys has the parameter that identifies the object", () => {
  expect(Object.fromEntries(destroying.map((row) => [row.name, identifierName(row)]))).toEqual({
    delete_vpc: "vpcId",
    delete_subnet: "subnetId",
    detach_floating_ip: "portKrn",
    delete_floating_ip: "floatingIpKrn",
    delete_security_group: "securityGroupId",
    delete_rule: "ruleId",
    delete_ssh_key: "uuid",
    delete_image: "imageKrn",
    delete_instance: undefined,
    delete_instance_sync: "instanceKrn",
    delete_template: "templateKrn",
    delete_volume: "volumeId",
    restore_backup: "volumeId",
    create_snapshot_policy: "volumeId",
    create_backup_policy: "volumeId",
    create_lifecycle_rule: "bucketId",
    update_lifecycle_rule: "ruleId",
    update_account_policy: "policyKrn",
    detach_rule: "ruleId",
    attach_account_policy: undefined,
    detach_account_policy: "kcid",
    move_object: "destinationKey",
    rename_object: "newKey",
    put_object_content: undefined,
    update_pod: "podId",
    reset_programmatic_access: "userKrn",
    disable_programmatic_access: "userKrn",
    attach_role_policies: "roleId",
    delete_snapshot: "snapshotId",
    delete_backup: "backupId",
    delete_snapshot_policy: "volumeId",
    delete_backup_policy: "volumeId",
    delete_bucket: "bucketId",
    delete_lifecycle_rule: "ruleId",
    delete_bucket_policy: "bucketId",
    delete_access_key: "accessKey",
    delete_all_access_keys: undefined,
    delete_account_policy: "policyKrn",
    deactivate_session: undefined,
    delete_object: "key",
    delete_pod: "podId",
    cancel_inference_task: "taskId",
    delete_checkpoint: "checkpoint",
    delete_certificate: "certificateId",
    delete_cluster: "clusterKrn",
    delete_group: "groupKrn",
    delete_load_balancer: "loadBalancerKrn",
    delete_record: "recordId",
    delete_role: "roleKrn",
    delete_sandbox: "sandboxId",
    delete_scaling_group: "scalingGroupKrn",
    delete_target_group: "name",
    delete_user: "userKrn",
    delete_zone: "zoneId",
  });
});

test("a call is confirmed by the ID, by the account, or by the name of the operation", () => {
  expect(confirmationOf(rowOf("delete_volume"), { vpcId: "v", volumeId: "x" }, "1")).toBe("x");
  expect(confirmationOf(rowOf("delete_instance"), { taskId: "t", region: "r" }, "1")).toBe("t");
  expect(confirmationOf(rowOf("delete_all_access_keys"), {}, "1")).toBe("1");
  expect(confirmationOf(rowOf("delete_all_access_keys"), {}, undefined)).toBe("delete_all_access_keys");
  // The token of a session is a secret, which is typed nowhere.
  expect(confirmationOf(rowOf("deactivate_session"), { sessionToken: "s" }, "1")).toBe("deactivate_session");
});

test("a name confirms unless it is short, or an answer to a question of yes or no", () => {
  for (const name of ["y", "abc", "yes", " OK ", "True", "confirmed", "delete"])
    expect([name, confirmsByName(name)]).toEqual([name, false]);
  for (const name of ["data", "yes-volume"]) expect([name, confirmsByName(name)]).toEqual([name, true]);
});
