import type * as z from "zod/mini";

/**
 * Effect of a request on the API, which decides whether it may be sent again (docs/reliability.md#3.2). It is declared
 * once for every route and never derived from the method: this API reads by POST and deletes by GET.
 */
export type Semantics =
  /** Changes nothing; may be sent again. */
  | "read"
  /** Creates an object. Never sent again after an ambiguous response, which is resolved by search. */
  | "create"
  /** Sets a value completely. Sent again only after a read shows that the value is not set. */
  | "update"
  /** Performs an action. Sent again only after a read shows that the action did not happen. */
  | "action"
  /** Deletes one object by its id. */
  | "delete"
  /** Deletes one object with a one-time password. One attempt uses up the password, whatever its result. */
  | "guarded-delete"
  /**
   * Ends something by a GET. Sent again only if it was not sent, and once with a new credential after a 401
   * (docs/contract.md#12).
   */
  | "cancel"
  /**
   * Bills the account for each execution. Sent again only if it was certainly not executed: not sent, a 401, a 429 with
   * `Retry-After` or the API's own body, or the API's own 503.
   */
  | "metered"
  /** Deletes all objects of a kind in the account. Only an action that the user confirms sends it. */
  | "account-wide"
  /** Obtains a credential. Never sent again after a refusal, which may lock the account. */
  | "sign-in";

/** Semantics of requests that are sent once, after a 429 too: it does not show that nothing was executed. */
export const neverRepeated: ReadonlySet<Semantics> = new Set(["cancel", "guarded-delete", "account-wide"]);

/**
 * Route of the API. The client sends requests to endpoints only, so every request has declared semantics, and every
 * response that is parsed has a schema.
 */
export interface Endpoint<A = unknown> {
  readonly semantics: Semantics;
  readonly method: string;
  /** Path with `{name}` for each parameter. */
  readonly path: string;
  /** Schema of a 2xx body. Without a schema the body is not parsed. */
  readonly answer: z.ZodMiniType<A> | undefined;
  /** Header that carries the region; false if none does. */
  readonly region: false | "x-region" | "x-region-id";
  /** True if the customer is sent as `k-customer-id`, provided that it is known. */
  readonly customer: boolean;
  /** True if the account is sent as `x-account-id` (docs/contract.md#9). */
  readonly account: boolean;
  /** True if the user is sent as `x-user` (docs/contract.md#12). */
  readonly user: boolean;
  /**
   * True if the request belongs to an object session, whose token is sent as `x-session-token` (docs/contract.md#1.3).
   */
  readonly objectSession: boolean;
  /** True if the response also shows objects of other accounts, as a list of images does. */
  readonly foreign: boolean;
  /** Fields of the response that hold a secret, which is redacted from every text from then on. */
  readonly secrets: readonly string[];
  /**
   * Schema of each row of a response that is read row by row; `answer` is then the schema of the JSON around the rows.
   */
  readonly row?: z.ZodMiniType;
}

type Travels = Pick<
  Endpoint,
  "region" | "customer" | "account" | "user" | "objectSession" | "foreign" | "secrets"
>;

/** Defines an endpoint: `endpoint("read", "GET /kbs/v1/volumes/{volume}", schema)`. */
export function endpoint<A = void>(
  semantics: Semantics,
  route: `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`,
  answer?: z.ZodMiniType<A>,
  {
    region = "x-region",
    customer = false,
    account = false,
    user = false,
    objectSession = false,
    foreign = false,
    secrets = [],
  }: Partial<Travels> = {},
): Endpoint<A> {
  const [method = "", path = ""] = route.split(" ");
  const travels = { region, customer, account, user, objectSession, foreign, secrets };
  return { semantics, method, path, answer, ...travels };
}

/**
 * Defines a read whose response is one array with too many rows for one string: it is read row by row. `around` is the
 * endpoint with the schema of the JSON around the rows.
 */
export const inRows = <R>(around: Endpoint, row: z.ZodMiniType<R>): Endpoint<R[]> =>
  ({ ...around, row }) as unknown as Endpoint<R[]>;
