import { insertVolume, type Volume, volumeModel } from "../block-storage/volume-model.ts";
import { failureByName, refuseByName } from "../fault/sentinel.ts";
import { type Cloud, newResource, refuseDuplicateName } from "../model/cloud.ts";
import { type Instance, instanceModel } from "../model/instance.ts";
import { insertFloatingIp } from "../network/floating-ip-model.ts";
import { insertPort } from "../network/port-model.ts";
import { networkOf, type Vpc } from "../network/vpc-model.ts";
import { uuidOf } from "../state/id.ts";
import { startWork } from "../state/work.ts";
import { type BootSource, type InstanceBody, type InstancePlan, planInstances } from "./instance-plan.ts";

/** Fields that differ between the instances of one request. */
export type NewInstance = {
  readonly name: string;
  readonly taskId: string;
  /** Reason why the creation fails; undefined when it succeeds. */
  readonly failure: string | undefined;
};

function bootVolume(cloud: Cloud, vpc: Vpc, boot: BootSource): Volume {
  if ("volume" in boot) return boot.volume;
  const { image, name, size, volumeType } = boot;
  return insertVolume(cloud, vpc, {
    name,
    size,
    volumeType,
    availabilityZone: "nova",
    source: { type: "image", id: image },
    work: startWork(cloud.now, Math.floor(cloud.settings.taskMs / 2), failureByName(name)),
  });
}

/** Assigns the requested port or a new one to an instance; returns the port's KRN. */
function assignPort(
  cloud: Cloud,
  plan: InstancePlan,
  device: { krn: string; name: string },
  i: number,
): string {
  const { body, vpc, addresses, publicAddresses } = plan;
  const uses = [...new Set(body.security_groups)];
  const requested = plan.port;
  if (requested) Object.assign(requested, { uses, device: device.krn, updatedAt: cloud.now });
  const data = { name: `${device.name}-port`, parents: [device.krn], uses, device: device.krn };
  const network = { networkKrn: networkOf(cloud, vpc)?.krn ?? "", ip: addresses[i] ?? "" };
  const port = requested ?? insertPort(cloud, plan, { ...data, ...network });
  const address = publicAddresses[i];
  if (address !== undefined)
    insertFloatingIp(cloud, port, {
      address,
      name: `${device.name}-ip`,
      reservedPort: null,
      deletedWithPort: !requested,
    });
  return port.krn;
}

/** Inserts the planned instances with their ports and boot volumes. */
export function insertInstances(
  cloud: Cloud,
  plan: InstancePlan,
  members: readonly NewInstance[],
  batchId: string | null = null,
): Instance[] {
  const { body, vpc, subnet, sshKey } = plan;
  const failedVolume = body.volume_name === undefined ? undefined : failureByName(body.volume_name);
  return members.map(({ name, taskId, failure }, i) => {
    const work = startWork(cloud.now, cloud.settings.taskMs, failedVolume ?? failure);
    const volume = bootVolume(cloud, vpc, plan.boot);
    const resource = newResource(cloud, "vm", "instance", vpc.region);
    return instanceModel(cloud).insert({
      ...resource,
      name,
      parents: [vpc.krn, subnet.krn],
      uses: [volume.krn],
      work,
      flavor: body.instanceType,
      image: body.image_krn ?? null,
      sshKey: { name: sshKey.name, uuid: uuidOf(sshKey.krn) },
      portKrn: assignPort(cloud, plan, { krn: resource.krn, name }, i),
      volume: { krn: volume.krn, size: volume.size, attachmentId: cloud.store.newUuid("attachment") },
      deleteOnTermination: body.delete_on_termination,
      userData: body.user_data,
      tags: body.tags,
      isGpu: body.isGpu,
      batchId,
      failedStep: failedVolume === undefined ? "boot" : "volume",
      deleteProtection: cloud.settings.assume.instancesProtected,
      running: true,
      tasks: [{ id: taskId, work }],
    });
  });
}

function checkNames(cloud: Cloud, vpc: Vpc, body: InstanceBody): void {
  refuseDuplicateName(cloud, instanceModel(cloud).all(), vpc.krn, "instance", body.instanceName);
  if (body.volume_name !== undefined)
    refuseDuplicateName(cloud, volumeModel(cloud).all(), vpc.krn, "volume", body.volume_name);
}

/** Creates `count` instances that share one task. */
export function createInstances(cloud: Cloud, body: InstanceBody, region: string): Instance[] {
  const { instanceName, volume_name: volumeName, count } = body;
  refuseByName(instanceName);
  if (volumeName !== undefined) refuseByName(volumeName);
  const plan = planInstances(cloud, body, region);
  checkNames(cloud, plan.vpc, body);
  const taskId = cloud.store.newUuid("task");
  const failure = failureByName(instanceName);
  // No source shows the names of several instances: here they have numbers.
  const names =
    count === 1 ? [instanceName] : Array.from({ length: count }, (_, i) => `${instanceName}-${i + 1}`);
  return insertInstances(
    cloud,
    plan,
    names.map((name) => ({ name, taskId, failure })),
  );
}
