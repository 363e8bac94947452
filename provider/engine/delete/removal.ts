import type { CloudError } from "../../core/error.ts";
import { plainId } from "../../core/krn.ts";
import type { ResourceState } from "../../core/state.ts";
import type { RequestTracker } from "../../definition/api.ts";
import type { RelatedObject } from "../../definition/verb.ts";
import { verbInputs } from "../../definition/verb-inputs.ts";
import { isRecent, settleMs, timingOf } from "../existence/age.ts";
import type { Operation } from "../operation.ts";
import type { Address } from "../state/address.ts";

/** A delete in progress, with what its attempts have shown. */
export interface Removal {
  readonly operation: Operation;
  readonly address: Address;
  readonly state: ResourceState;
  /** Record of the requests of the current attempt. */
  readonly tracker: RequestTracker;
  /** Monotonic time in ms until which a listing may show content that is already deleted. */
  readonly contentUntil: number;
  readonly password: {
    /** True once a one-time password was requested. */
    isRequested: boolean;
    /** True if the last request has a one-time password. */
    isSent: boolean;
    /** Errors of the attempts with an ambiguous response after the request for a password. */
    readonly unanswered: CloudError[];
  };
  /** Error of the last attempt: a conflict, or an ambiguous response. */
  obstacle?: CloudError | undefined;
  /** Objects that use this one. */
  use?: Use | undefined;
  readonly evidence: {
    /** Monotonic time in ms of the first 404 response to a delete. */
    notFoundSince?: number;
    /** Consecutive 2xx responses whose body stated a failure. */
    statedFailures: number;
    /** True once a delete had an ambiguous response and may have been executed. */
    isUnclear?: true;
    /** Routes of the requests with an ambiguous response. */
    readonly unclearRoutes: Set<string>;
    /** True if a route returned a 404 and never an ambiguous response: no request to it can have deleted the object. */
    isRefused?: true;
    /** True once a read after an ambiguous response did not find the object, or the delete found nothing to remove. */
    isMissing?: true;
  };
}

/** The objects that use an object, with monotonic times in ms. */
interface Use {
  /** Undefined if a listing shows none. */
  readonly objects: readonly RelatedObject[] | undefined;
  readonly readAt: number;
  /** Time of the first read that showed the same objects. */
  readonly since: number;
}

/** Returns a delete that has sent nothing yet. */
export const removalOf = (operation: Operation, state: ResourceState, address: Address): Removal => ({
  operation,
  address,
  state,
  tracker: { sent: false },
  contentUntil: contentUntil(operation, address),
  password: { isRequested: false, isSent: false, unanswered: [] },
  evidence: { statedFailures: 0, unclearRoutes: new Set() },
});

/** Time in ms during which content in a listing does not end a delete. */
const contentMs = 30_000;

/** Returns the monotonic time in ms from which content in a listing ends a delete: later if this process deleted content. */
function contentUntil({ session }: Operation, { id }: Address): number {
  const deletedAt = session.objects.childDeletedAt.get(plainId(id)) ?? Number.NEGATIVE_INFINITY;
  return Math.max(session.ports.clock.monotonic() + contentMs, deletedAt + settleMs(session));
}

/** Returns the arguments of the verbs that delete the object and list the objects that use it. */
export function callOf({ operation, address, state, tracker, password }: Removal) {
  return {
    ...address,
    api: operation.api(address.region, tracker),
    prior: verbInputs(state.values),
    ...timingOf(operation, address.id),
    isRecent: () => isRecent(operation, address.id),
    async otp() {
      password.isRequested = true;
      const object = `${operation.subject} (${address.id})`;
      const next = await operation.session.oneTimePasswords.next(object, operation.signal);
      password.isSent = next !== undefined;
      return next;
    },
  };
}
