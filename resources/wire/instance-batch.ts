import { includesIgnoreCase } from "../../provider/core/string.ts";
import type { Api } from "../../provider/definition/api.ts";
import { failedWords, isReady, runningWord } from "./instance.ts";
import { listInstances } from "./instance-list.ts";

/**
 * Batches of instances. The API shows a batch only through its instances: each has a `batch_id` and a name that begins
 * with the name of the batch (docs/contract.md#7). Here all batches with one name in one VPC are the same batch, since
 * each growth of a batch is a batch create of its own.
 */

/** Instance of a batch. */
export type Machine = Awaited<ReturnType<typeof listInstances>>[number];

/** Returns true if the create of the instance failed. */
export const isFailed = ({ status }: Machine): boolean =>
  includesIgnoreCase(failedWords, status) || /^(error|failed)[_-]/i.test(status);
const isLeaving = ({ status }: Machine): boolean => /^delet/i.test(status);

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
interface Place {
  readonly api: Api;
  readonly region: string;
  readonly vpcId: string;
  readonly id: string;
}

/** Lists the instances of a VPC that belong to a batch, newest first. */
async function machinesIn({ api, region, vpcId }: Omit<Place, "id">): Promise<Machine[]> {
  const rows = await listInstances(api, region, vpcId);
  return rows.filter(({ batchId }) => batchId !== undefined).toSorted(byAge);
}

/**
 * Matches the instances of a batch by id or by name. No source says whether `batch_id` is the job id or how the
 * instances are named (docs/contract.md#17.4).
 */
const isMember =
  (id: string, batch: string) =>
  ({ batchId, name }: Machine): boolean =>
    batchId === id || isNamedBy(batch, name);

/** Lists the batches of a VPC. */
export async function listBatches(place: Omit<Place, "id">) {
  const batches = Map.groupBy(await machinesIn(place), ({ name }) => batchName(name));
  return [...batches].map(([name, machines]) => observed(place, name, machines));
}

const observed = ({ vpcId, region }: Omit<Place, "id">, name: string, machines: readonly Machine[]) => ({
  // The `batch_id` of the oldest instance, which stays the same when the batch grows or shrinks.
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
  const made = staying.filter((machine) => !isFailed(machine));
  const ready = made.filter(({ status }) => isReady(status));
  const leaving = machines.length - staying.length;
  const broken = failed.length > 0 ? `, ${failed.length} ${failed[0]?.status}` : "";
  return {
    machineCount: made.length,
    // A failure is reported only after all other instances are ready or deleted.
    status: ready.length < made.length || leaving > 0 ? "BUILD" : failed.length > 0 ? "ERROR" : runningWord,
    progress: `${ready.length} of ${staying.length} ${runningWord}${broken}${leaving > 0 ? `, ${leaving} DELETING` : ""}`,
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

/** Finds a batch by id and name. Without a name, `id` may be the batch id or the name. */
export async function findBatch(place: Place, named: string | undefined) {
  const all = await machinesIn(place);
  const { id } = place;
  const name =
    named ?? batchName(all.find(({ batchId, name }) => batchId === id || batchName(name) === id)?.name);
  const machines = name === "" ? [] : all.filter(isMember(id, name));
  return machines.length === 0 ? undefined : observed(place, name, machines);
}

/**
 * Returns the instances to delete and the number to create until a batch has `due` instances. Failed instances are
 * deleted; of the others the oldest are kept.
 */
export async function difference(place: Place, name: string, due: number) {
  const machines = (await machinesIn(place)).filter(isMember(place.id, name));
  const staying = machines.filter((machine) => !isLeaving(machine));
  const made = staying.filter((machine) => !isFailed(machine));
  const surplus = made.slice(0, Math.max(0, made.length - due));
  return {
    gone: [...staying.filter(isFailed), ...surplus],
    missing: Math.max(0, due - made.length),
  };
}
