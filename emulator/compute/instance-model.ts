import { type Cloud, listingTime, lookUp } from "../model/cloud.ts";
import { isRunningAt, type PowerState, powerActionAt } from "../model/power.ts";
import { existsAt, isDeleting, type Resource } from "../state/store.ts";
import { type Work, workState } from "../state/work.ts";

type PowerAction = "start" | "stop" | "reboot";

/** Work on a machine that `get_instance_task_status` tells about. */
export type Task = { readonly id: string; readonly work: Work };

/** A machine. Its parents are VPC and subnet; it uses its boot volume. */
export type Instance = Resource &
  PowerState<PowerAction> & {
    readonly flavor: string;
    readonly image: string | null;
    readonly sshKey: { readonly name: string; readonly uuid: string };
    /** Its one port, which holds its address and its groups. */
    readonly portKrn: string;
    readonly volume: { readonly krn: string; readonly size: number; readonly attachmentId: string };
    readonly deleteOnTermination: boolean;
    readonly userData: string;
    readonly tags: readonly { readonly key: string; readonly value: string }[];
    readonly isGpu: boolean;
    /** The batch that it was made in. */
    readonly batchId: string | null;
    /** What its making fails at, if it does. */
    readonly failedStep: "volume" | "boot";
    deleteProtection: boolean;
    /** Oldest first: the create comes first. */
    tasks: readonly Task[];
  };

export const instanceModel = (cloud: Cloud) => cloud.store.model<Instance>("instance");

/** The machine of a KRN, in the region asked for; 404 otherwise. */
export function requireInstance(cloud: Cloud, krn: string, region?: string): Instance {
  return lookUp(cloud, instanceModel(cloud), krn, `instance ${krn} not found`, region);
}

const transitionStatuses = { start: "STARTING", stop: "STOPPING", reboot: "REBOOT" } as const;

/** The machine's status (contract 6), in the words that the switches ask for. */
export function instanceStatus(cloud: Cloud, instance: Instance, at: number): string {
  const { buildingWord, failedWord, stoppedWord } = cloud.settings.assume;
  if (!existsAt(instance, at)) return "deleted";
  if (isDeleting(instance, at)) return "DELETING";
  const state = workState(instance.work, at);
  if (state === "failed") return failedWord;
  if (state !== "success") return buildingWord;
  const action = powerActionAt(instance, at);
  if (action !== undefined) return transitionStatuses[action];
  return isRunningAt(instance, at) ? "ACTIVE" : stoppedWord;
}

/** The machines of a VPC as the search shows them, dead ones for as long as the switch keeps them; oldest first. */
export function searchable(cloud: Cloud, vpcKrn: string): Instance[] {
  const at = listingTime(cloud);
  const kept = cloud.settings.assume.instanceListKeepsDeadMs;
  return instanceModel(cloud)
    .all()
    .filter((resource) => resource.parents[0] === vpcKrn && resource.createdAt <= at)
    .filter((resource) => resource.goneAt === undefined || at < resource.goneAt + kept);
}

/** Puts work on the machine under an id that its tasks are asked by; the id. */
export function addTask(cloud: Cloud, instance: Instance, work: Work): string {
  const id = cloud.store.newUuid("task");
  instance.tasks = [...instance.tasks, { id, work }];
  instance.updatedAt = cloud.now;
  return id;
}
