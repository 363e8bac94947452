import * as z from "zod/mini";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { storage } from "./bucket.ts";

/** Account policies in requests and responses (docs/contract.md#9.4). */

/** Body of a create and of an update. */
export interface AccountPolicyBody {
  readonly _id: string | undefined;
  readonly name: string;
  readonly statements: string;
  readonly conditions: string;
  readonly accountId: string | undefined;
  readonly policyKRN: string | undefined;
}

/** Schema of a policy in a response. */
export const summary = z.object({
  name: z.string(),
  policyKRN: z.string(),
  CreationDate: z.optional(z.string()),
});

/** Schema of a create response. Only the id is required, so that no other invalid field makes the id unreadable. */
const createdPolicy = z.object({ policyKRN: z.string() });

/** Routes of account policies. */
export const accountPolicyRoutes = {
  create: endpoint("create", "POST /internal/kos/v1/policy", createdPolicy, {
    ...storage,
    body: json<AccountPolicyBody>(),
  }),
  list: endpoint("read", "GET /internal/kos/v1/policy", z.union([z.array(summary), summary]), storage),
  read: endpoint("read", "GET /internal/kos/v1/policy/{policy}", summary, storage),
  update: endpoint("update", "PUT /internal/kos/v1/policy/{policy}", undefined, {
    ...storage,
    body: json<AccountPolicyBody>(),
    writes: ["name", "statements", "conditions"],
  }),
  delete: endpoint("delete", "DELETE /internal/kos/v1/policy/{policy}", undefined, storage),
};

/** Routes that attach account policies to the account, and detach them. */
export const accountPolicyAttachmentRoutes = {
  attach: endpoint("update", "POST /internal/kos/v1/policy/attach", undefined, {
    ...storage,
    body: json<{ policyKRNs: string[] }>(),
  }),
  // No read confirms a detach, so its response must be one of the API.
  detach: endpoint("update", "POST /internal/kos/v1/policy/detach", z.object({ policyKRN: z.string() }), {
    ...storage,
    body: json<{ kcid: string; policyKRNs: string[] }>(),
  }),
};
