import * as z from "zod/mini";
import { matchesMasked } from "../../provider/core/krn.ts";
import { includesIgnoreCase } from "../../provider/core/string.ts";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { maybe, maybeAmount, maybeText } from "../../provider/definition/validator.ts";
import type { TaskState } from "../../provider/definition/verb.ts";

/**
 * Instances in responses of the API (docs/contract.md#6): some fields have two spellings, and the format of the items of
 * some lists is not documented.
 */

const port = z.object({ krn: z.string(), fixed_ip: maybeText, floating_ip: maybeText });
const items = maybe(z.array(z.unknown()));
/** Schema of an instance in a response. */
export const wire = z.object({
  krn: maybeText,
  task_id: maybeText,
  vm_name: maybeText,
  instanceName: maybeText,
  flavor_name: maybeText,
  instanceType: maybeText,
  status: maybeText,
  vpcId: maybeText,
  project_krn: maybeText,
  subnetId: maybeText,
  sshkey_name: maybeText,
  security_groups: items,
  tags: items,
  volume_krn: maybeText,
  volumes: items,
  ip_fixed: maybeText,
  ipAddress: maybeText,
  floatingIpAddress: maybeText,
  floating_ip_krn: maybeText,
  networkId: maybeText,
  batch_id: maybeText,
  delete_protection_status: maybe(z.union([z.string(), z.boolean()])),
  port_krn: maybeText,
  network_ports: maybe(z.array(port)),
  vm_volume_disk_size: maybeAmount,
  created_at: maybeText,
  createdAt: maybeText,
  failed_step: maybeText,
  failure_reason: maybeText,
});

/** Route that reads one instance by its KRN. */
export const getInstance = endpoint("read", "GET /v1/highlvlvpc/instance", wire);
/** Route that starts, stops or reboots an instance. */
export const controlInstance = endpoint("action", "PUT /vm/v1/instance/{instance}", undefined, {
  body: json<{ action: string }>(),
});
/** Route that deletes an instance. */
export const deleteInstance = endpoint("delete", "DELETE /vm/v1/delete_instance_async");
/**
 * Returns the query that selects the instance to delete: by its KRN, or by the task of a create that failed before the
 * instance had a KRN (docs/contract.md#6).
 */
export const deletedBy = (id: string) => (id.startsWith("krn:") ? { instanceKrn: id } : { task_id: id });

/** Status of a running instance. */
export const runningStatus = "ACTIVE";
/** Statuses of a stopped instance; none is documented (docs/contract.md#17.4). */
export const stoppedStatuses: readonly string[] = ["SHUTOFF", "STOPPED", "SHUTDOWN"];
/** Statuses of an instance after a failed create or a later failed operation. */
export const failedStatuses: readonly string[] = ["ERROR", "failed", "failure"];
/** Statuses of an instance with an operation in progress. */
export const pendingStatuses: readonly string[] = [
  ...["BUILD", "BUILDING", "CREATING", "PENDING", "PROCESSING", "QUEUED", "SCHEDULING", "SPAWNING"],
  ...["STARTING", "STOPPING", "REBOOT", "HARD_REBOOT", "REBOOTING", "RESTARTING", "DELETING"],
];
/** Statuses of a created instance, running or stopped. */
export const readyStatuses: readonly string[] = [runningStatus, ...stoppedStatuses];

/** Returns true if the status means that the create is complete. */
export const isReady = (status: string | undefined): boolean => includesIgnoreCase(readyStatuses, status);

/** Converts an instance of a response. Without a KRN, its id is the create task (docs/contract.md#6). */
export function observed(row: z.infer<typeof wire>, vpcId: string, region: string) {
  const home = row.vpcId ?? row.project_krn ?? vpcId;
  const status = row.status ?? "";
  return {
    id: row.krn ?? row.task_id ?? "",
    task: row.task_id,
    taskId: row.task_id,
    vpcId: matchesMasked(home, vpcId) ? vpcId : home,
    name: row.vm_name ?? row.instanceName,
    instanceType: row.flavor_name ?? row.instanceType,
    subnetId: row.subnetId,
    sshkeyName: row.sshkey_name,
    securityGroups: row.security_groups && texts(row.security_groups),
    tags: row.tags && labels(row.tags),
    bootVolume: undefined as BootVolumeSize | undefined,
    bootVolumeSizeGb: row.vm_volume_disk_size || undefined,
    powerState: isReady(status) ? instancePower(status) : undefined,
    status,
    failureReason: [row.failed_step, row.failure_reason].filter(Boolean).join(": ") || undefined,
    bootVolumeId: row.volume_krn ?? texts(row.volumes ?? [])?.[0],
    ipAddress: row.ip_fixed ?? row.ipAddress,
    floatingIpAddress: row.floatingIpAddress,
    floatingIpId: row.floating_ip_krn || undefined,
    networkId: row.networkId || undefined,
    batchId: row.batch_id || undefined,
    deleteProtectionStatus: row.delete_protection_status?.toString(),
    portId: row.port_krn || row.network_ports?.[0]?.krn,
    networkPorts: row.network_ports?.map(
      (port): Port => ({
        krn: port.krn,
        ...(port.fixed_ip && { fixedIp: port.fixed_ip }),
        ...(port.floating_ip && { floatingIp: port.floating_ip }),
      }),
    ),
    createdAt: row.created_at ?? row.createdAt,
    region,
  };
}

const instancePower = (status: string): "running" | "stopped" =>
  includesIgnoreCase(stoppedStatuses, status) ? "stopped" : "running";

/** Returns a list of texts, such as ids; undefined if an item is not a text. */
const texts = (items: readonly unknown[]): string[] | undefined => {
  const found = items.filter((item) => typeof item === "string");
  return found.length === items.length ? found : undefined;
};

const labelList = z.array(z.object({ key: z.string(), value: z.string() }));

function labels(items: readonly unknown[]): Record<string, string> | undefined {
  const { data } = labelList.safeParse(items);
  return data && Object.fromEntries(data.map(({ key, value }) => [key, value]));
}

/** Network port with the field names of the definition. */
export interface Port {
  readonly krn: string;
  readonly fixedIp?: string | undefined;
  readonly floatingIp?: string | undefined;
}

/** Size of a boot volume in GB, as far as a response shows it. */
export interface BootVolumeSize {
  readonly sizeGb: number | undefined;
}

/** Values that a response may omit. */
interface Omittable {
  readonly bootVolume?: { readonly sizeGb?: number | undefined } | undefined;
  readonly bootVolumeSizeGb?: number | undefined;
  readonly subnetId?: string | undefined;
  readonly portId?: string | undefined;
  readonly sshkeyName?: string | undefined;
  readonly securityGroups?: string[] | undefined;
  readonly tags?: Record<string, string> | undefined;
  readonly ipAddress?: string | undefined;
  readonly floatingIpAddress?: string | undefined;
  readonly networkPorts?: Port[] | undefined;
}

/**
 * Completes a row with the recorded values that it omits. Recorded ports are used only if one of them has the addresses in
 * the row.
 */
export function filled<R extends Omittable>(row: R, recorded: Omittable): R {
  const { subnetId, portId, sshkeyName, securityGroups, tags, networkPorts = [] } = recorded;
  const sizeGb = row.bootVolumeSizeGb ?? recorded.bootVolumeSizeGb;
  const same = networkPorts.some(
    ({ fixedIp, floatingIp }) => fixedIp === row.ipAddress && floatingIp === row.floatingIpAddress,
  );
  return {
    ...row,
    // An instance whose boot volume is not configured has no group: an import selects the volume by its id.
    bootVolume: recorded.bootVolume === undefined || sizeGb === undefined ? undefined : { sizeGb },
    bootVolumeSizeGb: sizeGb,
    subnetId: row.subnetId ?? subnetId,
    portId: row.portId ?? portId,
    sshkeyName: row.sshkeyName ?? sshkeyName,
    securityGroups: row.securityGroups ?? securityGroups,
    tags: row.tags ?? tags,
    networkPorts: row.networkPorts ?? (same ? networkPorts : undefined),
  };
}

/**
 * Returns true if a response shows the recorded size of the boot volume. Otherwise only the volume shows its size: that of the
 * instance may be the one of its create (docs/contract.md#6).
 */
export const hasBootVolumeSize = (instance: Omittable, { bootVolume }: Omittable): boolean =>
  bootVolume === undefined ||
  (instance.bootVolume !== undefined && instance.bootVolumeSizeGb === bootVolume.sizeGb);

/** Inputs of a create with the field names of the definition. */
interface InstanceInputs {
  readonly name: string;
  readonly instanceType: string;
  readonly region: string;
  readonly vpcId: string;
  readonly subnetId: string;
  readonly sshkeyName: string;
  readonly securityGroups: readonly string[];
  readonly bootVolume?: BootVolume | undefined;
  readonly volumeId?: string | undefined;
  readonly deleteVolume: boolean;
  readonly floatingIp: boolean;
  readonly encoded: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly portId?: string | undefined;
  readonly isGpu: boolean;
  readonly easydeployType?: string | undefined;
  readonly gatewayPassword?: string | undefined;
  readonly modelName?: string | undefined;
  readonly modelApiKey?: string | undefined;
}
interface BootVolume {
  readonly imageKrn: string;
  readonly name?: string | undefined;
  readonly sizeGb: number;
  readonly volumeType: string;
}

/** Returns the default name of the boot volume of an instance. */
export const bootVolumeName = (instance: string): string => `${instance}-volume`;

/** Body of a create (docs/contract.md#6). */
export interface CreateBody {
  readonly instanceName: string;
  readonly instanceType: string;
  readonly region: string;
  readonly vpc_id: string;
  readonly subnet_id: string;
  readonly sshkey_name: string;
  readonly security_groups: readonly string[];
  readonly image_krn: string | undefined;
  readonly volume_name: string | undefined;
  readonly volume_size: number | undefined;
  readonly volumetype: string | undefined;
  readonly volumes: readonly string[] | undefined;
  readonly delete_on_termination: boolean;
  readonly floating_ip: boolean;
  readonly user_data: string | undefined;
  readonly tags: readonly { readonly key: string; readonly value: string }[] | undefined;
  readonly count?: number;
  readonly port_krn: string | undefined;
  readonly isGpu: boolean;
  readonly easydeploy_type: string | undefined;
  readonly gateway_password: string | undefined;
  readonly model_name: string | undefined;
  readonly model_api_key: string | undefined;
}

/** Builds the body of a create. An omitted `count` is 1, and `network_id` must not be sent (docs/contract.md#6). */
export const createBody = ({ bootVolume, volumeId, tags, ...wanted }: InstanceInputs): CreateBody => ({
  instanceName: wanted.name,
  instanceType: wanted.instanceType,
  region: wanted.region,
  vpc_id: wanted.vpcId,
  subnet_id: wanted.subnetId,
  sshkey_name: wanted.sshkeyName,
  security_groups: wanted.securityGroups,
  image_krn: bootVolume?.imageKrn,
  volume_name: bootVolume && (bootVolume.name ?? bootVolumeName(wanted.name)),
  volume_size: bootVolume?.sizeGb,
  volumetype: bootVolume?.volumeType,
  volumes: volumeId === undefined ? undefined : [volumeId],
  delete_on_termination: wanted.deleteVolume,
  floating_ip: wanted.floatingIp,
  user_data: wanted.encoded,
  tags: tags && Object.entries(tags).map(([key, value]) => ({ key, value })),
  port_krn: wanted.portId,
  isGpu: wanted.isGpu,
  easydeploy_type: wanted.easydeployType,
  gateway_password: wanted.gatewayPassword,
  model_name: wanted.modelName,
  model_api_key: wanted.modelApiKey,
});

export const taskWire = z.object({ status: maybeText, message: maybeText });

/** Converts the state of a task. An unknown status means that the task is in progress (docs/contract.md#17.4). */
export function taskState({ status = "", message }: z.infer<typeof taskWire>): TaskState {
  const done = includesIgnoreCase(["SUCCESS", "COMPLETED", "DONE", "ACTIVE"], status);
  const failed = includesIgnoreCase(["FAILED", "FAILURE", "ERROR", "CANCELLED"], status);
  return { status: done ? "done" : failed ? "failed" : "running", detail: message ?? status };
}

/** Routes of the creation of an instance. */
export const instanceRoutes = {
  create: endpoint(
    "create",
    "POST /vm/v1/create_instance_async",
    z.optional(z.object({ task_id: maybeText })),
    { body: json<CreateBody>() },
  ),
  task: endpoint("read", "GET /vm/v1/get_instance_task_status", taskWire),
};
