import * as z from "zod/mini";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { maybeFlag, maybeNumber, maybeText } from "../../provider/definition/validator.ts";
import { storage } from "./bucket.ts";

/** Lifecycle rules of a bucket in requests and responses (docs/contract.md#9.3). */

/** Names of the fields with a number of days or versions. */
export const amounts = [
  "expirationDays",
  "noncurrentDays",
  "newerNoncurrentVersions",
  "deleteIncompleteMpu",
] as const;

/** Body of a create and of an update. */
export interface RuleBody {
  readonly name: string;
  readonly attribute: string | undefined;
  readonly enabled: boolean;
  readonly expiration_days: number | undefined;
  readonly noncurrent_days: number | undefined;
  readonly newer_noncurrent_versions: number | undefined;
  readonly delete_incomplete_mpu: number | undefined;
  readonly expired_obj_delete_marker: boolean;
}

/** Schema of a rule in a response. */
export const wire = z.object({
  id: maybeText,
  name: maybeText,
  attribute: maybeText,
  enabled: maybeFlag,
  expiration_days: maybeNumber,
  noncurrent_days: maybeNumber,
  newer_noncurrent_versions: maybeNumber,
  delete_incomplete_mpu: maybeNumber,
  expired_obj_delete_marker: maybeFlag,
  status: maybeText,
});

/** Routes of the lifecycle rules of a bucket. */
export const lifecycleRoutes = {
  list: endpoint("read", "GET /kos/v1/buckets/{bucket}/lifecycle-rules", z.array(wire), storage),
  create: endpoint(
    "create",
    "POST /kos/v1/buckets/{bucket}/lifecycle-rules",
    z.optional(z.object({ id: maybeText })),
    { ...storage, body: json<RuleBody>() },
  ),
  read: endpoint("read", "GET /kos/v1/buckets/{bucket}/lifecycle-rules/{rule}", wire, storage),
  update: endpoint("update", "PUT /kos/v1/buckets/{bucket}/lifecycle-rules/{rule}", undefined, {
    ...storage,
    body: json<RuleBody>(),
    writes: ["name", "attribute", "enabled", ...amounts, "expiredObjDeleteMarker"],
  }),
  delete: endpoint("delete", "DELETE /kos/v1/buckets/{bucket}/lifecycle-rules/{rule}", undefined, storage),
};
