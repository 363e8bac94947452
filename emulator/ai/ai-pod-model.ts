import { type Cloud, fullKrn, lookUp } from "../model/cloud.ts";
import { isRunningAt, type PowerState, powerActionAt } from "../model/power.ts";
import { isoTime } from "../state/clock.ts";
import { uuidOf } from "../state/id.ts";
import { isDeleting, type Resource } from "../state/store.ts";
import { workState } from "../state/work.ts";

type PodAction = "start" | "stop" | "restart";

/** An AI pod, with the fields of its create as they came (contract 10). */
export type Pod = Resource &
  PowerState<PodAction> & {
    readonly fields: Readonly<Record<string, unknown>>;
  };

export const podModel = (cloud: Cloud) => cloud.store.model<Pod>("ai_pod");

/** What a create answers as `pod_id`, in the form that the switch asks for (contract 17.7). */
export function podIdOf(cloud: Cloud, pod: Pod): string {
  const { podId } = cloud.settings.assume;
  if (podId === "krn") return pod.krn;
  return podId === "uuid" ? uuidOf(pod.krn) : `pod-${uuidOf(pod.krn)}`;
}

/** The pod of an id in a path: its KRN, or its UUID where that is what creates answer. */
export function requirePod(cloud: Cloud, id: string): Pod {
  const bare = cloud.settings.assume.podId === "uuid" && !id.includes(":");
  return lookUp(cloud, podModel(cloud), bare ? fullKrn(cloud, id) : id, `pod ${id} not found`);
}

const transitionStatuses = { start: "starting", stop: "stopping", restart: "restarting" } as const;

/** The pod's status. No source has its words (contract 1.7). */
export function podStatus(pod: Pod, at: number): string {
  if (isDeleting(pod, at)) return "deleting";
  const state = workState(pod.work, at);
  if (state === "failed") return "failed";
  if (state !== "success") return "creating";
  const action = powerActionAt(pod, at);
  if (action !== undefined) return transitionStatuses[action];
  return isRunningAt(pod, at) ? "running" : "stopped";
}

/** The pod as a read shows it where the switch gives it one: the fields of its create with id and status. */
export function renderPod(cloud: Cloud, pod: Pod): Record<string, unknown> {
  return {
    krn: pod.krn,
    pod_id: podIdOf(cloud, pod),
    ...pod.fields,
    status: podStatus(pod, cloud.now),
    created_at: isoTime(pod.createdAt),
    updated_at: isoTime(pod.updatedAt),
  };
}
