import * as z from "zod";
import { bearerOf } from "../auth/auth.ts";
import { Refusal } from "../http/wire.ts";
import { type Cloud, requireKnownRegion } from "../model/cloud.ts";
import { type Operation, type OperationDeclaration, operation } from "../model/operation.ts";
import { region, text } from "../model/schema.ts";

/** Headers of object storage (docs/contract.md#1.3, docs/contract.md#9). */
const headers = z.object({
  authorization: text,
  "x-account-id": text.optional(),
  "x-region-id": region.optional(),
  "x-tier": text.optional(),
  "x-session-token": text.optional(),
  "if-none-match": text.optional(),
});

export type ObjectHeaders = z.output<typeof headers>;

/** Accepts the account number, or the credential, since samples send an API key in this header (docs/contract.md#16). */
function requireAccount({ settings }: Cloud, { authorization, "x-account-id": id }: ObjectHeaders): void {
  if (id === undefined && settings.assume.accountHeader === "optional") return;
  if (id === undefined) throw new Refusal(400, "header x-account-id: required");
  if (id !== settings.account && id !== bearerOf(authorization))
    throw new Refusal(401, "header x-account-id: not the account of the credential");
}

/** Region of buckets and keys that name none (docs/contract.md#16.1). */
export const defaultRegion = "In-Bangalore-1";

/** Declares an operation that requires the account header, as all do except those on session tokens (docs/contract.md#9). */
export function accountOperation<P extends string, Q = unknown, B = unknown>(
  declaration: Omit<OperationDeclaration<P, ObjectHeaders, Q, B>, "headers">,
): Operation {
  return operation<P, ObjectHeaders, Q, B>({
    ...declaration,
    headers,
    handle(cloud, call) {
      requireAccount(cloud, call.headers);
      requireKnownRegion("x-region-id", call.headers["x-region-id"], cloud.settings);
      return declaration.handle(cloud, call);
    },
  });
}
