import { accountOf, isUuid, kindOf } from "../core/krn.ts";
import type { WireRequest } from "../platform/ports.ts";

/**
 * Account of the credentials and its customer, which some routes require and no route returns (docs/contract.md#1.4). Both
 * are configured or parsed from the id of a row. The ids of a state may belong to another account.
 */
export interface Owner {
  /** Returns the account number; undefined while it is unknown. */
  account(): string | undefined;
  /** Returns true if responses show only another account than the configured one, so that no state should record it. */
  isDisputed(): boolean;
  /** Returns the UUID of the customer; undefined while it is unknown. */
  customer(): string | undefined;
  /**
   * Parses account and customer from the ids in the response to a read. Ignores ids in the request: an error text or an
   * empty result may repeat an id of another account.
   */
  learn(answer: string, request: WireRequest): void;
}

/** Value of an id field in JSON. Other texts, such as descriptions, may contain ids of other accounts. */
const idValue = /(?<="\w*(?:krn|id)"\s*:\s*)"(krn:[\w:*/.-]+)"/iy;

/** Returns the part of an id up to its last colon, which the ids of a listing share. */
const prefixOf = (id: string): string => id.slice(0, id.lastIndexOf(":") + 1);

/** Returns the parts of a request that can contain ids, as one text. */
const textOf = ({ url, headers, body = "" }: WireRequest): string =>
  [url.replaceAll("%3A", ":").replaceAll("%2F", "/"), ...Object.values(headers), body].join(" ");

/**
 * Creates the owner. The configured account is that of the credentials if a response shows an id of it, or none of any other.
 * One row of another account decides nothing then. Without a configured account, all ids in responses must agree: of
 * several accounts, none is that of the credentials.
 */
export function createOwner(configured: {
  readonly accountId: string | undefined;
  readonly customerId: string | undefined;
}): Owner {
  /** Customer by each account that a response showed; undefined while none is known. */
  const shown = new Map<string, string | undefined>();
  /** Prefixes of ids that show nothing new. */
  const prefixes = new Set<string>();
  const named = /^\d+$/.test(configured.accountId ?? "") ? configured.accountId : undefined;
  const isDisputed = () => named !== undefined && shown.size > 0 && !shown.has(named);
  const account = (): string | undefined => {
    if (named !== undefined && !isDisputed()) return named;
    const [first, ...others] = shown.keys();
    return others.length === 0 ? first : undefined;
  };
  const customer = () => {
    const [first] = shown.keys();
    return configured.customerId ?? shown.get(account() ?? first ?? "");
  };
  return {
    account,
    isDisputed,
    customer,
    learn(answer, request) {
      if (named !== undefined && shown.has(named) && customer() !== undefined) return;
      let requestText: string | undefined;
      for (let index = answer.indexOf("krn:"); index >= 0; index = answer.indexOf("krn:", index + 1)) {
        if (answer[index - 1] !== '"') continue;
        if (prefixes.has(prefixOf(answer.slice(index, answer.indexOf('"', index))))) continue;
        idValue.lastIndex = index - 1;
        const [, id = ""] = idValue.exec(answer) ?? [];
        const found = accountOf(id);
        // Images may belong to other accounts; all other objects in responses belong to this one.
        if (found === undefined || kindOf(id) === "image") continue;
        const [, , , , part = ""] = id.split(":");
        if (shown.has(found) && (shown.get(found) !== undefined || !isUuid(part))) {
          prefixes.add(prefixOf(id));
          continue;
        }
        requestText ??= textOf(request);
        if (!requestText.includes(id)) shown.set(found, isUuid(part) ? part : shown.get(found));
      }
    },
  };
}
