import type * as z from "zod/mini";

/**
 * What sending a request means for the cloud (docs/reliability.md#3.2), declared once for every route and never
 * derived from its method: this API reads by POST and deletes by GET.
 */
export type Semantics =
  /** Changes nothing; may be sent again. */
  | "read"
  /** Makes an object; never sent twice, an unclear answer is settled by search. */
  | "create"
  /** Sets a state in full; sent again only after a read shows that it does not stand. */
  | "update"
  /** Does something; sent again only after a read shows that it did not happen. */
  | "action"
  /** Removes one object by its id. */
  | "delete"
  /** Removes one object against a one-time password, which is good for one try whatever comes of it. */
  | "guarded-delete"
  /** Removes what the whole account has: for an action that is confirmed, and for nothing else. */
  | "account-wide"
  /** Gives a proof of who asks; never sent again after a refusal, which may lock the account. */
  | "sign-in";

/** A route. The client sends nothing else, so no request is without its semantics or its answer's schema. */
export interface Endpoint<A = unknown> {
  readonly semantics: Semantics;
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
  /** What a 2xx body must hold; without one the body is not looked at. */
  readonly answer: z.ZodMiniType<A> | undefined;
  /** The header in which the region travels, if it does. */
  readonly region: false | "x-region" | "x-region-id";
  /** Whether the customer travels as `k-customer-id`, where it is known. */
  readonly customer: boolean;
  /** Whether the account travels as `x-account-id` (docs/contract.md#9). */
  readonly account: boolean;
  /** Whether it is asked in an object session, whose token travels as `x-session-token` (docs/contract.md#1.3). */
  readonly objectSession: boolean;
  /** What each row must hold of an answer that is read row by row; `answer` is of what is around them then. */
  readonly row?: z.ZodMiniType;
}

type Travels = Pick<Endpoint, "region" | "customer" | "account" | "objectSession">;

/** `endpoint("read", "GET /kbs/v1/volumes/{volume}", schema)`. */
export function endpoint<A = void>(
  semantics: Semantics,
  route: `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`,
  answer?: z.ZodMiniType<A>,
  { region = "x-region", customer = false, account = false, objectSession = false }: Partial<Travels> = {},
): Endpoint<A> {
  const [method = "", path = ""] = route.split(" ");
  return { semantics, method, path, answer, region, customer, account, objectSession };
}

/** A read whose answer is one array of more rows than one text should hold: what it is made for is what is around them. */
export const inRows = <R>(around: Endpoint, row: z.ZodMiniType<R>): Endpoint<R[]> =>
  ({ ...around, row }) as unknown as Endpoint<R[]>;
