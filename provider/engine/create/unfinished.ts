import { FailedError, OperationError, UndecidedError } from "../../core/error.ts";
import type { ResourceState } from "../../core/state.ts";
import { unconfirmedChange } from "../existence/age.ts";
import { recordCreation } from "../existence/owned.ts";
import { rowOf } from "../existence/row.ts";
import { messageOf } from "../operation.ts";
import { importOneOf, remediesBeforeResume } from "../remediation.ts";
import { mergeState } from "../state/merge.ts";
import {
  existenceUnlisted,
  importIdFor,
  mayExist,
  nextSearch,
  notCreated,
  searchRemedies,
  unknownId,
} from "./failure.ts";
import { partialState } from "./partial.ts";
import { findCreated, onlyId } from "./recover.ts";
import { addressIn, type CreateContext } from "./search.ts";

/** Creates that failed after their request: which object exists, and what the state records of it. */

/** Progress of a create after its request. */
export interface CreateProgress {
  id?: string | undefined;
  task?: string | undefined;
  /** True if only a search found the id. */
  isFound?: boolean | undefined;
  /** True once the object was ready: a later failure is not a failed create. */
  isReady?: true;
}

/** Object of a create that failed. */
type Remains =
  /** A search found the object, which may belong to somebody else. */
  | { readonly is: "found"; readonly id: string }
  | { readonly is: "recorded"; readonly id: string }
  /** The create failed, and a search found no object. */
  | { readonly is: "none" }
  | { readonly is: "task"; readonly task: string }
  | { readonly is: "unknown" };

/** A failed create. */
interface FailedCreate {
  readonly context: CreateContext;
  readonly progress: CreateProgress;
  readonly error: unknown;
  /** True if the create itself failed, not a later step. */
  readonly isFailed: boolean;
}

/**
 * Returns the error of a create whose request was sent, with the partial state or with existence "may exist". The state
 * does not mark an object as failed that only a search found, since the next run would delete an object that may belong to
 * somebody else. It does not mark an object either that the API does not report as failed: the next run reads it again,
 * unless the engine replaces it.
 */
export async function unfinishedCreate(
  context: CreateContext,
  progress: CreateProgress,
  error: unknown,
): Promise<OperationError> {
  if (error instanceof OperationError) return error;
  if (error instanceof UndecidedError) return undecidedCreate(context, error);
  const isFailed = error instanceof FailedError && progress.isReady !== true;
  const failed = { context, progress, error, isFailed };
  const remains = await remainsOf(failed);
  return (errors[remains.is] as (failed: FailedCreate, remains: Remains) => OperationError)(failed, remains);
}

function undecidedCreate(context: CreateContext, error: UndecidedError): OperationError {
  const { operation } = context;
  const rows = error.ids.map((id) => rowOf(id, {}));
  const remedy = importOneOf(operation.resource, rows, (id) => importIdFor(context, id));
  return operation.failed(unknownId, mayExist, [remedy], { cause: error });
}

/**
 * Returns the object of a failed create. It may have an id that the task does not contain: a row without an id may be that
 * object, even if such a row was listed before. A failed search proves nothing.
 */
async function remainsOf({ context, progress, isFailed }: FailedCreate): Promise<Remains> {
  const { id, task, isFound } = progress;
  if (id !== undefined) return { is: isFound ? "found" : "recorded", id };
  const unfound: Remains = task === undefined ? { is: "unknown" } : { is: "task", task };
  if (!isFailed) return unfound;
  const before = context.before.filter((row) => row.id !== "");
  const { settleSeconds } = context.operation.session.settings;
  const search = await findCreated({ ...context, before }, settleSeconds).catch(() => undefined);
  if (search?.rows.length === 0) return { is: "none" };
  const isSame = search?.other.length === 0 && search.doubt === undefined;
  const foundId = isSame ? onlyId(search.rows) : undefined;
  return foundId === undefined ? unfound : { is: "found", id: foundId };
}

const errors: {
  readonly [K in Remains["is"]]: (
    failed: FailedCreate,
    remains: Extract<Remains, { readonly is: K }>,
  ) => OperationError;
} = {
  found({ context, progress, error }, { id }) {
    const { operation } = context;
    return operation.failed(
      stepAfter(progress),
      { is: "found", id },
      [
        "check-object",
        {
          code: "import",
          resource: operation.resource.name,
          importId: importIdFor(context, id),
          only: "terraform",
        },
        { code: "delete-object", only: "terraform" },
        { code: "run-again", only: "pulumi" },
      ],
      { state: { ...stateWithId(context, id), foundBySearch: true }, cause: error },
    );
  },
  recorded({ context, progress, error, isFailed }, { id }) {
    const { operation } = context;
    const state = stateWithId(context, id);
    const failure = isFailed ? (error as FailedError) : undefined;
    const isFinal = failure?.mayRecover === false && !operation.resource.repairable;
    return operation.failed(
      stepAfter(progress),
      { is: "recorded", id },
      [...remediesBeforeResume(error), isFinal ? "next-replaces" : "next-resumes"],
      {
        state: {
          ...(failure === undefined ? state : withObserved(context, state, failure)),
          ...(isFinal && { failed: messageOf(failure, operation.session) }),
        },
        cause: error,
      },
    );
  },
  none({ context, error }) {
    const existence = existenceUnlisted(context, context.operation.session.settings.settleSeconds);
    return notCreated(context, error, existence);
  },
  task({ context, error }, { task }) {
    const { operation } = context;
    // The API may not show a task at first, so its state needs a time too.
    const createdAt = operation.session.serverClock.time();
    const state = { ...partialState(context, { task }), createdAt, unconfirmed: undefined };
    const step = `${unknownId}; its task is ${task}`;
    return operation.failed(step, mayExist, nextSearch(context), { state, cause: error });
  },
  unknown: ({ context, error }) =>
    context.operation.failed(unknownId, mayExist, searchRemedies(context), { cause: error }),
};

const stepAfter = ({ isReady }: CreateProgress): string =>
  isReady
    ? "the object was created, but a later step failed"
    : "the object was created but did not become ready";

/** Returns the partial state of an object with this id, and records its create. */
const stateWithId = (context: CreateContext, id: string): ResourceState => ({
  ...partialState(context, { id }),
  createdAt: recordCreation(context.operation, addressIn(context, id)),
  unconfirmed: unconfirmedChange(context.operation, id),
});

/** Returns the state with the values that the API showed of a failed object, such as the reason of the failure. */
function withObserved(
  { operation, inputs, region }: CreateContext,
  state: ResourceState,
  { observed }: FailedError,
): ResourceState {
  if (observed === undefined) return state;
  return { ...state, values: mergeState(operation.resource.fields, { ...observed, region }, inputs) };
}
