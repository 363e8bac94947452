import { fullRegionOf, inOtherRegion, isMasked } from "../../provider/core/krn.ts";
import type { Value, Values } from "../../provider/core/value.ts";
import {
  type Companion,
  type CompanionRows,
  type Destruction,
  mostRows,
  type ObjectReader,
  type Reads,
} from "./declaration.ts";
import {
  bestOf,
  type Comparison,
  compareIds,
  compareList,
  compareRow,
  compareWithAny,
  idsOf,
  listIn,
  type Row,
  rowIn,
} from "./identity.ts";

/** Operations that destroy, by their names in the contract. `test/operation/destruction` compares them with the table of operations. */

const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

/** Returns the parameters of these names, and the region of the call. */
const picked = (inputs: Values, names: readonly string[]): Values =>
  Object.fromEntries(
    [...names, "region"].flatMap((name) => (inputs[name] === undefined ? [] : [[name, inputs[name]]])),
  );

/** Returns the error of a response whose ID is not the one that was asked for, or cannot be compared with it. */
const unnamed = (operation: string, comparison: Comparison, reads: Reads): Error =>
  reads.unread(
    operation,
    comparison === "other"
      ? "the response names another object"
      : "the response does not name the object, or its ID is masked",
  );

/** Checks that a response names the object of an ID. Throws the error of the read. */
function checked(
  response: unknown,
  { operation, fields, id, reads }: Identity & { readonly id: string; readonly reads: Reads },
): unknown {
  const comparison = compareRow(response, fields, id);
  if (comparison !== "same") throw unnamed(operation, comparison, reads);
  return response;
}

interface Identity {
  readonly operation: string;
  /** Fields of the response with an ID of the object. */
  readonly fields: readonly string[];
}

/** Fields with the ID in the responses of services whose requests no tool sends: their forms are not documented. */
const anyId = ["krn", "krnid", "krn_id", "id", "_id", "uuid"];

/** Fields with the ID of an object in the responses of the operations that read it. */
const idFields: { readonly [operation: string]: readonly string[] } = {
  get_instance: ["krn"],
  get_volume: ["krn", "id"],
  get_snapshot: ["krn", "id"],
  get_backup: ["krn", "id"],
  get_template: ["template_krn"],
  // A bucket is also found by its name, which no other bucket has.
  get_bucket: ["krnid", "krn", "name"],
  get_lifecycle_rule: ["id"],
  get_account_policy: ["policyKRN"],
  get_inference_task: ["id"],
};

/** Reads by an operation with some of the parameters of the call, of which the last one identifies the object. */
const by =
  (operation: string, ...parameters: readonly string[]): ObjectReader =>
  async (inputs, reads) =>
    checked(await reads.one(operation, picked(inputs, parameters)), {
      ...{ operation, reads, fields: idFields[operation] ?? anyId },
      id: textIn(inputs[parameters.at(-1) ?? ""]),
    });

/** Returns the row that is the object. Throws the error of a listing that has several, or one that cannot be compared. */
function rowOf(
  rows: readonly unknown[],
  comparisonOf: (row: Row) => Comparison,
  { operation, reads }: { readonly operation: string; readonly reads: Reads },
): unknown {
  const compared = rows.map((row) => ({ row, comparison: comparisonOf(rowIn(row)) }));
  const same = compared.filter(({ comparison }) => comparison === "same");
  const different = new Set(same.map(({ row }) => JSON.stringify(row)));
  if (different.size > 1) throw reads.unread(operation, "several different rows have the ID of the object");
  if (same[0] !== undefined) return same[0].row;
  if (rows.length >= mostRows)
    throw reads.unread(
      operation,
      `the listing has more than ${mostRows} rows, and the first ones lack the object`,
    );
  if (compared.some(({ comparison }) => comparison === "unknown"))
    throw reads.unread(operation, "a row may be the object, but its ID is missing or masked");
  return undefined;
}

/** Finds a row of a listing by one of the fields with its ID. */
const inList =
  (
    operation: string,
    parameters: readonly string[],
    { ids, id }: { readonly ids: readonly string[]; readonly id: string },
  ): ObjectReader =>
  async (inputs, reads) =>
    rowOf(
      await reads.rows(operation, picked(inputs, parameters)),
      (row) => compareRow(row, ids, textIn(inputs[id])),
      { operation, reads },
    );

/** Finds a row of a listing of VPCs, for an object whose ID does not name its VPC. Adds the VPC to the row. */
const inAnyVpc =
  (operation: string, { ids, id }: { readonly ids: readonly string[]; readonly id: string }): ObjectReader =>
  async (inputs, reads) => {
    const found: unknown[] = [];
    for (const vpc of await reads.rows("get_vpc_list", picked(inputs, []))) {
      const { vpcId, operating_status: status } = rowIn(vpc);
      if (typeof vpcId !== "string" || isMasked(vpcId))
        throw reads.unread("get_vpc_list", "the ID of a VPC is missing or masked");
      if (/^(deleted|not found|terminated)$/i.test(String(status))) continue;
      if (typeof inputs.region === "string" && inOtherRegion(vpcId, inputs.region)) continue;
      const rows = await reads.rows(operation, { ...picked(inputs, []), vpcId });
      found.push(...rows.map((row) => ({ ...rowIn(row), vpcId })));
    }
    return rowOf(found, (row) => compareRow(row, ids, textIn(inputs[id])), { operation, reads });
  };

const vpcInList = inList("get_vpc_list", [], { ids: ["vpcId"], id: "vpcId" });

/**
 * Returns the subnets of a VPC, which only its own response shows in a documented form. That response has the name of the VPC and no ID
 * (docs/contract.md#2.1), so the listing of VPCs shows the name.
 */
const subnetsOf = async (inputs: Values, reads: Reads): Promise<readonly Value[]> => {
  const { data } = rowIn(await reads.one("get_vpc", picked(inputs, ["vpcId"])));
  const tasks = listIn(rowIn(data).tasks) ?? [];
  const { name, krn = inputs.vpcId } = rowIn(tasks.find((task) => rowIn(task).field === "vpc"));
  const { vpcName } = rowIn(await vpcInList(inputs, reads));
  const isNamed = typeof name === "string" && typeof vpcName === "string";
  const isSame = isNamed && name === vpcName && compareIds(krn, textIn(inputs.vpcId)) === "same";
  if (!isSame) throw unnamed("get_vpc", isNamed ? "other" : "unknown", reads);
  return tasks.flatMap((task) => listIn(rowIn(task).subnet_list) ?? []);
};

/** Sorts the rows of a listing by whether they belong to an object. */
function belonging(
  rows: readonly unknown[],
  comparisonOf: (row: Row) => Comparison,
  { operation, reads }: { readonly operation: string; readonly reads: Reads },
): CompanionRows {
  if (rows.length >= mostRows)
    throw reads.unread(
      operation,
      `the listing has more than ${mostRows} rows, of which the last ones are not read`,
    );
  const compared = Map.groupBy(rows, (row) => comparisonOf(rowIn(row)));
  return { rows: compared.get("same") ?? [], uncertain: compared.get("unknown") ?? [] };
}

/** Reads the objects of a listing, all of which are companions. */
const listed = (about: string, operation: string, parameters: readonly string[]): Companion => ({
  about,
  async read(inputs, reads) {
    const rows = await reads.rows(operation, picked(inputs, parameters));
    return { rows, hasMore: rows.length >= mostRows };
  },
});

/** Reads the objects of a listing that refer to the object. `comparisonOf` compares with the IDs of the object. */
const related = (
  about: string,
  operation: string,
  {
    args = (inputs) => picked(inputs, ["vpcId"]),
    id,
    fields = ["krn", "id"],
    comparisonOf,
  }: {
    /** Returns the arguments of the listing. Default: the VPC of the call. */
    readonly args?: (inputs: Values, object: Row) => Values;
    /** Parameter with the ID of the object, and fields of the object with its IDs. */
    readonly id: string;
    readonly fields?: readonly string[];
    readonly comparisonOf: (row: Row, ids: readonly string[]) => Comparison;
  },
): Companion => ({
  about,
  async read(inputs, reads, object) {
    const ids = idsOf(object, fields, inputs[id]);
    const rows = await reads.rows(operation, args(inputs, rowIn(object)));
    return belonging(rows, (row) => comparisonOf(row, ids), { operation, reads });
  },
});

/** Reads the instance templates that refer to an object. */
const templatesWith = (
  noun: string,
  field: string,
  options: { readonly id: string; readonly fields?: readonly string[] },
): Companion =>
  related(`the instance templates that name the ${noun}, which can no longer be used`, "list_templates", {
    ...options,
    args: (inputs) => {
      const region = fullRegionOf(textIn(inputs[options.id])) ?? inputs.region;
      return region === undefined ? {} : { region };
    },
    comparisonOf(row, ids) {
      const value = rowIn(row.config)[field];
      return listIn(value) === undefined ? compareWithAny(value, ids) : compareList(value, ids);
    },
  });

/** Reads the snapshots or the backups of a volume. */
const copies = (about: string, operation: string) =>
  related(about, operation, {
    id: "volumeId",
    comparisonOf: ({ volume_id: volume }, ids) => compareWithAny(volume, ids),
  });

/** Volumes of an instance: the listing of its VPC shows the attachments. */
const volumesOfInstance: Companion = {
  about: "the volumes of the instance, of which `deleteVolume` deletes the boot volume",
  async read({ instanceKrn, region }, reads, object) {
    const instance = rowIn(object);
    const vpc = [instance.vpcId, instance.project_krn]
      .map((id) => textIn(id))
      .find((id) => id !== "" && !isMasked(id));
    if (vpc === undefined)
      throw reads.unread("get_instance", "the response does not name the VPC of the instance");
    const ids = idsOf(instance, ["krn"], instanceKrn);
    const names = [instance.vm_name, instance.instanceName].map((name) => textIn(name)).filter(Boolean);
    const idIn = (volume: unknown) =>
      [volume, rowIn(volume).krn, rowIn(volume).id].find((id) => textIn(id) !== "");
    const volumes = [idIn(instance.volume_krn), ...(listIn(instance.volumes) ?? []).map(idIn)].flatMap(
      (id) => (typeof id === "string" ? [id] : []),
    );
    const isAt = (attachment: Value): Comparison => {
      const { instance_id: id, instance_name: name } = rowIn(attachment);
      if (ids.length > 0) return compareWithAny(id, ids);
      // An instance whose creation failed has no ID, and another one may have its name.
      return typeof name === "string" && name !== "" && !names.includes(name) ? "other" : "unknown";
    };
    const rows = await reads.rows("list_volumes", {
      vpcId: vpc,
      ...(region === undefined ? {} : { region }),
    });
    const companions = belonging(
      rows,
      (row) => {
        const isNamed = volumes.some((volume) => compareRow(row, ["krn", "id"], volume) === "same");
        const attachments = listIn(row.attachments);
        return isNamed ? "same" : attachments === undefined ? "unknown" : bestOf(attachments.map(isAt));
      },
      { operation: "list_volumes", reads },
    );
    const missing = volumes.filter(
      (volume) => !rows.some((row) => compareRow(row, ["krn", "id"], volume) !== "other"),
    );
    return {
      rows: [
        ...companions.rows,
        ...[...new Set(missing)].map((id) => ({ id, status: "not in the listing" })),
      ],
      uncertain: companions.uncertain ?? [],
    };
  },
};
const addressOfInstance: Companion = {
  about: "a floating IP address that was created with the instance; the API does not show which one was",
};

/** Maximum number of folders of a bucket that are read, each with a request. */
const mostFolders = 200;

/** Objects of a bucket. The API may show a folder as one entry, whose content is listed by its prefix (docs/contract.md#9.5). */
const objects: Companion = {
  about: "the objects and folders of the bucket",
  async read(inputs, reads) {
    const operation = "list_objects";
    const entries = new Map<string, unknown>();
    const folders = [""];
    let read = 0;
    for (let prefix = folders.pop(); prefix !== undefined; prefix = folders.pop()) {
      read += 1;
      if (read > mostFolders || entries.size >= mostRows)
        return { rows: [...entries.values()], hasMore: true };
      const rows = (
        await reads.rows(operation, { ...picked(inputs, ["bucketId"]), ...(prefix !== "" && { prefix }) })
      ).map((row) => ({ row, key: textIn(rowIn(row).key), isFolder: rowIn(row).isFolder === true }));
      // A response with other keys has ignored the prefix, and lacks the content of the folder.
      if (rows.some(({ key }) => key === "" || !key.startsWith(prefix)))
        throw reads.unread(operation, "the listing of a folder has keys outside of it, or none");
      for (const { row, key } of rows) entries.set(key, row);
      const deeper = new Set(
        rows
          .filter(({ isFolder }) => !isFolder)
          .map(({ key }) => key.slice(0, key.indexOf("/", prefix.length) + 1)),
      );
      for (const { key, isFolder } of rows) {
        const folder = key.endsWith("/") ? key : `${key}/`;
        // A recursive listing has the content already.
        if ((isFolder || key.endsWith("/")) && folder !== prefix && !deeper.has(folder)) folders.push(folder);
      }
    }
    return { rows: [...entries.values()] };
  },
};

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

/** Returns the metadata of an object, which must name its key. */
const keyed = (response: unknown, key: string, reads: Reads): unknown => {
  if (rowIn(response).key === key) return response;
  throw unnamed("get_object_metadata", "key" in rowIn(response) ? "other" : "unknown", reads);
};

/** Reads the objects at two keys; the second one need not exist. */
const atKeys =
  (from: string, to: string): ObjectReader =>
  async (inputs, reads) => {
    const [source, target] = [textIn(inputs[from]), textIn(inputs[to])];
    const at = (key: string): Values => ({ ...picked(inputs, ["bucketId"]), key });
    const overwritten = await reads.find("get_object_metadata", at(target));
    return {
      source: keyed(await reads.one("get_object_metadata", at(source)), source, reads),
      overwritten: overwritten === undefined ? null : keyed(overwritten, target, reads),
    };
  };

/** Reads a pod, whose documented response has its name and no ID. */
const pod: ObjectReader = async (inputs, reads) => {
  const response = await reads.one("get_pod", picked(inputs, ["podId"]));
  const { pod_name: name, pod_id: id = inputs.podId } = rowIn(response);
  const comparison = textIn(name) === "" ? "unknown" : compareIds(id, textIn(inputs.podId));
  if (comparison !== "same") throw unnamed("get_pod", comparison, reads);
  return response;
};

/**
 * Reads the policy of a bucket, which names the bucket by its KRN only: the bucket is read for it. Returns undefined for a 404, with which the API
 * answers for a bucket without a policy.
 */
const bucketPolicy: ObjectReader = async (inputs, reads) => {
  const bucket = await by("get_bucket", "bucketId")(inputs, reads);
  const policy = await reads.find("get_bucket_policy", picked(inputs, ["bucketId"]));
  if (policy === undefined) return undefined;
  const comparison = compareWithAny(
    rowIn(policy).bucketKrn,
    idsOf(bucket, ["krnid", "krn"], inputs.bucketId),
  );
  if (comparison !== "same") throw unnamed("get_bucket_policy", comparison, reads);
  return policy;
};

/** Reads the security group of a rule that is attached to it: no operation shows a rule otherwise. */
const groupWithRule: ObjectReader = async (inputs, reads) => {
  const operation = "list_security_groups";
  const group = await inList(operation, ["vpcId"], { ids: ["id"], id: "securityGroupId" })(inputs, reads);
  if (group === undefined) return undefined;
  const rules = listIn(rowIn(group).rules) ?? [];
  const ids = rules.map((rule) => (typeof rule === "string" ? rule : (rowIn(rule).id ?? null)));
  const comparison = compareList(ids, [textIn(inputs.ruleId)]);
  if (comparison === "unknown") throw unnamed(operation, comparison, reads);
  return comparison === "same" ? group : undefined;
};

/** Reads the account policies of a list of IDs. */
const policies: ObjectReader = async (inputs, reads) => ({
  policies: await Promise.all(
    (listIn(inputs.policyKrns) ?? []).map((policyKrn) =>
      by("get_account_policy", "policyKrn")({ ...picked(inputs, []), policyKrn }, reads),
    ),
  ),
});

const noReader = "No operation with a known request reads it.";

const byInstance = by("get_instance", "instanceKrn");

/** Fields with the ID of a port, which has three names. */
const portIds = ["port_id", "krn_id", "id"];

export const destructions: { readonly [operation: string]: Destruction } = {
  delete_vpc: {
    object: vpcInList,
    companions: [
      {
        about: "the subnets of the VPC",
        read: async (inputs, reads) => ({ rows: await subnetsOf(inputs, reads) }),
      },
      listed("the security groups of the VPC", "list_security_groups", ["vpcId"]),
      listed("the ports of the VPC", "search_port", ["vpcId"]),
      listed("the instances of the VPC, which block the delete", "search_instances", ["vpcId"]),
      listed("the volumes of the VPC, which block the delete", "list_volumes", ["vpcId"]),
      listed("the floating IP addresses of the VPC", "list_floating_ips", ["vpcId"]),
      listed("the networks of the VPC", "search_network", ["vpcId"]),
      listed("the snapshots of the volumes of the VPC", "list_snapshots", ["vpcId"]),
      listed("the backups of the volumes of the VPC", "list_backups", ["vpcId"]),
      templatesWith("VPC", "vpc_id", { id: "vpcId", fields: ["vpcId"] }),
      {
        about:
          "the load balancers, target groups, Kubernetes clusters, sandboxes and private DNS zones of the VPC",
      },
    ],
  },
  delete_subnet: {
    object: async (inputs, reads) =>
      rowOf(await subnetsOf(inputs, reads), (row) => compareRow(row, ["krn"], textIn(inputs.subnetId)), {
        operation: "get_vpc",
        reads,
      }),
    companions: [
      related("the ports of the subnet, which block the delete", "search_port", {
        id: "subnetId",
        comparisonOf: ({ subnet_id: subnet, fixed_ips: addresses }, ids) =>
          bestOf([
            compareWithAny(subnet, ids),
            ...(listIn(addresses) ?? []).map((one) => compareWithAny(rowIn(one).subnet_id ?? subnet, ids)),
          ]),
      }),
      templatesWith("subnet", "subnet_id", { id: "subnetId" }),
    ],
  },
  detach_floating_ip: {
    object: async (inputs, reads) =>
      rowOf(
        await reads.rows("search_port", { ...picked(inputs, []), portId: inputs.portKrn ?? "" }),
        (row) => compareRow(row, portIds, textIn(inputs.portKrn)),
        { operation: "search_port", reads },
      ),
    companions: [{ about: "the reservation of the address, if the API releases it with the detach" }],
  },
  delete_floating_ip: {
    object: inAnyVpc("list_floating_ips", { ids: ["floating_ip_krn"], id: "floatingIpKrn" }),
    companions: [{ about: "the port that was reserved with the address" }],
  },
  delete_security_group: {
    object: inAnyVpc("list_security_groups", { ids: ["id"], id: "securityGroupId" }),
    companions: [
      related("the ports that use the group, which block the delete", "search_port", {
        id: "securityGroupId",
        args: (inputs, { vpcId = "" }) => ({ ...picked(inputs, []), vpcId }),
        comparisonOf: ({ security_group_krns: groups }, ids) => compareList(groups, ids),
      }),
      templatesWith("group", "security_groups", { id: "securityGroupId" }),
      {
        about: "the rules of the group, of which the API shows the IDs only",
        async read(_, __, object) {
          return { rows: listIn(rowIn(object).rules) ?? [] };
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
      return rowOf(rows, (row) => compareRow(row, ["krn"], textIn(imageKrn)), {
        operation: "list_images",
        reads,
      });
    },
    companions: [templatesWith("image", "image_krn", { id: "imageKrn" })],
  },
  delete_instance: {
    object: (inputs, reads) =>
      inputs.instanceKrn === undefined
        ? inAnyVpc("search_instances", { ids: ["task_id"], id: "taskId" })(inputs, reads)
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
          const operation = "list_backups";
          const [ids, volumes] = [
            idsOf(object, ["krn", "id"], inputs.backupId),
            idsOf(object, ["volume_id"]),
          ];
          const rows = (await reads.rows(operation, picked(inputs, ["vpcId"]))).filter(
            (row) => !ids.some((id) => compareRow(row, ["krn", "id"], id) === "same"),
          );
          return belonging(rows, ({ volume_id: volume }) => compareWithAny(volume, volumes), {
            operation,
            reads,
          });
        },
      },
    ],
  },
  restore_backup: {
    object: async (inputs, reads) => ({
      ...rowIn(await by("get_volume", "vpcId", "volumeId")(inputs, reads)),
      restored_from: await by("get_backup", "vpcId", "backupId")(inputs, reads),
    }),
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
        async read(inputs, reads) {
          const policy = await bucketPolicy(inputs, reads);
          return { rows: policy === undefined ? [] : [policy] };
        },
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
  delete_bucket_policy: { object: bucketPolicy },
  delete_access_key: {
    object: inList("list_access_keys", [], { ids: ["access_key", "access_key_id"], id: "accessKey" }),
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
  detach_rule: {
    object: groupWithRule,
    identifier: "ruleId",
    about: "No operation shows a detached rule or its ID, without which it cannot be attached again.",
  },
  attach_account_policy: {
    object: policies,
    identifier: null,
    about: "No tool detaches a policy from the account again, and no operation shows what is attached.",
  },
  detach_account_policy: {
    object: "No operation shows to whom a policy is attached, and none attaches it to another one.",
    identifier: "kcid",
    about: "The attachment is lost: no operation shows it.",
  },
  deactivate_session: { object: "A session is known by its token only, which is a secret." },
  delete_object: {
    object: async (inputs, reads) =>
      keyed(
        await reads.one("get_object_metadata", picked(inputs, ["bucketId", "key"])),
        textIn(inputs.key),
        reads,
      ),
  },
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
    object: pod,
    identifier: "podId",
    when: {
      about: "Whether the disk of a container outlives a stop or a restart is not documented.",
      isMet: ({ action }) => action !== "start",
    },
  },
  delete_pod: {
    object: pod,
    companions: [{ about: "the volume of the pod" }],
  },
  cancel_inference_task: { object: by("get_inference_task", "taskId") },
  delete_checkpoint: {
    // The listing has names, or objects with a name and further fields (docs/contract.md#12).
    object: async ({ checkpoint }, reads) =>
      rowOf(
        (await reads.rows("list_checkpoints", {})).map((row) =>
          typeof row === "string" ? { name: row } : row,
        ),
        ({ name }) => (name === checkpoint ? "same" : textIn(name) === "" ? "unknown" : "other"),
        { operation: "list_checkpoints", reads },
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
        read: async (inputs, reads) => ({
          rows: [await reads.one("list_records", picked(inputs, ["zoneId"]))],
        }),
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
  upload_object: "The request returns a URL and changes no object.",
  put_object_content: "With `isNew`, no object is overwritten.",
  update_pod: "A start loses nothing.",
  assign_roles_and_groups:
    "`list_user_roles` and `list_user_groups` show the former ones, which the same operation sets again.",
  update_load_balancer: "`get_load_balancer_payload` shows the former listeners.",
};
