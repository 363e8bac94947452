import { explain, InputError, OperationError, StopError } from "../provider/core/error.ts";
import { pulumiToken, terraformType } from "../provider/core/name.ts";
import type { ResourceState } from "../provider/core/state.ts";
import type { Values } from "../provider/core/value.ts";
import type { ExplainedWarning, WarningCode } from "../provider/core/warning.ts";
import { inWordsOf, wording } from "../provider/core/wording.ts";
import { type Call, engine, type Session } from "../provider/engine/engine.ts";
import { canonical, digestOf } from "../review/model/canonical.ts";
import type { Change } from "../review/model/change.ts";
import { differencesOf } from "../review/model/difference.ts";
import type { Message, Plan } from "../review/model/plan.ts";
import { nameOf, withDeclaredSecrets } from "../review/read/value.ts";
import { inParallel } from "./parallel.ts";
import type { Recorded, StateFile } from "./state/recorded.ts";
import { isStop } from "./stop.ts";

/** Number of objects that are read at the same time. */
const concurrentReads = 8;

/**
 * Maximum time in s for an object that no listing shows: the engine would prove it gone by misses during `settle_seconds`
 * (docs/reliability.md#3.9), one such object after the other.
 */
const proofSeconds = 30;

/** State with the name of its input. */
export interface NamedState {
  readonly name: string;
  readonly file: StateFile;
}

/**
 * Reads every object of a state, and returns the differences as a plan that only compares the state with the cloud. An object
 * that cannot be read is a gap of the plan, and so is a state without objects.
 *
 * @param onRead called after each object
 */
export async function driftOfState(
  session: Session,
  { name, file }: NamedState,
  call: Call,
  onRead: () => void,
): Promise<Plan> {
  const messages: Message[] = [];
  const warn = ({ summary, detail }: ExplainedWarning) => {
    const text = inWordsOf(file.engine, wording`${summary}. ${detail}`);
    messages.push({ level: "warning", text });
  };
  const results = new Map<Recorded, Awaited<ReturnType<typeof compare>>>();
  await inParallel(byListing(file.objects), concurrentReads, async (object) => {
    results.set(object, await compare(session, object, file.engine, { ...call, warn }));
    onRead();
  });
  const compared = file.objects.map((object) => ({ object, ...results.get(object) }));
  const changes = compared.map(({ object }) => changeOf(name, file.engine, object, object.state));
  return {
    name,
    engine: file.engine,
    ...(file.engineVersion === undefined ? {} : { engineVersion: file.engineVersion }),
    purpose: "drift",
    changes,
    unlisted: 0,
    drift: compared.flatMap(({ object, current, gap }) => {
      const change = changeOf(name, file.engine, object, current);
      const isDifferent = gap === undefined && change.action !== "none";
      return isDifferent && (current === undefined || differencesOf(change).length > 0) ? [change] : [];
    }),
    outputs: [],
    invocations: [],
    providers: [],
    sensitive: [],
    messages,
    gaps: [
      ...(file.gaps.length === 0 && !file.objects.some(isComparable) ? [nothingToCompare] : file.gaps),
      ...compared.flatMap(({ gap }) => (gap === undefined ? [] : [gap])),
    ],
    unknownParts: [],
    prior: {
      digest: digestOf(
        changes.map(({ address, before = null }) => canonical([address, before], () => "sensitive")),
      ),
      ...(file.serial === undefined ? {} : { serial: file.serial }),
      ...(file.lineage === undefined ? {} : { lineage: file.lineage }),
    },
  };
}

/** Returns true for an object that the API can show. */
const isComparable = ({ resource }: Recorded): boolean => resource.stateOnly !== true;

/** Gap of a state without such an object: it may be the state of another workspace or stack than the user means. */
const nothingToCompare =
  "the state has no object of this provider that the API shows, so nothing was compared: pass another state, or leave this one out";

/** Returns the objects ordered by their listing, which serves all of them only if they are read one after the other. */
const byListing = (objects: readonly Recorded[]): Recorded[] =>
  [
    ...Map.groupBy(objects, ({ resource: { name, parents = [] }, state: { values } }) =>
      JSON.stringify([name, ...["region", ...parents].map((field) => values[field] ?? null)]),
    ).values(),
  ].flat();

/** Warnings of a read that keeps the state of a young object, which no response shows. */
const hiding: ReadonlySet<WarningCode> = new Set(["not-shown-yet", "task-without-id"]);

/** Reads an object. Returns its state, undefined if it is gone, or the reason why it cannot be compared. */
async function compare(
  session: Session,
  object: Recorded,
  adapter: StateFile["engine"],
  call: Call,
): Promise<{ readonly current?: ResourceState | undefined; readonly gap?: string }> {
  const { address, resource, state } = object;
  if (!isComparable(object)) return { current: state };
  const limit = resource.verbs.list === undefined ? { timeout: proofSeconds } : {};
  let isHidden = false;
  const warn = (explained: ExplainedWarning) => {
    if (hiding.has(explained.warning.code)) isHidden = true;
    else call.warn?.(explained);
  };
  try {
    const current = await engine.read(session, resource, state, { ...call, ...limit, warn });
    return isHidden
      ? { gap: `${address} is not shown, and too young for that to prove that it was deleted` }
      : { current };
  } catch (error) {
    if (isUnproven(error))
      return {
        gap: `${address} is not found, and that it is gone could not be confirmed in ${proofSeconds} s`,
      };
    if (isStop(error) || !(error instanceof OperationError || error instanceof InputError)) throw error;
    const { summary, detail } = explain(error, adapter);
    return { gap: `${address} cannot be read: ${summary}. ${detail}` };
  }
}

/** Returns true if the time for a proof ended while the API answered each request. */
const isUnproven = (error: unknown): boolean =>
  error instanceof OperationError &&
  error.cause instanceof StopError &&
  error.cause.why === "deadline" &&
  error.cause.throttled === undefined;

/** Returns an object of a state as the review compares it, with the values that the cloud shows. */
function changeOf(
  plan: string,
  adapter: StateFile["engine"],
  { address, resource, state, dependsOn, isDeposed }: Recorded,
  current: ResourceState | undefined,
): Change {
  const before = valuesOf(resource.fields, state);
  const after =
    current === undefined ? undefined : current === state ? before : valuesOf(resource.fields, current);
  return {
    plan,
    engine: adapter,
    address,
    type: adapter === "pulumi" ? pulumiToken(resource.name) : terraformType(resource.name),
    resource,
    action: after === undefined ? "delete" : after === before ? "none" : "update",
    name: nameOf(before),
    id: state.id,
    before,
    after,
    forcedBy: [],
    dependsOn,
    parents: [],
    ...(isDeposed && { isDeposed }),
  };
}

const valuesOf = (fields: Recorded["resource"]["fields"], { id, values }: ResourceState): Values =>
  withDeclaredSecrets(fields, { ...values, id: id ?? null });
