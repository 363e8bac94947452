import { Refusal } from "../http/wire.ts";
import type { Assumptions } from "../settings/assumption/assumption.ts";
import type { Settings } from "../settings/setting.ts";
import type { ContentStore } from "../state/content.ts";
import { krnOf } from "../state/id.ts";
import type { OneTimePasswords } from "../state/one-time-password.ts";
import { existsAt, isDeleting, type Model, type Resource, type Store } from "../state/store.ts";
import { startWork, type Work, workState } from "../state/work.ts";

/** Context of a handler: stored objects, settings, and the time at which the request is executed. */
export type Cloud = {
  readonly store: Store;
  readonly contents: ContentStore;
  readonly settings: Settings;
  readonly passwords: OneTimePasswords;
  readonly now: number;
  /** Returns a switch that decides whether this request is done, or which objects exist after it. Read only where it does. */
  decide<Name extends keyof Assumptions>(name: Name): Assumptions[Name];
  /** Returns the lag of the replica that answers this request, as a share of the listing lag from 0 to 1. */
  readonly replica: () => number;
};

/** Returns the resources that exist now. */
export function existing<T extends Resource>(cloud: Cloud, resources: readonly T[]): T[] {
  return resources.filter((resource) => existsAt(resource, cloud.now));
}

/** Returns the time that listings show: now minus the listing lag (docs/contract.md#1.1, "visibility lags"). */
export function listingTime(cloud: Cloud): number {
  const { listingLagMs, assume } = cloud.settings;
  return cloud.now - listingLagMs * (assume.listingLagOf === "request" ? cloud.replica() : 1);
}

/** Returns the time for which listings show the existence of an object; each object may have a separate lag. */
export function listingTimeOf(cloud: Cloud, { krn }: Pick<Resource, "krn">): number {
  const { listingLagMs, assume } = cloud.settings;
  if (assume.listingLagOf !== "object") return listingTime(cloud);
  return cloud.now - listingLagMs * (Number.parseInt(krn.slice(-4), 16) / 0xffff);
}

/** Returns the resources that a listing shows: those that existed at the listing time. */
export function listed<T extends Resource>(cloud: Cloud, resources: readonly T[]): T[] {
  return resources.filter((resource) => existsAt(resource, listingTimeOf(cloud, resource)));
}

/** Returns true for a resource that a listing shows; deleted ones are shown for `retentionMs` milliseconds. */
export function isShown(cloud: Cloud, resource: Resource, retentionMs: number): boolean {
  const time = listingTimeOf(cloud, resource);
  return (
    resource.createdAt <= time && (resource.goneAt === undefined || time < resource.goneAt + retentionMs)
  );
}

/**
 * Returns the existing resource of a KRN, else throws 404; a masked KRN gets the opaque 400 of the service
 * (docs/contract.md#1.4).
 */
export function lookUp<T extends Resource>(
  cloud: Cloud,
  table: Model<T>,
  krn: string,
  missing: string,
  region?: string,
): T {
  if (krn.includes("***") && krn.split(":").includes("***")) throw new Refusal(400, "invalid krn");
  const resource = table.get(krn);
  if (!resource || !existsAt(resource, cloud.now) || (region !== undefined && resource.region !== region))
    throw new Refusal(404, missing);
  return resource;
}

/** Returns the KRN of an id that may be a bare UUID; an unknown id is returned unchanged. */
export function fullKrn(cloud: Cloud, id: string): string {
  return cloud.store.find(id)?.resource.krn ?? id;
}

/** Returns the existing objects that block the deletion of an object. */
export function dependents(cloud: Cloud, krn: string): Resource[] {
  const dependsOn = (resource: Resource) =>
    resource.parents.includes(krn) || resource.uses?.includes(krn) === true;
  const matching = Object.values(cloud.store.resourcesByKind()).flatMap((resources) =>
    resources.filter(dependsOn),
  );
  return existing(cloud, matching).filter(
    (resource) => !(resource.owned === true && resource.parents[0] === krn),
  );
}

/** Returns the existing objects that were created with an object and are deleted with it. */
export function ownedBy(cloud: Cloud, krn: string): Resource[] {
  const isOwned = (resource: Resource) => resource.owned === true && resource.parents[0] === krn;
  return existing(
    cloud,
    Object.values(cloud.store.resourcesByKind()).flatMap((resources) => resources.filter(isOwned)),
  );
}

/** Returns the KRN of a new resource of the account. */
export const newKrn = ({ store, settings }: Cloud, service: string, region: string, type: string): string =>
  krnOf(settings, service, region, type, store.newUuid(type));

/** Returns the common fields of a new resource. It is ready at once unless the caller overrides `work`. */
export const newResource = (cloud: Cloud, service: string, type: string, region: string) => ({
  krn: newKrn(cloud, service, region, type),
  region,
  createdAt: cloud.now,
  updatedAt: cloud.now,
  work: startWork(cloud.now, 0),
});

/** Starts a deletion that takes `duration` milliseconds. */
export function deleteResource(cloud: Cloud, resource: Resource, duration: number): void {
  resource.deletingAt = cloud.now;
  resource.goneAt = cloud.now + duration;
  resource.updatedAt = cloud.now;
}

/** Handles a repeated delete of an object as the switch selects; false for the first delete. */
export function isRepeatedDelete(cloud: Cloud, resource: Resource, missing: string): boolean {
  if (!isDeleting(resource, cloud.now)) return false;
  const status = cloud.settings.assume.repeatedDelete;
  if (status === 404) throw new Refusal(404, missing);
  if (status === 409) throw new Refusal(409, `${resource.name} is already being deleted`);
  return true;
}

/** Rejects a duplicate name in a VPC (`place` is its KRN) or a region when the switch forbids it. */
export function refuseDuplicateName(
  cloud: Cloud,
  resources: readonly Resource[],
  place: string,
  label: string,
  name: string,
): void {
  const isThere = (resource: Resource) => (resource.parents[0] ?? resource.region) === place;
  const isTaken = existing(cloud, resources).some((resource) => resource.name === name && isThere(resource));
  if (isTaken && !cloud.decide("equalNames")) throw new Refusal(409, `${label} ${name} already exists`);
}

/** Returns the status of a task with the values that the switches select (docs/contract.md#17.2, docs/contract.md#17.4). */
export function taskStatus(cloud: Cloud, work: Work): string {
  const { taskSuccessWord, taskFailureWord } = cloud.settings.assume;
  const state = workState(work, cloud.now);
  if (state === "success") return taskSuccessWord;
  return state === "failed" ? taskFailureWord : state;
}

/** Rejects a region that the switch `regions` does not list with 404; an absent one, or any if the list is empty, is accepted. */
export function requireKnownRegion(header: string, region: string | undefined, { assume }: Settings): void {
  const { regions } = assume;
  if (region === undefined || regions.length === 0 || regions.includes(region)) return;
  throw new Refusal(404, `header ${header}: no region ${region}; there are ${regions.join(", ")}`);
}

/** Returns true when the object was created and is not being deleted. */
export function isReady(cloud: Cloud, resource: Resource): boolean {
  return workState(resource.work, cloud.now) === "success" && !isDeleting(resource, cloud.now);
}
