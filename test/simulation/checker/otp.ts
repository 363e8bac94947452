import type { WireRequest } from "../../../provider/platform/ports.ts";
import type { Report } from "../report.ts";

/**
 * Checks the deletes of one process that need a one-time password (I15): if `due` is set, none is sent without a
 * password; no password is sent twice.
 */
export interface OtpChecker {
  sending(request: WireRequest): void;
}

const isGuarded = ({ method, url }: WireRequest): boolean =>
  method === "DELETE" && /\/kos\/v1\/(buckets|access_keys)\/[^/]+$/.test(url);

const passwordIn = ({ body = "" }: WireRequest): string | undefined => /"otp":"([^"]*)"/.exec(body)?.[1];

export function createOtpChecker(due: boolean, report: Report): OtpChecker {
  const tried = new Set<string>();
  const reportViolation = ({ url }: WireRequest, text: string) =>
    report.violation("I15", `DELETE ${url} ${text}`);
  return {
    sending(request) {
      const password = isGuarded(request) ? passwordIn(request) : "";
      if (due && password === undefined) reportViolation(request, "was sent without a one-time password");
      if (password && tried.has(password)) reportViolation(request, "repeats a one-time password");
      if (password) tried.add(password);
    },
  };
}
