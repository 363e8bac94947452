import { type Answer, type Delivery, errorBody, type WireAnswer, wireAnswer } from "../http/wire.ts";
import { statusOf } from "./kind.ts";
import { type FaultDetail, htmlAnswer, spoilers } from "./response-mutator.ts";

const reason = "injected fault";

/** What the client gets in place of the real answer, which is undefined when the operation was not executed. */
export function strike(
  kind: string,
  detail: FaultDetail,
  answer: WireAnswer | undefined,
): Delivery | undefined {
  if (kind === "delay") return answer;
  if (kind === "reset" || kind === "fin" || kind === "hang") return { kind };
  const fixed = statusOf(kind);
  if (fixed === undefined) return answer && spoilers[kind]?.(answer, detail);
  const { status, html } = fixed;
  const headers: Record<string, string> = {};
  if (detail.retryAfter !== undefined) headers["retry-after"] = detail.retryAfter;
  const location = detail.location ?? (status < 400 && status !== 304 ? "/sign-in" : undefined);
  if (location !== undefined) headers.location = location;
  if (html) return { ...htmlAnswer(status), headers: { ...htmlAnswer(status).headers, ...headers } };
  const body = detail.body ?? errorBody({ status, message: reason }, "message");
  return wireAnswer({ status, headers, body } satisfies Answer);
}
