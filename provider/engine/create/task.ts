import { FailedError, isNotFound } from "../../core/error.ts";
import { completeId } from "../../core/krn.ts";
import type { ResourceState } from "../../core/state.ts";
import type { Values } from "../../core/value.ts";
import { verbInputs } from "../../definition/check.ts";
import type { Fields } from "../../definition/field.ts";
import type { Row, TaskState } from "../../definition/verb.ts";
import { type Operation, regionIfNotDefault } from "../operation.ts";
import { importCommand, importId } from "../remediation.ts";
import { ever } from "../shared-listing.ts";
import { listingKey, statusOf } from "../state/state.ts";
import { failureOf, type Poll, waitFor } from "../wait/wait.ts";
import { type CreateContext, existingRows, matching, placeholderAddress, sameNamed } from "./recover.ts";

/** A task that the cloud has just named may be unknown to it for a while (docs/contract.md#1.1). */
const visibleMs = 60_000;
/** How long the row of what a task makes may be missing from the listings before the task itself is asked. */
const listedMs = 10_000;

/**
 * Follows a task until it has made something with an id. That is noted in `known` as soon as the task names it, also
 * when it fails. Undefined when it names none, or the cloud has forgotten it.
 *
 * @param before what was listed before the task began, where that is known: a row of the right name that names no
 *   task and was not there is what it makes (docs/contract.md#17.4).
 */
export async function finishTask(
  making: CreateContext,
  known: { id?: string | undefined; task: string },
  before?: readonly Row<Fields>[],
): Promise<string | undefined> {
  const { operation } = making;
  const { verbs, name } = operation.resource;
  if (verbs.task === undefined) return undefined;
  const { clock } = operation.session.ports;
  const began = clock.monotonic();
  const look = async (after: number): Promise<Poll<string | undefined>> => {
    // What was accepted a moment ago shows itself in the next listing, which all share.
    if (verbs.whole && after === ever) return { still: "accepted" };
    // Where rows tell all, the listing that everybody shares decides; the task only helps it out.
    const row = verbs.whole && rowOf(making, known.task, before, await existingRows(making, after));
    if (row) return ofRow(operation, row, known);
    if (verbs.whole && clock.monotonic() - began < listedMs) return { still: "not listed yet" };
    const state = await ask(making, known.task);
    if (state === undefined && clock.monotonic() - began < visibleMs)
      return { still: "the task is not known yet" };
    if (state === undefined) return { done: known.id };
    known.id = completeId(state.id) ?? known.id;
    if (state.status === "running") return { still: state.detail ?? "running" };
    if (state.status === "failed")
      throw new FailedError(`the cloud says: ${operation.session.redact(state.detail ?? "failed")}`);
    return { done: known.id };
  };
  return waitFor(operation, `${name} task`, look, listingKey(operation.resource, placeholderAddress(making)));
}

/** What the task says; undefined while the cloud does not know it. */
const ask = ({ operation, inputs, region }: CreateContext, task: string): Promise<TaskState | undefined> =>
  Promise.resolve(
    operation.resource.verbs.task?.({
      api: operation.api(region),
      region,
      task,
      inputs: verbInputs(inputs),
    }),
  ).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });

/** The row of what a task makes. */
function rowOf(
  { operation, inputs }: CreateContext,
  task: string,
  before: readonly Row<Fields>[] | undefined,
  rows: readonly Row<Fields>[],
): Row<Fields> | undefined {
  const named = rows.find((row) => row.task === task);
  if (named !== undefined || before === undefined) return named;
  const old = new Set(before.map(({ id }) => id));
  const fresh = matching(operation.resource, rows, inputs).filter(
    ({ id, task }) => task === undefined && !old.has(id),
  );
  return fresh.length === 1 ? fresh[0] : undefined;
}

/** What a row tells of a task. While the object has no id, its task stands in for one, or nothing does. */
function ofRow(operation: Operation, row: Row<Fields>, known: { id?: string | undefined; task: string }) {
  const seen = row as unknown as Values;
  const { at, word } = statusOf(operation.resource, seen);
  const id = completeId(row.id);
  const named = id !== undefined && id !== known.task;
  if (named || (at === "failed" && id !== undefined)) known.id = id;
  if (at === "failed") throw failureOf(operation, seen);
  return named ? { done: id } : { still: word };
}

/**
 * The id of what was looked for by `id`: its own, once it has one and was known by its task until then
 * (docs/contract.md#6).
 */
export const ownId = (seen: Values, id: string): string =>
  (seen.task === id && typeof seen.id === "string" ? completeId(seen.id) : undefined) ?? id;

/**
 * The id of a remembered object, by its task where only that is known. Undefined when the task left nothing behind.
 * A name alone proves no identity: only a failed object of that name is taken for what a failed task left.
 */
export async function resolveId(
  operation: Operation,
  held: ResourceState,
  region: string,
): Promise<string | undefined> {
  if (held.id !== undefined || held.task === undefined) return held.id;
  const { resource } = operation;
  const known: { id?: string; task: string } = { task: held.task };
  try {
    const id = await finishTask({ operation, inputs: held.values, region }, known);
    if (id !== undefined) return id;
  } catch (error) {
    if (!(error instanceof FailedError)) throw error;
    if (known.id !== undefined) return known.id;
  }
  const rows = await sameNamed(operation, held, region);
  const [row] = rows;
  if (row === undefined) return undefined;
  if (row.id === "")
    throw operation.failed(
      "an object of that name is listed without an id",
      { is: "may exist" },
      "Run again once it has one, or remove it and run again",
    );
  if (rows.length === 1 && statusOf(resource, row as unknown as Values).at === "failed") return row.id;
  const id = importId(resource, row.id, held.values, regionIfNotDefault(operation.session, region));
  throw operation.failed(
    "its task names no id, and nothing says that the object of that name is this one",
    { is: "exists", id: row.id },
    `If it is, forget this one and import it (${importCommand(resource, id)})`,
  );
}
