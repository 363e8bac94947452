import {
  type ConnectionOutcome,
  errorBody,
  type OperationResponse,
  type WireResponse,
  wireResponse,
} from "../http/wire.ts";
import { statusOfKind } from "./kind.ts";
import { type FaultDetail, htmlResponse, responseMutators } from "./response-mutator.ts";

const faultMessage = "injected fault";

/** Response of an intermediary that did not forward the request. */
const accepted = () => wireResponse({ status: 200, body: { message: "accepted" } });

/**
 * Returns the outcome of a fault; undefined to continue without one. `answer` is the real response, undefined when the
 * operation was not executed.
 */
export function applyFault(
  kind: string,
  detail: FaultDetail,
  answer: WireResponse | undefined,
): ConnectionOutcome | undefined {
  if (kind === "delay") return answer;
  if (kind === "reset" || kind === "fin" || kind === "hang") return { kind };
  const fixed = statusOfKind(kind);
  if (fixed === undefined) return responseMutators[kind]?.(answer ?? accepted(), detail);
  const { status, html } = fixed;
  const headers: Record<string, string> = {};
  if (detail.retryAfter !== undefined) headers["retry-after"] = detail.retryAfter;
  const location = detail.location ?? (status < 400 && status !== 304 ? "/sign-in" : undefined);
  if (location !== undefined) headers.location = location;
  if (html) return { ...htmlResponse(status), headers: { ...htmlResponse(status).headers, ...headers } };
  const body = detail.body ?? errorBody({ status, message: faultMessage }, "message");
  return wireResponse({ status, headers, body } satisfies OperationResponse);
}
