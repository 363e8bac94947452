import { includesIgnoreCase } from "../../provider/core/string.ts";
import type { Api } from "../../provider/definition/api.ts";
import { failedWords, isReady, runningWord } from "./instance.ts";
import { listInstances } from "./instance-list.ts";

/**
 * Batches, which the cloud shows as no more than their instances, each with a `batch_id` and a name that begins with
 * that of the batch (docs/contract.md#7). Batches of one name in one VPC are one here, however often it grew.
 */

/** An instance of a batch. */
export type Machine = Awaited<ReturnType<typeof listInstances>>[number];

/** Whether its making came to nothing. */
export const isFailed = ({ status }: Machine): boolean =>
  includesIgnoreCase(failedWords, status) || /^(error|failed)[_-]/i.test(status);
const isLeaving = ({ status }: Machine): boolean => /^delet/i.test(status);

/** What the cloud adds to the name of a batch is the end of an instance's name, mostly behind a separator. */
const batchName = (name = ""): string => name.replace(/[-_.][^-_.]*$/, "");
const isNamedBy = (batch: string, name = ""): boolean =>
  name.startsWith(batch) && /^[-_.]?[^-_.]*$/.test(name.slice(batch.length));

/** Newest first; what was made at once, by the numbers in their names. */
const byAge = (a: Machine, b: Machine): number =>
  (b.createdAt ?? "").localeCompare(a.createdAt ?? "") ||
  (b.name ?? "").localeCompare(a.name ?? "", "en", { numeric: true });

/** Where a batch stands; its id is the job that made the first of it. */
interface Place {
  readonly api: Api;
  readonly region: string;
  readonly vpcId: string;
  readonly id: string;
}

/** Every machine of a VPC that was made in a batch, newest first. */
async function machinesIn({ api, region, vpcId }: Omit<Place, "id">): Promise<Machine[]> {
  const rows = await listInstances(api, region, vpcId);
  return rows.filter(({ batchId }) => batchId !== undefined).toSorted(byAge);
}

/** Whether `batch_id` is the id of the job is not known, and how they are named neither (docs/contract.md#17.4). */
const isMember =
  (id: string, batch: string) =>
  ({ batchId, name }: Machine): boolean =>
    batchId === id || isNamedBy(batch, name);

/** Every batch of a VPC. */
export async function listBatches(place: Omit<Place, "id">) {
  const batches = Map.groupBy(await machinesIn(place), ({ name }) => batchName(name));
  return [...batches].map(([name, machines]) => observed(place, name, machines));
}

const observed = ({ vpcId, region }: Omit<Place, "id">, name: string, machines: readonly Machine[]) => ({
  // That of the oldest: it stays when the batch grows or shrinks.
  id: machines.at(-1)?.batchId ?? "",
  name,
  vpcId,
  ...summary(machines),
  region,
});

/** What the machines of a batch are together. Those that failed and those that leave do not count. */
function summary(machines: readonly Machine[]) {
  const staying = machines.filter((machine) => !isLeaving(machine));
  const failed = staying.filter(isFailed);
  const made = staying.filter((machine) => !isFailed(machine));
  const ready = made.filter(({ status }) => isReady(status));
  const leaving = machines.length - staying.length;
  const broken = failed.length > 0 ? `, ${failed.length} ${failed[0]?.status}` : "";
  return {
    machineCount: made.length,
    // Whoever fails, the others come first to their end.
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

/** A batch by its id and its name; before that is known, the one that goes by either. */
export async function findBatch(place: Place, named: string | undefined) {
  const all = await machinesIn(place);
  const { id } = place;
  const name =
    named ?? batchName(all.find(({ batchId, name }) => batchId === id || batchName(name) === id)?.name);
  const machines = name === "" ? [] : all.filter(isMember(id, name));
  return machines.length === 0 ? undefined : observed(place, name, machines);
}

/**
 * What is to be done so that a batch has so many machines: which to delete and how many to make. The oldest stay; what
 * failed goes.
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
