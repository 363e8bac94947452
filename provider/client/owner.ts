import { accountOf, kindOf } from "../core/krn.ts";
import type { WireRequest } from "../platform/ports.ts";

/**
 * Account of the credentials, and its customer, which some routes require and no listing returns (docs/contract.md#1.4):
 * configured, or taken from the id of a row. The two may belong to another account than the ids of a state.
 */
export interface Owner {
  /** Returns the account number; undefined while it is unknown. */
  account(): string | undefined;
  /** Returns the UUID of the customer; undefined while it is unknown. */
  customer(): string | undefined;
  /**
   * Takes account and customer from the ids in the response of a read. Ids that the request names do not count: an
   * error text or an empty result may repeat those of another account.
   */
  learn(answer: string, request: WireRequest): void;
}

/** Ids in JSON. A text that a user wrote, such as a description, may name objects of other accounts. */
const krns = /"\w*(?:krn|id)"\s*:\s*"(krn:[\w:*/.-]+)"/gi;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns the text of a request that can name ids. */
const textOf = ({ url, headers, body = "" }: WireRequest): string =>
  [url.replaceAll("%3A", ":").replaceAll("%2F", "/"), ...Object.values(headers), body].join(" ");

/** Creates the owner with what is configured; a row shows the account in any case, the customer if it is not configured. */
export function createOwner(configured: {
  readonly accountId: string | undefined;
  readonly customerId: string | undefined;
}): Owner {
  let account: string | undefined;
  let customer = configured.customerId;
  const { accountId = "" } = configured;
  return {
    account: () => account ?? (/^\d+$/.test(accountId) ? accountId : undefined),
    customer: () => customer,
    learn(answer, request) {
      if (account !== undefined && customer !== undefined) return;
      let asked: string | undefined;
      for (const [, id = ""] of answer.matchAll(krns)) {
        const shown = accountOf(id);
        // Images may belong to other accounts; all other objects in responses belong to this one.
        if (shown === undefined || kindOf(id) === "image") continue;
        asked ??= textOf(request);
        if (asked.includes(id)) continue;
        account ??= shown;
        const [, , , , part = ""] = id.split(":");
        if (uuid.test(part) && shown === account) customer ??= part;
        if (customer !== undefined) return;
      }
    },
  };
}
