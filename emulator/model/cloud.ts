import type { OneTimePasswords } from "../auth/one-time-password.ts";
import { Refusal } from "../http/wire.ts";
import type { Settings } from "../settings/setting.ts";
import type { ContentStore } from "../state/content.ts";
import { existsAt, isDeleting, type Model, type Resource, type Store } from "../state/store.ts";
import { startWork, type Work, workState } from "../state/work.ts";

/** What a handler works on: the objects, the knobs, and the one moment at which the request is executed. */
export type Cloud = {
  readonly store: Store;
  readonly contents: ContentStore;
  readonly settings: Settings;
  readonly passwords: OneTimePasswords;
  readonly now: number;
};

/** The rows that exist at this moment. */
export function existing<T extends Resource>(cloud: Cloud, resources: readonly T[]): T[] {
  return resources.filter((resource) => existsAt(resource, cloud.now));
}

/** The moment that listings show: the past, by the listing lag (contract 1.1, "visibility lags"). */
export function listingTime(cloud: Cloud): number {
  return cloud.now - cloud.settings.listingLagMs;
}

/** The rows that a listing shows: those that existed at the moment it looks at. */
export function listed<T extends Resource>(cloud: Cloud, resources: readonly T[]): T[] {
  return resources.filter((resource) => existsAt(resource, listingTime(cloud)));
}

/** The living row of an id; a masked id is refused as opaquely as the service does it (contract 1.4). */
export function lookUp<T extends Resource>(
  cloud: Cloud,
  table: Model<T>,
  krn: string,
  missing: string,
  region?: string,
): T {
  if (krn.split(":").includes("***")) throw new Refusal(400, "invalid krn");
  const resource = table.get(krn);
  if (!resource || !existsAt(resource, cloud.now) || (region !== undefined && resource.region !== region))
    throw new Refusal(404, missing);
  return resource;
}

/** The KRN of an id that may also be a bare UUID; what is nobody's id comes back as it is. */
export function fullKrn(cloud: Cloud, id: string): string {
  return cloud.store.find(id)?.resource.krn ?? id;
}

/** The living objects that keep this one from being deleted. */
export function dependents(cloud: Cloud, krn: string): Resource[] {
  const dependsOn = (resource: Resource) =>
    resource.parents.includes(krn) || resource.uses?.includes(krn) === true;
  const found = Object.values(cloud.store.resourcesByKind()).flatMap((resources) =>
    resources.filter(dependsOn),
  );
  return existing(cloud, found).filter(
    (resource) => !(resource.owned === true && resource.parents[0] === krn),
  );
}

/** The living objects made with this one, which go with it. */
export function ownedBy(cloud: Cloud, krn: string): Resource[] {
  const isOwned = (resource: Resource) => resource.owned === true && resource.parents[0] === krn;
  return existing(
    cloud,
    Object.values(cloud.store.resourcesByKind()).flatMap((resources) => resources.filter(isOwned)),
  );
}

/** What every new row has: its KRN, its place and its times. It is there at once, unless `work` beside it says otherwise. */
export const newResource = (cloud: Cloud, service: string, type: string, region: string) => ({
  krn: cloud.store.newKrn(service, region, type),
  region,
  createdAt: cloud.now,
  updatedAt: cloud.now,
  work: startWork(cloud.now, 0),
});

/** Begins a deletion that takes `duration` milliseconds. */
export function deleteResource(cloud: Cloud, resource: Resource, duration: number): void {
  resource.deletingAt = cloud.now;
  resource.goneAt = cloud.now + duration;
  resource.updatedAt = cloud.now;
}

/** Answers a second delete of the same object as the switch says; false when this is the first. */
export function isRepeatedDelete(cloud: Cloud, resource: Resource, missing: string): boolean {
  if (!isDeleting(resource, cloud.now)) return false;
  const status = cloud.settings.assume.repeatedDelete;
  if (status === 404) throw new Refusal(404, missing);
  if (status === 409) throw new Refusal(409, `${resource.name} is already being deleted`);
  return true;
}

/** Refuses a second object of the same name in a place (the KRN of a VPC, or a region) where the switch forbids it. */
export function refuseDuplicateName(
  cloud: Cloud,
  resources: readonly Resource[],
  place: string,
  label: string,
  name: string,
): void {
  if (cloud.settings.assume.equalNames) return;
  const isThere = (resource: Resource) => (resource.parents[0] ?? resource.region) === place;
  if (existing(cloud, resources).some((resource) => resource.name === name && isThere(resource))) {
    throw new Refusal(409, `${label} ${name} already exists`);
  }
}

/** The state of work as a task tells it, in the words that the switches ask for (contract 17.2, 17.4). */
export function taskStatus(cloud: Cloud, work: Work): string {
  const { taskSuccessWord, taskFailureWord } = cloud.settings.assume;
  const state = workState(work, cloud.now);
  if (state === "success") return taskSuccessWord;
  return state === "failed" ? taskFailureWord : state;
}

/** Whether the object is made and is not on its way out. */
export function isReady(cloud: Cloud, resource: Resource): boolean {
  return workState(resource.work, cloud.now) === "success" && !isDeleting(resource, cloud.now);
}
