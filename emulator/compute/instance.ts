import * as z from "zod";
import { attachmentsWith } from "../block-storage/volume-attachment-model.ts";
import { volumeModel } from "../block-storage/volume-model.ts";
import { Refusal } from "../http/wire.ts";
import { type Cloud, deleteResource, existing, isRepeatedDelete } from "../model/cloud.ts";
import { addTask, type Instance, instanceModel, instanceStatus, requireInstance } from "../model/instance.ts";
import { operation } from "../model/operation.ts";
import { startPowerAction } from "../model/power.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { flag, regional, text } from "../model/schema.ts";
import { deletePort, floatingIpsByPort } from "../network/floating-ip-model.ts";
import { portModel } from "../network/port-model.ts";
import { networkOf, vpcModel } from "../network/vpc-model.ts";
import { startWork, workState } from "../state/work.ts";
import { createInstances } from "./instance-create.ts";
import { type InstanceBody, instanceBody } from "./instance-plan.ts";
import { instanceReads } from "./instance-read.ts";

const createInstance = operation({
  name: "create_instance",
  method: "POST",
  path: "/vm/v1/create_instance_async",
  section: "6",
  source: "seed",
  headers: regional,
  body: instanceBody,
  handle(cloud, { headers, body }) {
    if (body.network_id !== undefined)
      throw new Refusal(400, "network_id: must not be sent; it follows from the VPC and the subnet");
    const [instance] = createInstances(cloud, body, headers["x-region"]);
    return {
      status: 202,
      body: { message: "instance creation accepted", task_id: instance?.tasks[0]?.id },
    };
  },
});

/** Rejects the delete of an instance that is protected or being created. */
function checkDelete(cloud: Cloud, instance: Instance): void {
  if (instance.deleteProtection)
    throw new Refusal(
      cloud.settings.assume.protectedDelete,
      `instance ${instance.name} is protected from deletion`,
    );
  if (cloud.now < instance.work.endsAt && cloud.decide("buildingDelete") === "refuse")
    throw new Refusal(409, `instance ${instance.name} is being created`);
}

/**
 * Deletes an instance, detaches its additional volumes and, with `withVolume`, deletes its boot volume, which takes one
 * more task duration. Returns the id of the task.
 */
function removeInstance(cloud: Cloud, instance: Instance, withVolume: boolean): string {
  const { taskMs } = cloud.settings;
  deleteResource(cloud, instance, taskMs);
  for (const attachment of attachmentsWith(cloud, instance.krn)) deleteResource(cloud, attachment, taskMs);
  const port = portModel(cloud).get(instance.portKrn);
  if (port?.parents.includes(instance.krn)) deletePort(cloud, port, taskMs);
  const volume = volumeModel(cloud).get(instance.volume.krn);
  if (withVolume && volume && volume.deletingAt === undefined) deleteResource(cloud, volume, 2 * taskMs);
  return addTask(cloud, instance, startWork(cloud.now, taskMs));
}

/** Returns the instances of a delete: by KRN, or by the task of a failed create (docs/contract.md#6). */
function namedInstances(
  cloud: Cloud,
  query: { instanceKrn?: string | undefined; task_id?: string | undefined },
  region: string,
): Instance[] {
  const { instanceKrn, task_id: taskId } = query;
  if ((instanceKrn === undefined) === (taskId === undefined))
    throw new Refusal(400, "query instanceKrn: it or task_id is required, not both");
  if (instanceKrn !== undefined) return [requireInstance(cloud, instanceKrn, region)];
  const instances = existing(cloud, instanceModel(cloud).all()).filter(
    (resource) => resource.tasks[0]?.id === taskId && resource.region === region,
  );
  if (instances.length === 0) throw new Refusal(404, "Record not found");
  if (instances.some((resource) => workState(resource.work, cloud.now) !== "failed"))
    throw new Refusal(400, "query task_id: only for a create that failed; name the instance by its KRN");
  return instances;
}

const deleteQuery = z.strictObject({
  instanceKrn: text.optional(),
  task_id: text.optional(),
  deleteVolume: flag.optional(),
});

/** Deletes the instances of the query; returns the id of the task. */
function deleteNamed(cloud: Cloud, query: z.output<typeof deleteQuery>, region: string): string | undefined {
  const instances = namedInstances(cloud, query, region);
  const waiting = instances.filter(
    (resource) => !isRepeatedDelete(cloud, resource, `instance ${resource.krn} not found`),
  );
  for (const instance of waiting) checkDelete(cloud, instance);
  const ids = waiting.map((resource) =>
    removeInstance(cloud, resource, query.deleteVolume ?? resource.deleteOnTermination),
  );
  return ids[0] ?? instances[0]?.tasks.at(-1)?.id;
}

const deleteInstance = operation({
  name: "delete_instance",
  method: "DELETE",
  path: "/vm/v1/delete_instance_async",
  section: "6",
  source: "seed",
  headers: regional,
  query: deleteQuery,
  handle(cloud, { headers, query }) {
    const taskId = deleteNamed(cloud, query, headers["x-region"]);
    return { status: 202, body: { message: "instance deletion accepted", task_id: taskId } };
  },
});

const controlInstance = operation({
  name: "control_instance",
  method: "PUT",
  path: "/vm/v1/instance/{instance}",
  section: "6",
  source: "client",
  headers: regional,
  body: z.strictObject({ action: z.enum(["start", "stop", "reboot"]) }),
  handle(cloud, { headers, body: { action }, path }) {
    const instance = requireInstance(cloud, path.instance, headers["x-region"]);
    const status = instanceStatus(cloud, instance, cloud.now);
    const work = startPowerAction(cloud, instance, action, { what: `instance ${instance.name}`, status });
    const taskId = addTask(cloud, instance, work);
    const result = { message: `${action} accepted`, status: "accepted" };
    return { status: 202, body: { instance_krn: instance.krn, ...result, task_id: taskId } };
  },
});

function checkNetwork(cloud: Cloud, { network_id, vpc_id }: InstanceBody): void {
  const vpc = vpcModel(cloud).get(vpc_id);
  // One client requires network_id, the seed document forbids it (docs/contract.md#16): it is optional here.
  if (vpc && network_id !== undefined && network_id !== networkOf(cloud, vpc)?.krn)
    throw new Refusal(404, `network ${network_id} not found in VPC ${vpc.name}`);
}

const createInstanceSync = operation({
  name: "create_instance_sync",
  method: "POST",
  path: "/vm/v1/create_instance",
  section: "6",
  source: "client",
  body: instanceBody,
  handle(cloud, { body }) {
    const { taskMs, assume } = cloud.settings;
    if (body.count > 1) throw new Refusal(400, "count: must be 1");
    checkNetwork(cloud, body);
    const [instance] = createInstances(cloud, body, body.region);
    const { portKrn, volume, krn, work } = instance as Instance;
    const floatingIp = floatingIpsByPort(cloud).get(portKrn);
    if (taskMs > assume.syncTimeoutMs)
      return { status: 504, afterMs: assume.syncTimeoutMs, body: { message: "gateway timeout" } };
    if (work.failure !== undefined)
      return { status: 500, afterMs: taskMs, body: { status: "failed", message: work.failure } };
    const created = {
      instance_krn: krn,
      port_krn: portKrn,
      volume_krn: volume.krn,
      floating_ip_krn: floatingIp?.krn ?? null,
      floating_ip_address: floatingIp?.address ?? null,
    };
    return { status: 200, afterMs: taskMs, body: created };
  },
});

const deleteInstanceSync = operation({
  name: "delete_instance_sync",
  method: "DELETE",
  path: "/vm/v1/delete_instance",
  section: "6",
  source: "client",
  query: deleteQuery.required({ instanceKrn: true }),
  handle(cloud, { query }) {
    const { region } = requireInstance(cloud, query.instanceKrn);
    const taskId = deleteNamed(cloud, query, region);
    const body = { message: "instance deleted", status: "success", task_id: taskId };
    return { status: 200, afterMs: cloud.settings.taskMs, body };
  },
});

/** Instances. */
export const instanceKind: ResourceKind = {
  name: "instance",
  operations: [
    createInstance,
    createInstanceSync,
    ...instanceReads,
    deleteInstance,
    deleteInstanceSync,
    controlInstance,
  ],
};
