import type { Contents } from "./content.ts";
import type { OneTimePasswords } from "./one-time-password.ts";
import type { Settings } from "./setting.ts";
import { isDeleting, isLive, type Row, type Store, type Table } from "./store.ts";
import { startWork, type Work, workState } from "./task.ts";
import { Refusal } from "./wire.ts";

/** What a handler works on: the objects, the knobs, and the one moment at which the request is executed. */
export type Cloud = {
  readonly store: Store;
  readonly contents: Contents;
  readonly settings: Settings;
  readonly passwords: OneTimePasswords;
  readonly now: number;
};

/** The rows that exist at this moment. */
export function live<T extends Row>(cloud: Cloud, rows: readonly T[]): T[] {
  return rows.filter((row) => isLive(row, cloud.now));
}

/** The moment that listings show: the past, by the listing lag (contract 1.1, "visibility lags"). */
export function listedAt(cloud: Cloud): number {
  return cloud.now - cloud.settings.listingLagMs;
}

/** The rows that a listing shows: those that existed at the moment it looks at. */
export function listed<T extends Row>(cloud: Cloud, rows: readonly T[]): T[] {
  return rows.filter((row) => isLive(row, listedAt(cloud)));
}

/** The living row of an id; a masked id is refused as opaquely as the service does it (contract 1.4). */
export function lookUp<T extends Row>(
  cloud: Cloud,
  table: Table<T>,
  krn: string,
  missing: string,
  region?: string,
): T {
  if (krn.includes("***") && krn.split(":").includes("***")) throw new Refusal(400, "invalid krn");
  const row = table.get(krn);
  if (!row || !isLive(row, cloud.now) || (region !== undefined && row.region !== region))
    throw new Refusal(404, missing);
  return row;
}

/** The KRN of an id that may also be a bare UUID; what is nobody's id comes back as it is. */
export function fullKrn(cloud: Cloud, id: string): string {
  return cloud.store.find(id)?.row.krn ?? id;
}

/** The living objects that keep this one from being deleted. */
export function dependents(cloud: Cloud, krn: string): Row[] {
  const hangsOn = (row: Row) => row.parents.includes(krn) || row.uses?.includes(krn) === true;
  const found = Object.values(cloud.store.tables()).flatMap((rows) => rows.filter(hangsOn));
  return live(cloud, found).filter((row) => !(row.owned === true && row.parents[0] === krn));
}

/** The living objects made with this one, which go with it. */
export function ownedBy(cloud: Cloud, krn: string): Row[] {
  const isOwned = (row: Row) => row.owned === true && row.parents[0] === krn;
  return live(
    cloud,
    Object.values(cloud.store.tables()).flatMap((rows) => rows.filter(isOwned)),
  );
}

/** What every new row has: its KRN, its place and its times. It is there at once, unless `work` beside it says otherwise. */
export const newRow = (cloud: Cloud, service: string, type: string, region: string) => ({
  krn: cloud.store.newKrn(service, region, type),
  region,
  createdAt: cloud.now,
  updatedAt: cloud.now,
  work: startWork(cloud.now, 0),
});

/** Begins a deletion that takes `duration` milliseconds. */
export function deleteRow(cloud: Cloud, row: Row, duration: number): void {
  row.deletingAt = cloud.now;
  row.goneAt = cloud.now + duration;
  row.updatedAt = cloud.now;
}

/** Answers a second delete of the same object as the switch says; false when this is the first. */
export function isRepeatedDelete(cloud: Cloud, row: Row, missing: string): boolean {
  if (!isDeleting(row, cloud.now)) return false;
  const status = cloud.settings.assume.repeatedDelete;
  if (status === 404) throw new Refusal(404, missing);
  if (status === 409) throw new Refusal(409, `${row.name} is already being deleted`);
  return true;
}

/** Refuses a second object of the same name in a place (the KRN of a VPC, or a region) where the switch forbids it. */
export function refuseEqualName(
  cloud: Cloud,
  rows: readonly Row[],
  place: string,
  noun: string,
  name: string,
): void {
  if (cloud.settings.assume.equalNames) return;
  const isThere = (row: Row) => (row.parents[0] ?? row.region) === place;
  if (live(cloud, rows).some((row) => row.name === name && isThere(row))) {
    throw new Refusal(409, `${noun} ${name} already exists`);
  }
}

/** The state of work as a task tells it, in the words that the switches ask for (contract 17.2, 17.4). */
export function taskWord(cloud: Cloud, work: Work): string {
  const { taskSuccessWord, taskFailureWord } = cloud.settings.assume;
  const state = workState(work, cloud.now);
  if (state === "success") return taskSuccessWord;
  return state === "failed" ? taskFailureWord : state;
}

/** Whether the object is made and is not on its way out. */
export function isReady(cloud: Cloud, row: Row): boolean {
  return workState(row.work, cloud.now) === "success" && !isDeleting(row, cloud.now);
}
