import { existsAt, isDeleting, type Resource } from "../state/store.ts";
import { type Work, workState } from "../state/work.ts";
import { type Cloud, isShown, lookUp } from "./cloud.ts";
import { isRunningAt, type PowerState, powerActionAt } from "./power.ts";

type PowerAction = "start" | "stop" | "reboot";

/** Task of an instance, readable by `get_instance_task_status`. */
export type Task = { readonly id: string; readonly work: Work };

/** Instance. Its parents are VPC and subnet; it uses its boot volume. */
export type Instance = Resource &
  PowerState<PowerAction> & {
    readonly flavor: string;
    readonly image: string | null;
    readonly sshKey: { readonly name: string; readonly uuid: string };
    /** Only port of the instance, with its address and security groups. */
    readonly portKrn: string;
    readonly volume: { readonly krn: string; readonly size: number; readonly attachmentId: string };
    readonly deleteOnTermination: boolean;
    readonly userData: string;
    readonly tags: readonly { readonly key: string; readonly value: string }[];
    readonly isGpu: boolean;
    /** Batch that created the instance. */
    readonly batchId: string | null;
    /** Step at which a failing creation fails. */
    readonly failedStep: "volume" | "boot";
    deleteProtection: boolean;
    /** Tasks in order of their start; the first is the create. */
    tasks: readonly Task[];
  };

export const instanceModel = (cloud: Cloud) => cloud.store.model<Instance>("instance");

/** Returns the instance of a KRN in a region; else 404. */
export function requireInstance(cloud: Cloud, krn: string, region?: string): Instance {
  return lookUp(cloud, instanceModel(cloud), krn, `instance ${krn} not found`, region);
}

const instanceTransitions = { start: "STARTING", stop: "STOPPING", reboot: "REBOOT" } as const;

/** Returns the status of an instance (docs/contract.md#6) with the values that the switches select. */
export function instanceStatus(cloud: Cloud, instance: Instance, time: number): string {
  const { buildingWord, failedWord, stoppedWord } = cloud.settings.assume;
  if (!existsAt(instance, time)) return "deleted";
  if (isDeleting(instance, time)) return "DELETING";
  const state = workState(instance.work, time);
  if (state === "failed") return failedWord;
  if (state !== "success") return buildingWord;
  const action = powerActionAt(instance, time);
  if (action !== undefined) return instanceTransitions[action];
  return isRunningAt(instance, time) ? "ACTIVE" : stoppedWord;
}

/** Returns the instances of a VPC that the search shows, oldest first. The switch sets how long deleted ones are shown. */
export function searchable(cloud: Cloud, vpcKrn: string): Instance[] {
  const retentionMs = cloud.settings.assume.instanceListKeepsDeadMs;
  return instanceModel(cloud)
    .all()
    .filter(({ parents: [vpc] }) => vpc === vpcKrn)
    .filter((resource) => isShown(cloud, resource, retentionMs));
}

/** Adds a task to an instance and returns its id. */
export function addTask(cloud: Cloud, instance: Instance, work: Work): string {
  const id = cloud.store.newUuid("task");
  instance.tasks = [...instance.tasks, { id, work }];
  instance.updatedAt = cloud.now;
  return id;
}
