import { type Cloud, listedAt, lookUp } from "./cloud.ts";
import { isDeleting, isLive, type Row } from "./store.ts";
import { type Work, workState } from "./task.ts";

export type PowerAction = "start" | "stop" | "reboot";

/** Work on a machine that `get_instance_task_status` tells about. */
export type Task = { readonly id: string; readonly work: Work };

/** A machine. Its parents are VPC and subnet; it uses its groups and its boot volume. */
export type Instance = Row & {
  readonly flavor: string;
  readonly image: string | null;
  readonly sshKey: { readonly name: string; readonly uuid: string };
  readonly networkKrn: string;
  readonly port: { readonly krn: string; readonly mac: string; readonly ip: string };
  readonly floatingIp: { readonly krn: string; readonly address: string } | null;
  securityGroups: readonly string[];
  readonly volume: { readonly krn: string; readonly size: number; readonly attachmentId: string };
  readonly deleteOnTermination: boolean;
  readonly userData: string;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
  readonly isGpu: boolean;
  /** What its making fails at, if it does. */
  readonly failedStep: "volume" | "boot";
  deleteProtection: boolean;
  /** Whether it ran before the last power action. */
  running: boolean;
  /** The last power action; its effect shows when its time is over. */
  move?: { readonly action: PowerAction; readonly work: Work };
  /** Oldest first: the create comes first. */
  tasks: readonly Task[];
};

export const instanceTable = (cloud: Cloud) => cloud.store.table<Instance>("instance");

/** The machine of a KRN, in the region asked for; 404 otherwise. */
export function requireInstance(cloud: Cloud, krn: string, region?: string): Instance {
  return lookUp(cloud, instanceTable(cloud), krn, `instance ${krn} not found`, region);
}

/** Whether the machine runs, or would once its power action is over. */
export function runsAt(instance: Instance, at: number): boolean {
  const { move } = instance;
  if (move === undefined || workState(move.work, at) !== "success") return instance.running;
  return move.action !== "stop";
}

export function isMoving(instance: Instance, at: number): boolean {
  return instance.move !== undefined && at < instance.move.work.endsAt;
}

const movingWords = { start: "STARTING", stop: "STOPPING", reboot: "REBOOT" } as const;

/** The machine's status (contract 6), in the words that the switches ask for. */
export function instanceStatus(cloud: Cloud, instance: Instance, at: number): string {
  const { buildingWord, failedWord, stoppedWord } = cloud.settings.assume;
  if (!isLive(instance, at)) return "deleted";
  if (isDeleting(instance, at)) return "DELETING";
  const state = workState(instance.work, at);
  if (state === "failed") return failedWord;
  if (state !== "success") return buildingWord;
  if (instance.move && isMoving(instance, at)) return movingWords[instance.move.action];
  return runsAt(instance, at) ? "ACTIVE" : stoppedWord;
}

/** The machines of a VPC as the search shows them, dead ones for as long as the switch keeps them; oldest first. */
export function searchable(cloud: Cloud, vpcKrn: string): Instance[] {
  const at = listedAt(cloud);
  const kept = cloud.settings.assume.instanceListKeepsDeadMs;
  return instanceTable(cloud)
    .all()
    .filter((row) => row.parents[0] === vpcKrn && row.createdAt <= at)
    .filter((row) => row.goneAt === undefined || at < row.goneAt + kept);
}

/** The machine that a volume is attached to. */
export function attachedTo(cloud: Cloud, volumeKrn: string, at: number): Instance | undefined {
  return instanceTable(cloud)
    .all()
    .find((row) => row.volume.krn === volumeKrn && isLive(row, at));
}

/** The same for all volumes at once, by the volume's KRN. */
export function attachmentsAt(cloud: Cloud, at: number): ReadonlyMap<string, Instance> {
  const rows = instanceTable(cloud).all();
  return new Map(rows.filter((row) => isLive(row, at)).map((row) => [row.volume.krn, row]));
}
