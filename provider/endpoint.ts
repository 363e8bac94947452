import type * as z from "zod/mini";

/**
 * What sending a request means for the cloud (reliability 3.2), declared once for every route and never
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
  /** Whether the region travels as `x-region`. */
  readonly region: boolean;
  /** Whether the customer travels as `k-customer-id`, where it is known. */
  readonly customer: boolean;
}

/** `endpoint("read", "GET /kbs/v1/volumes/{volume}", schema)`. */
export function endpoint<A = void>(
  semantics: Semantics,
  route: `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`,
  answer?: z.ZodMiniType<A>,
  { region = true, customer = false }: { region?: boolean; customer?: boolean } = {},
): Endpoint<A> {
  const [method = "", path = ""] = route.split(" ");
  return { semantics, method, path, answer, region, customer };
}
