import { accountOf, kindOf } from "../core/krn.ts";
import type { WireRequest } from "../platform/ports.ts";

/**
 * Account of the credentials and its customer, which some routes require and no route returns (docs/contract.md#1.4). Both
 * are configured or parsed from the id of a row. The ids of a state may belong to another account.
 */
export interface Owner {
  /** Returns the account number; undefined while it is unknown. */
  account(): string | undefined;
  /** Returns the UUID of the customer; undefined while it is unknown. */
  customer(): string | undefined;
  /**
   * Parses account and customer from the ids in the response to a read. Ignores ids in the request: an error text or an
   * empty result may repeat an id of another account.
   */
  learn(answer: string, request: WireRequest): void;
}

/** Ids as values of id fields in JSON. Other texts, such as descriptions, may contain ids of other accounts. */
const krns = /"\w*(?:krn|id)"\s*:\s*"(krn:[\w:*/.-]+)"/gi;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns the parts of a request that can contain ids, as one text. */
const textOf = ({ url, headers, body = "" }: WireRequest): string =>
  [url.replaceAll("%3A", ":").replaceAll("%2F", "/"), ...Object.values(headers), body].join(" ");

/** Creates the owner. An id in a response takes precedence over the configured account, but not over the customer. */
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
