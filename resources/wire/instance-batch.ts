import * as z from "zod/mini";
import { CloudError, InputError, UndecidedError } from "../../provider/core/error.ts";
import { comparable } from "../../provider/core/krn.ts";
import { includesIgnoreCase } from "../../provider/core/string.ts";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { maybeText } from "../../provider/definition/validator.ts";
import type { Timing } from "../../provider/definition/verb.ts";
import { deleteInstance, failedStatuses, isReady, runningStatus } from "./instance.ts";
import { listInstances } from "./instance-list.ts";

/**
 * Batches of instances. The API shows a batch only through its instances: each has a `batch_id` and a name that starts
 * with the name of the batch (docs/contract.md#7). Here all batches with one name in one VPC are the same batch, since
 * each extension of a batch is a separate batch create.
 */

/** Instance of a batch. */
export type Machine = Awaited<ReturnType<typeof listInstances>>[number];

/** Returns true if the create of the instance failed. */
export const isFailed = ({ status }: Pick<Machine, "status">): boolean =>
  includesIgnoreCase(failedStatuses, status) || /^(error|failed)[_-]/i.test(status);
const isLeaving = ({ status }: Pick<Machine, "status">): boolean => /^delet/i.test(status);

/** Returns the batch name in an instance name: the API appends a suffix, usually after a separator. */
const batchName = (name = ""): string => name.replace(/[-_.][^-_.]*$/, "");
const isNamedBy = (batch: string, name = ""): boolean => {
  const [prefix, full] = [batch.normalize(), name.normalize()];
  return full.startsWith(prefix) && /^[-_.]?[^-_.]*$/.test(full.slice(prefix.length));
};

/** Sorts newest first; instances with the same creation time by the number in their name, highest first. */
const byAge = (a: Machine, b: Machine): number =>
  (b.createdAt ?? "").localeCompare(a.createdAt ?? "") ||
  (b.name ?? "").localeCompare(a.name ?? "", "en", { numeric: true });

/** Location of a batch. Its id is the job that created its first instances. */
interface BatchPlace extends Partial<Timing> {
  readonly api: Api;
  readonly region: string;
  readonly vpcId: string;
  readonly id: string;
}

type Scope = Omit<BatchPlace, "id" | keyof Timing>;

/**
 * Lists the instances of a VPC that belong to a batch, newest first. A response may omit the job of a row: such a row is
 * included if it is recorded.
 */
async function machinesIn({ api, region, vpcId }: Scope, known: KnownBatch = {}): Promise<Machine[]> {
  const rows = await listInstances(api, region, vpcId);
  const isRecorded = recordedIn(known);
  return rows.filter((row) => row.batchId !== undefined || isRecorded(row)).toSorted(byAge);
}

/** Recorded or configured values of a batch. */
export interface KnownBatch {
  readonly name?: string | undefined;
  readonly machineCount?: number | undefined;
  readonly jobIds?: readonly string[] | undefined;
  readonly instances?: readonly { readonly id: string; readonly status: string }[] | undefined;
}

/** Returns a function that is true for the recorded instances of a batch, in any spelling of their ids. */
function recordedIn({ instances = [] }: KnownBatch): (machine: Pick<Machine, "id">) => boolean {
  const recorded = new Set(instances.map(({ id }) => comparable(id)));
  return ({ id }) => recorded.has(comparable(id));
}

/**
 * Returns the instances of the jobs of a batch, and recorded instances that are listed without a job. A state of version
 * 0.1.0 has no jobs: they are those of its recorded instances. A job with an instance of another name is that of another
 * batch, of which version 0.1.0 recorded the instances with matching names.
 */
function ownAmong(all: readonly Machine[], id: string, known: KnownBatch): Machine[] {
  const { name: batch = "", jobIds = [] } = known;
  const isRecorded = recordedIn(known);
  const others = new Set(
    jobIds.length > 0
      ? []
      : all.flatMap(({ name, batchId }) => (name === undefined || isNamedBy(batch, name) ? [] : batchId)),
  );
  const jobs = new Set([id, ...jobIds]);
  for (const machine of all)
    if (isRecorded(machine) && machine.batchId !== undefined && !others.has(machine.batchId))
      jobs.add(machine.batchId);
  return all.filter((machine) =>
    machine.batchId === undefined ? isRecorded(machine) : jobs.has(machine.batchId),
  );
}

/**
 * Returns the instances of a batch among all instances of a VPC. The new job of a create or an extension is not known,
 * since it is not documented whether `batch_id` is the job id (docs/contract.md#17.4): the instances of another job count
 * if all their names match, they are as many as are missing, and none was created later. Within `settle_seconds` of a create or an
 * extension, listings may be incomplete: until then returns undefined for a create, and the instances of the known jobs for an
 * extension. Throws `UndecidedError` if several other jobs match, or one with more instances or without a creation time.
 */
function membersAmong(
  all: readonly Machine[],
  { id, isRecent = () => false, isLater = () => undefined }: Pick<BatchPlace, "id" | keyof Timing>,
  known: KnownBatch,
): Machine[] | undefined {
  const { name = "", machineCount = 0, jobIds = [], instances } = known;
  const members = ownAmong(all, id, known);
  const missing = machineCount - members.filter(isMade).length;
  const isNew = members.length === 0 && jobIds.length === 0;
  const isGrowing = jobIds.length > 0 && missing > 0;
  const isShown = instances !== undefined && members.some(({ batchId }) => batchId === jobIds.at(-1));
  if (isShown || !isUnfinished(known) || !(isNew || isGrowing)) return members;
  if (isNew && isRecent()) return undefined;
  // If rows have the job id, the recorded jobs include the new one. Otherwise a late listing may hide a second batch.
  if (isRecent() && members.length > 0) return members;
  const isDated = ({ createdAt }: Machine) => isLater(createdAt) !== undefined;
  const [job, ...others] = jobsNamedAlike(all, members, name).filter(
    (machines) => !machines.some(({ createdAt }) => isLater(createdAt)),
  );
  if (job === undefined || (others.length === 0 && job.length < missing)) return members;
  if (others.length > 0 || job.length > missing || !job.every(isDated))
    throw undecided(id, name, [job, ...others]);
  return all.filter((machine) => members.includes(machine) || job.includes(machine));
}

/**
 * Returns true if not all instances are recorded, as the create or an extension did not finish. The latter records its
 * number and its job, but only the instances that existed before.
 */
const isUnfinished = ({ machineCount = 0, instances }: KnownBatch): boolean =>
  instances === undefined || instances.filter(isMade).length < machineCount;

/** Returns the instances of each other job in which all names match the name of the batch. */
function jobsNamedAlike(all: readonly Machine[], members: readonly Machine[], batch: string): Machine[][] {
  if (batch === "") return [];
  const jobs = Map.groupBy(
    all.filter((machine) => !members.includes(machine)),
    ({ batchId }) => batchId,
  );
  return [...jobs.values()].filter((job) => job.every(({ name }) => isNamedBy(batch, name)));
}

/** Returns the error for instances of other jobs that may or may not belong to the batch. */
function undecided(id: string, name: string, jobs: readonly Machine[][]): UndecidedError {
  const ids = jobs.flatMap(([machine]) => machine?.batchId ?? []);
  return new UndecidedError(
    `instances of the batch IDs ${ids.join(", ")} are named ${JSON.stringify(name)}, and none of them shows the job ${id}: delete those that do not belong to it, or remove the batch from the state and import it`,
    ids,
  );
}

/** Returns a conflict for instances that cannot be deleted or counted yet, after which the engine retries. */
export const notYet = (message: string): CloudError =>
  new CloudError({
    failure: "conflict",
    reason: message,
    route: `${deleteInstance.method} ${deleteInstance.path}`,
  });

const isMade = (machine: Pick<Machine, "status">): boolean => !isLeaving(machine) && !isFailed(machine);

/**
 * Returns the recorded instances, oldest first, that a change of their number deletes, as `difference` does: the failed ones and
 * the newest of the others.
 */
export function surplus<M extends Pick<Machine, "status">>(
  instances: readonly M[],
  before: number | undefined,
  after: unknown,
): M[] {
  if (typeof after !== "number" || after === before) return [];
  const others = instances.filter((machine) => !isFailed(machine));
  return [...instances.filter(isFailed), ...others.slice(after)];
}

/**
 * Checks a listing before the create or an extension of a batch. Throws a conflict while it lacks recorded instances of a
 * recent batch, which an extension would create again. Throws `InputError` if the names of instances of other jobs match the
 * name of the batch, such as those of a change that was killed: if rows do not have the job id, these instances could not be
 * distinguished from those of the batch.
 */
export async function requireClearListing(
  place: BatchPlace,
  known: KnownBatch,
  isRepeated = false,
): Promise<void> {
  const { name = "", instances = [] } = known;
  const listed = await machinesIn(place, known);
  const ids = new Set(listed.flatMap(({ id, task = id }) => [id, task]).map(comparable));
  if (instances.some(({ id }) => !ids.has(comparable(id))) && place.isRecent?.())
    throw notYet("listings do not show all of it yet");
  if (isRepeated) return;
  // A listing may still show instances that are being deleted.
  const all = listed.filter((machine) => !isLeaving(machine));
  const others = jobsNamedAlike(all, ownAmong(all, place.id, known), name).flat();
  if (others.length === 0) return;
  const problem = "also matches instances that the state of the batch does not contain";
  const objects = others.map(({ id, name }) => ({ kind: "instance", name, id }));
  throw new InputError([{ path: ["name"], problem }], [{ code: "remove-conflicts", objects, by: "name" }]);
}

/** Lists the batches of a VPC. */
export async function listBatches(place: Scope) {
  return batchesAmong(await machinesIn(place)).map((machines) =>
    observed(place, sharedName(machines), machines),
  );
}

/** Returns the batch name of most of these instances, since a person may have renamed some; of several the first. */
function sharedName(machines: readonly Machine[]): string {
  const byName = Map.groupBy(machines, ({ name }) => batchName(name));
  const most = Math.max(...[...byName.values()].map(({ length }) => length));
  return [...byName].find(([, { length }]) => length === most)?.[0] ?? "";
}

/** Settings of the template that all instances of a batch share. */
const settings = ["instanceType", "subnetId", "sshkeyName"] as const;

/** Returns true if no two instances have different settings. Missing settings are ignored. */
const haveSameSettings = (machines: readonly Machine[]): boolean =>
  settings.every((name) => new Set(machines.flatMap((machine) => machine[name] ?? [])).size <= 1);

/**
 * Returns the batches among the instances of a VPC, each with its instances, newest first. Each extension is a separate
 * job: jobs with one name are one batch, unless their instances differ in the settings of the template.
 */
function batchesAmong(all: readonly Machine[]): Machine[][] {
  const batches: Machine[][] = [];
  const jobs = [...Map.groupBy(all, ({ batchId }) => batchId).values()];
  for (const named of Map.groupBy(jobs, sharedName).values()) {
    const found: Machine[][] = [];
    // The oldest job comes first: its id is that of the batch.
    for (const job of named.toReversed()) {
      const batch = found.find((machines) => haveSameSettings([...machines, ...job]));
      if (batch === undefined) found.push(job);
      else batch.push(...job);
    }
    batches.push(...found.map((machines) => machines.toSorted(byAge)));
  }
  return batches;
}

const observed = ({ vpcId, region }: Scope, name: string, machines: readonly Machine[]) => ({
  // The `batch_id` of the oldest instance, which does not change when the batch is extended or reduced.
  id: machines.at(-1)?.batchId ?? "",
  name,
  vpcId,
  ...summary(machines),
  region,
});

/** Summarizes the instances of a batch. `machineCount` excludes failed instances and those being deleted. */
function summary(machines: readonly Machine[]) {
  const staying = machines.filter((machine) => !isLeaving(machine));
  const failed = staying.filter(isFailed);
  const working = staying.filter((machine) => !isFailed(machine));
  const ready = working.filter(({ status }) => isReady(status));
  const leaving = machines.length - staying.length;
  const isShown = working.every(({ status }) => status !== "");
  const whole = failed.length > 0 ? "ERROR" : runningStatus;
  const broken = failed.length > 0 ? `, ${failed.length} ${failed[0]?.status}` : "";
  return {
    machineCount: working.length,
    // Reports a failure only after all other instances are ready or deleted. Undefined while a row has no status.
    status: isShown ? (ready.length < working.length || leaving > 0 ? "BUILD" : whole) : undefined,
    progress: `${ready.length} of ${staying.length} ${runningStatus}${broken}${leaving > 0 ? `, ${leaving} DELETING` : ""}`,
    jobIds: [...new Set(machines.toReversed().flatMap(({ batchId = [] }) => batchId))],
    failureReason:
      failed.map(({ name, failureReason = "no reason given" }) => `${name}: ${failureReason}`).join("; ") ||
      undefined,
    instances: staying.toReversed().map(({ id, name, status, ipAddress }) => ({
      id,
      status,
      ...(name !== undefined && { name }),
      ...(ipAddress !== undefined && { ip: ipAddress }),
    })),
  };
}

/** Returns the jobs of a batch: the recorded ones, whose instances may not be listed yet, and those of its instances. */
const jobsOf = ({ jobIds = [] }: KnownBatch, machines: readonly Machine[]): string[] => [
  ...new Set([...jobIds, ...summary(machines).jobIds]),
];

/**
 * Finds a batch; returns undefined if no instance is listed. Without a name, `id` is the batch id or the name of the batch
 * to import. Throws `UndecidedError` for the name of several batches.
 */
export async function findBatch(place: BatchPlace, known: KnownBatch) {
  const all = await machinesIn(place, known);
  const { id } = place;
  if (known.name !== undefined) {
    const machines = membersAmong(all, place, known) ?? [];
    if (machines.length === 0) return undefined;
    const state = { ...observed(place, known.name, machines), jobIds: jobsOf(known, machines) };
    if (!isPending(place, known, machines)) return state;
    const { machineCount = state.machineCount } = known;
    return { ...state, machineCount, status: "BUILD" };
  }
  const batches = batchesAmong(all);
  const byId = batches.filter((machines) => machines.some(({ batchId }) => batchId === id));
  const found = byId.length > 0 ? byId : batches.filter((batch) => sharedName(batch) === id);
  const [machines, ...others] = found.map((batch) => observed(place, sharedName(batch), batch));
  if (machines === undefined || others.length === 0) return machines;
  const ids = [machines, ...others].map((batch) => batch.id);
  throw new UndecidedError(`the batch IDs ${ids.join(", ")} have this name: import one by its ID`, ids);
}

/**
 * Returns true for a batch with a recent create or extension that did not finish, while a listing shows fewer instances
 * than requested: a later listing may show the others.
 */
function isPending({ isRecent }: BatchPlace, known: KnownBatch, members: readonly Machine[]): boolean {
  const { machineCount = 0, jobIds = [] } = known;
  if (!isRecent?.() || !isUnfinished(known)) return false;
  if (members.filter((machine) => !isLeaving(machine)).length < machineCount) return true;
  // Failed instances that an extension replaces may still be listed, but are not part of the extension.
  const shown = new Set(members.map(({ batchId }) => batchId));
  const isGrowing = members.filter(isMade).length < machineCount;
  const isNewShown = [...shown].some((job) => job !== undefined && !jobIds.includes(job));
  const job = jobIds.at(-1);
  return isGrowing && !isNewShown && job !== undefined && !shown.has(job);
}

/**
 * Returns the instances to delete and the number of instances to create for a batch of `wanted` instances, and its job ids.
 * Failed instances are deleted; of the others the oldest are kept. Throws a conflict while listings may be incomplete.
 */
export async function difference(place: BatchPlace, known: KnownBatch, wanted: number) {
  const machines = membersAmong(await machinesIn(place, known), place, known);
  if (machines === undefined || isPending(place, known, machines))
    throw notYet("listings do not show all of it yet");
  const staying = machines.filter((machine) => !isLeaving(machine));
  const working = staying.filter(isMade);
  const surplus = working.slice(0, Math.max(0, working.length - wanted));
  return {
    gone: [...staying.filter(isFailed), ...surplus],
    missing: Math.max(0, wanted - working.length),
    jobIds: jobsOf(known, machines),
  };
}

/** Route that creates the instances of a batch. */
export const createBatch = endpoint(
  "create",
  "POST /vm/v1/batch-vm-create",
  z.object({ job_id: maybeText }),
  {
    body: json<{ template_krn: string; count: number; instanceName: string }>(),
  },
);
