import type * as z from "zod/mini";

/**
 * Effect of a request, which decides whether the request may be sent again (docs/reliability.md#3.2). It is declared for
 * every route and never derived from the method: this API has reads by POST and deletes by GET.
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
  /** Deletes one object with a one-time password. Each attempt uses up a password, also a failed one. */
  | "guarded-delete"
  /**
   * Cancels work by a GET. Sent again only if the request did not leave this machine, and once with a new credential after
   * a 401 (docs/contract.md#12).
   */
  | "cancel"
  /**
   * Bills the account for each execution. Sent again only if it was certainly not executed: not sent, a 401, a 429 with
   * `Retry-After` or the API's own body, or the API's own 503.
   */
  | "metered"
  /** Deletes all objects of a kind in the account. Sent only by an action that the user confirms. */
  | "account-wide"
  /** Obtains a credential. Never sent again after a rejection: repeated rejections may lock the account. */
  | "sign-in";

/** Semantics of requests that are never repeated, even after a 429: a 429 does not prove that nothing was executed. */
export const neverRepeated: ReadonlySet<Semantics> = new Set(["cancel", "guarded-delete", "account-wide"]);

/** Names of the parameters of a path: `"volume"` for `/kbs/v1/volumes/{volume}`. */
type Parameter<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Parameter<Rest>
  : never;

/** Declares the fields of the JSON body of a request, for the compiler only: `{ body: json<{ name: string }>() }`. */
export const json = <B extends object>(): B => ({}) as B;

/**
 * Route of the API. The client sends requests only to endpoints, so every request has declared semantics, and every parsed
 * response has a schema. `P` are the names of the parameters of the path, `B` is the type of the body.
 */
export interface Endpoint<A = unknown, P extends string = string, B extends object = object> {
  readonly semantics: Semantics;
  readonly method: string;
  /** Path with `{name}` for each parameter. */
  readonly path: string;
  /** Parameters of the path and body of a request. Both exist only for the compiler. */
  readonly parameter?: P;
  readonly body?: B;
  /** Schema of a 2xx body. Without a schema the body is not parsed. */
  readonly answer: z.ZodMiniType<A> | undefined;
  /** Header with the region; false if the request has none. */
  readonly region: false | "x-region" | "x-region-id";
  /** True if the customer is sent as `k-customer-id` once it is known. */
  readonly customer: boolean;
  /** True if the account is sent as `x-account-id` (docs/contract.md#9). */
  readonly account: boolean;
  /** True if the user is sent as `x-user` (docs/contract.md#12). */
  readonly user: boolean;
  /**
   * True if the request belongs to an object session, whose token is sent as `x-session-token` (docs/contract.md#1.3).
   */
  readonly objectSession: boolean;
  /** True if the request has no credential: it obtains one. */
  readonly anonymous: boolean;
  /** True if the response also contains objects of other accounts, such as a list of images. */
  readonly foreign: boolean;
  /** Fields of the response with a secret, which is redacted from all later texts. */
  readonly secrets: readonly string[];
  /**
   * Names of the fields of the definition that each request of an update writes, for an endpoint that writes a whole object
   * or several of its fields. Empty for an endpoint that writes only what its request is about.
   *
   * The verb `update` must get the values from `current`, which reads the object first: a field that the plan does not
   * change is sent as the API shows it. Otherwise a change of one field would undo what somebody changed in another one.
   */
  readonly writes: readonly string[];
  /**
   * Schema of each row, for a response that is read row by row; `answer` is then the schema of the JSON around the rows.
   */
  readonly row?: z.ZodMiniType;
}

type Options = Pick<
  Endpoint,
  | "region"
  | "customer"
  | "account"
  | "user"
  | "objectSession"
  | "anonymous"
  | "foreign"
  | "secrets"
  | "writes"
>;

/** Defines an endpoint: `endpoint("read", "GET /kbs/v1/volumes/{volume}", schema)`. */
export function endpoint<
  const R extends `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`,
  A = void,
  B extends object = object,
>(
  semantics: Semantics,
  route: R,
  answer?: z.ZodMiniType<A>,
  {
    region = "x-region",
    customer = false,
    account = false,
    user = false,
    objectSession = false,
    anonymous = false,
    foreign = false,
    secrets = [],
    writes = [],
  }: Partial<Options> & { readonly body?: B } = {},
): Endpoint<A, Parameter<R>, B> {
  const [method = "", path = ""] = route.split(" ");
  const options = { region, customer, account, user, objectSession, anonymous, foreign, secrets, writes };
  return { semantics, method, path, answer, ...options };
}

/**
 * Defines a read whose response is an array with too many rows for one string: the response is read row by row. `around`
 * is the endpoint with the schema of the JSON around the rows.
 */
export const inRows = <R, P extends string>(
  around: Endpoint<unknown, P>,
  row: z.ZodMiniType<R>,
): Endpoint<R[], P> => ({ ...around, row }) as unknown as Endpoint<R[], P>;
