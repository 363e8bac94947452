import { fullRegionOf } from "../../provider/core/krn.ts";
import type { Value, Values } from "../../provider/core/value.ts";
import type { Companion, Destruction, ObjectReader, Reads } from "./declaration.ts";

/** Operations that destroy, by their names in the contract. `test/operation/destruction` compares them with the table of operations. */

type Row = { readonly [field: string]: Value };

const rowIn = (value: unknown): Row => (typeof value === "object" && value !== null ? (value as Row) : {});

/** Returns the parameters of these names, and the region of the call. */
const picked = (inputs: Values, names: readonly string[]): Values =>
  Object.fromEntries(
    [...names, "region"].flatMap((name) => (inputs[name] === undefined ? [] : [[name, inputs[name]]])),
  );

/** Reads by an operation with some of the parameters of the call. */
const by =
  (operation: string, ...parameters: readonly string[]): ObjectReader =>
  (inputs, reads) =>
    reads.one(operation, picked(inputs, parameters));

/** Finds a row of a listing by one of the fields with its ID. */
const inList =
  (
    operation: string,
    parameters: readonly string[],
    { ids, id }: { readonly ids: readonly string[]; readonly id: string },
  ): ObjectReader =>
  async (inputs, reads) =>
    (await reads.rows(operation, picked(inputs, parameters))).find((row) =>
      ids.some((field) => rowIn(row)[field] === inputs[id]),
    );

/** Finds a row of a listing of VPCs, for an object whose ID does not name its VPC. */
const inAnyVpc =
  (operation: string, isObject: (row: Row, inputs: Values) => boolean): ObjectReader =>
  async (inputs, reads) => {
    for (const vpc of await reads.rows("get_vpc_list", picked(inputs, []))) {
      const { vpcId, operating_status: status } = rowIn(vpc);
      if (typeof vpcId !== "string" || /^(deleted|not found|terminated)$/i.test(String(status))) continue;
      const rows = await reads.rows(operation, { ...picked(inputs, []), vpcId });
      const row = rows.find((each) => isObject(rowIn(each), inputs));
      if (row !== undefined) return row;
    }
    return undefined;
  };

/** Returns the subnets of a VPC, which only its own response shows in a documented form. */
const subnetsOf = async (inputs: Values, reads: Reads): Promise<readonly Value[]> => {
  const { data } = rowIn(await reads.one("get_vpc", picked(inputs, ["vpcId"])));
  const { tasks } = rowIn(data);
  return (Array.isArray(tasks) ? tasks : []).flatMap((task) => {
    const { subnet_list: subnets } = rowIn(task);
    return Array.isArray(subnets) ? subnets : [];
  });
};

/** Reads the objects of a listing, as companions. */
const listed = (
  about: string,
  operation: string,
  parameters: readonly string[],
  isCompanion: (row: Row, inputs: Values) => boolean = () => true,
): Companion => ({
  about,
  read: async (inputs, reads) =>
    (await reads.rows(operation, picked(inputs, parameters))).filter((row) =>
      isCompanion(rowIn(row), inputs),
    ),
});

/** Reads the snapshots or the backups of a volume. */
const copies = (about: string, operation: string) =>
  listed(about, operation, ["vpcId"], ({ volume_id: volume }, { volumeId }) => volume === volumeId);

/** Volumes of an instance: the listing of its VPC shows the attachments. */
const volumesOfInstance: Companion = {
  about: "the volumes of the instance, of which `deleteVolume` deletes the boot volume",
  async read({ instanceKrn, region }, reads, object) {
    const { vpcId, project_krn: project, krn } = rowIn(object);
    const vpc = vpcId ?? project;
    if (typeof vpc !== "string") throw new TypeError("the response does not name the VPC of the instance");
    const rows = await reads.rows("list_volumes", {
      vpcId: vpc,
      ...(region === undefined ? {} : { region }),
    });
    const id = krn ?? instanceKrn;
    return rows.filter((row) => {
      const { attachments } = rowIn(row);
      return Array.isArray(attachments) && attachments.some((one) => rowIn(one).instance_id === id);
    });
  },
};
const addressOfInstance: Companion = {
  about: "a floating IP address that was created with the instance; the API does not show which one was",
};

const objects = listed("the objects of the bucket", "list_objects", ["bucketId"]);

const schedule = (about: string) => ({
  about,
  object: by("get_volume", "vpcId", "volumeId"),
  identifier: "volumeId",
});

/** Returns true for a lifecycle rule that makes objects expire. */
const expires = ({ enabled, ...rule }: Values): boolean =>
  enabled !== false &&
  [
    rule.expirationDays,
    rule.noncurrentDays,
    rule.newerNoncurrentVersions,
    rule.deleteIncompleteMpu,
    rule.expiredObjDeleteMarker,
  ].some((value) => value !== undefined && value !== null && value !== false);
const expiring = {
  about: "An enabled rule deletes objects or their versions.",
  isMet: expires,
};

/** Reads the objects at two keys; the second one need not exist. */
const atKeys =
  (from: string, to: string): ObjectReader =>
  async (inputs, reads) => {
    const at = (key: Value | undefined): Values => ({ ...picked(inputs, ["bucketId"]), key: key ?? "" });
    const source = await reads.one("get_object_metadata", at(inputs[from]));
    return { source, overwritten: (await reads.find("get_object_metadata", at(inputs[to]))) ?? null };
  };

const noReader = "No operation with a known request reads it.";

const byInstance = by("get_instance", "instanceKrn");

export const destructions: { readonly [operation: string]: Destruction } = {
  delete_vpc: {
    object: inList("get_vpc_list", [], { ids: ["vpcId"], id: "vpcId" }),
    companions: [
      { about: "the subnets of the VPC", read: subnetsOf },
      listed("the security groups of the VPC", "list_security_groups", ["vpcId"]),
      listed("the ports of the VPC", "search_port", ["vpcId"]),
      listed("the instances of the VPC, which block the delete", "search_instances", ["vpcId"]),
      listed("the volumes of the VPC, which block the delete", "list_volumes", ["vpcId"]),
      listed("the floating IP addresses of the VPC", "list_floating_ips", ["vpcId"]),
    ],
  },
  delete_subnet: {
    object: async (inputs, reads) =>
      (await subnetsOf(inputs, reads)).find((row) => rowIn(row).krn === inputs.subnetId),
    companions: [
      listed(
        "the ports of the subnet, which block the delete",
        "search_port",
        ["vpcId"],
        ({ subnet_id: subnet }, { subnetId }) => subnet === subnetId,
      ),
    ],
  },
  detach_floating_ip: {
    object: async (inputs, reads) =>
      (await reads.rows("search_port", { ...picked(inputs, []), portId: inputs.portKrn ?? "" })).find(
        (row) => rowIn(row).port_id === inputs.portKrn,
      ),
    companions: [{ about: "the reservation of the address, if the API releases it with the detach" }],
  },
  delete_floating_ip: {
    object: inAnyVpc(
      "list_floating_ips",
      ({ floating_ip_krn: krn }, { floatingIpKrn }) => krn === floatingIpKrn,
    ),
    companions: [{ about: "the port that was reserved with the address" }],
  },
  delete_security_group: {
    object: inAnyVpc("list_security_groups", ({ id }, { securityGroupId }) => id === securityGroupId),
    companions: [
      {
        about: "the rules of the group, of which the API shows the IDs only",
        async read(_, __, object) {
          const { rules } = rowIn(object);
          return Array.isArray(rules) ? rules : [];
        },
      },
    ],
  },
  delete_rule: {
    object:
      "The API shows a rule only while it is attached to a group, and a rule is deleted when it is not.",
  },
  delete_ssh_key: {
    object: inList("list_ssh_keys", [], { ids: ["uuid"], id: "uuid" }),
    volatile: ["lastUsedAt"],
  },
  delete_image: {
    object: async ({ imageKrn }, reads) => {
      const region = fullRegionOf(String(imageKrn));
      const rows = await reads.rows("list_images", region === undefined ? {} : { region });
      return rows.find((row) => rowIn(row).krn === imageKrn);
    },
  },
  delete_instance: {
    object: (inputs, reads) =>
      inputs.instanceKrn === undefined
        ? reads.one("get_instance_task_status", picked(inputs, ["taskId"]))
        : byInstance(inputs, reads),
    companions: [volumesOfInstance, addressOfInstance],
  },
  delete_instance_sync: { object: byInstance, companions: [volumesOfInstance, addressOfInstance] },
  delete_template: { object: by("get_template", "templateKrn") },
  delete_volume: {
    object: by("get_volume", "vpcId", "volumeId"),
    companions: [
      copies("the snapshots of the volume, which block the delete or go with it", "list_snapshots"),
    ],
  },
  delete_snapshot: { object: by("get_snapshot", "vpcId", "snapshotId") },
  delete_backup: {
    object: by("get_backup", "vpcId", "backupId"),
    companions: [
      {
        about: "the incremental backups of the volume, which may need this one",
        async read(inputs, reads, object) {
          const { id: own, volume_id: volume } = rowIn(object);
          const rows = await reads.rows("list_backups", picked(inputs, ["vpcId"]));
          return rows.map(rowIn).filter(({ id, volume_id: of }) => of === volume && id !== own);
        },
      },
    ],
  },
  restore_backup: {
    object: by("get_volume", "vpcId", "volumeId"),
    identifier: "volumeId",
    when: {
      about: "With `volumeId`, the content of an existing volume is replaced.",
      isMet: ({ volumeId }) => volumeId !== undefined,
    },
  },
  create_snapshot_policy: {
    ...schedule("A schedule deletes older snapshots when there are more than its maximum."),
    companions: [copies("the snapshots of the volume", "list_snapshots")],
  },
  create_backup_policy: {
    ...schedule("A schedule deletes older backups when there are more than its maximum."),
    companions: [copies("the backups of the volume", "list_backups")],
  },
  delete_snapshot_policy: schedule("The volume shows the schedule."),
  delete_backup_policy: schedule("The volume shows the schedule."),
  delete_bucket: {
    object: by("get_bucket", "bucketId"),
    companions: [
      objects,
      listed("the lifecycle rules of the bucket", "list_lifecycle_rules", ["bucketId"]),
      {
        about: "the policy of the bucket",
        read: async (inputs, reads) => [await reads.one("get_bucket_policy", picked(inputs, ["bucketId"]))],
      },
    ],
  },
  create_lifecycle_rule: {
    object: by("get_bucket", "bucketId"),
    identifier: "bucketId",
    when: expiring,
    companions: [objects],
  },
  update_lifecycle_rule: {
    object: by("get_lifecycle_rule", "bucketId", "ruleId"),
    identifier: "ruleId",
    when: expiring,
    companions: [objects],
  },
  delete_lifecycle_rule: { object: by("get_lifecycle_rule", "bucketId", "ruleId") },
  delete_bucket_policy: { object: by("get_bucket_policy", "bucketId") },
  delete_access_key: {
    object: inList("list_access_keys", [], { ids: ["access_key"], id: "accessKey" }),
    volatile: ["last_used", "lastUsed"],
  },
  delete_all_access_keys: {
    object: "It deletes every access key of the account, which a person has to confirm: use kcloud call.",
  },
  update_account_policy: {
    object: by("get_account_policy", "policyKrn"),
    identifier: "policyKrn",
    about: "The former statements and conditions are lost: no operation shows them.",
  },
  delete_account_policy: {
    object: by("get_account_policy", "policyKrn"),
    about: "The statements and conditions are lost: no operation shows them.",
  },
  detach_account_policy: {
    object: "No operation shows to whom a policy is attached, and none attaches it to another one.",
    identifier: "kcid",
    about: "The attachment is lost: no operation shows it.",
  },
  deactivate_session: { object: "A session is known by its token only, which is a secret." },
  delete_object: { object: by("get_object_metadata", "bucketId", "key") },
  move_object: {
    object: atKeys("sourceKey", "destinationKey"),
    identifier: "destinationKey",
    about: "An object at the new key is overwritten.",
  },
  rename_object: {
    object: atKeys("oldKey", "newKey"),
    identifier: "newKey",
    about: "An object at the new key is overwritten.",
  },
  put_object_content: {
    object: "A pre-signed URL does not show whether its object exists.",
    identifier: null,
    when: {
      about: "Without `isNew`, an existing object is overwritten.",
      isMet: ({ isNew }) => isNew !== true,
    },
  },
  update_pod: {
    object: by("get_pod", "podId"),
    identifier: "podId",
    when: {
      about: "Whether the disk of a container outlives a stop or a restart is not documented.",
      isMet: ({ action }) => action !== "start",
    },
  },
  delete_pod: {
    object: by("get_pod", "podId"),
    companions: [{ about: "the volume of the pod" }],
  },
  cancel_inference_task: { object: by("get_inference_task", "taskId") },
  delete_checkpoint: {
    object: async ({ checkpoint }, reads) =>
      (await reads.rows("list_checkpoints", {})).find(
        (row) => row === checkpoint || Object.values(rowIn(row)).includes(checkpoint ?? ""),
      ),
  },
  delete_user: { object: by("get_user", "userKrn") },
  reset_programmatic_access: {
    object: by("get_user", "userKrn"),
    identifier: "userKrn",
    about: "The former secret key no longer works.",
  },
  disable_programmatic_access: {
    object: by("get_user", "userKrn"),
    identifier: "userKrn",
    about: "The access key is lost: enabling the access again creates another one.",
  },
  delete_role: { object: by("get_role", "roleKrn") },
  attach_role_policies: {
    object: "No operation lists the policies of a role.",
    identifier: "roleId",
    about: "Whether the policies replace those of the role is not documented.",
  },
  delete_group: { object: by("get_group", "groupKrn") },
  delete_load_balancer: { object: by("get_load_balancer", "loadBalancerKrn") },
  delete_target_group: { object: noReader },
  delete_zone: {
    object: by("get_zone", "zoneId"),
    companions: [
      {
        about: "the records of the zone",
        read: async (inputs, reads) => [await reads.one("list_records", picked(inputs, ["zoneId"]))],
      },
    ],
  },
  delete_record: { object: "The records of a zone are listed by its ID, which the call does not have." },
  delete_cluster: { object: by("get_cluster", "clusterKrn") },
  delete_certificate: { object: by("list_certificates", "certificateId") },
  delete_scaling_group: { object: noReader },
  delete_sandbox: { object: by("get_sandbox", "sandboxId") },
};

/**
 * Reasons why an operation that sets a value or acts on an object destroys nothing: the former value can be read and set again, or the inverse
 * operation exists.
 */
export const restorable: { readonly [operation: string]: string } = {
  update_port_security_groups: "`search_port` shows the former groups, which the same operation sets again.",
  attach_floating_ip: "The same operation moves the address back.",
  attach_rule: "`detach_rule` detaches the rule.",
  detach_rule: "`attach_rule` attaches the rule again.",
  control_instance: "The disks are kept. What an instance has in its memory only is lost when it stops.",
  detach_volume: "The content is kept, and `attach_volume` attaches the volume again.",
  extend_volume: "The content is kept. A volume cannot be made smaller.",
  update_volume: "`get_volume` shows the former values, which the same operation sets again.",
  change_volume_type: "The content is kept, and the same operation sets the former type again.",
  update_snapshot: "`get_snapshot` shows the former values, which the same operation sets again.",
  update_bucket: "`get_bucket` shows the former values, which the same operation sets again.",
  update_lifecycle_rule: "`get_lifecycle_rule` shows the former values, which the same operation sets again.",
  update_bucket_policy:
    "`get_bucket_policy` shows the former addresses, which the same operation sets again.",
  attach_account_policy: "`detach_account_policy` detaches the policy.",
  upload_object: "The request returns a URL and changes no object.",
  put_object_content: "With `isNew`, no object is overwritten.",
  update_pod: "A start loses nothing.",
  assign_roles_and_groups:
    "`list_user_roles` and `list_user_groups` show the former ones, which the same operation sets again.",
  update_load_balancer: "`get_load_balancer_payload` shows the former listeners.",
};
