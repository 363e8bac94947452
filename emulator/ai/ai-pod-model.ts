import { type Cloud, fullKrn, lookUp } from "../model/cloud.ts";
import { isRunningAt, type PowerState, powerActionAt } from "../model/power.ts";
import { isoTime } from "../state/clock.ts";
import { uuidOf } from "../state/id.ts";
import { isDeleting, type Resource } from "../state/store.ts";
import { workState } from "../state/work.ts";

type PodAction = "start" | "stop" | "restart";

/** AI pod with the fields of its create as received (docs/contract.md#10). */
export type Pod = Resource &
  PowerState<PodAction> & {
    readonly fields: Readonly<Record<string, unknown>>;
  };

export const podModel = (cloud: Cloud) => cloud.store.model<Pod>("ai_pod");

/** Returns the `pod_id` of a create in the form that the switch selects (docs/contract.md#17.7). */
export function podIdOf(cloud: Cloud, pod: Pod): string {
  const { podId } = cloud.settings.assume;
  if (podId === "krn") return pod.krn;
  return podId === "uuid" ? uuidOf(pod.krn) : `pod-${uuidOf(pod.krn)}`;
}

/** Returns the pod of a KRN in a path, or of a UUID when creates return UUIDs. */
export function requirePod(cloud: Cloud, id: string): Pod {
  const bare = cloud.settings.assume.podId === "uuid" && !id.includes(":");
  return lookUp(cloud, podModel(cloud), bare ? fullKrn(cloud, id) : id, `pod ${id} not found`);
}

const podTransitions = { start: "starting", stop: "stopping", restart: "restarting" } as const;

/** Returns the status of a pod. Its values are an assumption (docs/contract.md#1.7). */
export function podStatus(pod: Pod, time: number): string {
  if (isDeleting(pod, time)) return "deleting";
  const state = workState(pod.work, time);
  if (state === "failed") return "failed";
  if (state !== "success") return "creating";
  const action = powerActionAt(pod, time);
  if (action !== undefined) return podTransitions[action];
  return isRunningAt(pod, time) ? "running" : "stopped";
}

/** Renders a pod for the read that the switch enables: the fields of its create with id and status. */
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
