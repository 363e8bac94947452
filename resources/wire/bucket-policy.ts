import * as z from "zod/mini";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { maybeText } from "../../provider/definition/validator.ts";
import { storage } from "./bucket.ts";

/** Policy of a bucket in requests and responses (docs/contract.md#9.4). */

/** Body of a create and of an update. */
export interface HostLists {
  readonly s3_read_write_ips: readonly string[];
  readonly s3_read_only_ips: readonly string[];
}

/** List of hosts in a response: null means empty, a missing list means that the response does not show it. */
const hostList = z.optional(
  z.pipe(
    z.nullable(z.array(z.string())),
    z.transform((hosts) => hosts ?? []),
  ),
);

/** Schema of a policy in a response. */
export const wire = z
  .object({ bucketPolicyKrn: maybeText, s3_read_write_ips: hostList, s3_read_only_ips: hostList })
  .check(z.refine((policy) => Object.values(policy).some((value) => value !== undefined)));

/** Routes of the policy of a bucket. */
export const bucketPolicyRoutes = {
  read: endpoint("read", "GET /kos/v1/buckets/policy/{bucket}", wire, storage),
  create: endpoint("create", "POST /kos/v1/buckets/policy/{bucket}", undefined, {
    ...storage,
    body: json<HostLists>(),
  }),
  update: endpoint("update", "PUT /kos/v1/buckets/policy/{bucket}", undefined, {
    ...storage,
    body: json<HostLists>(),
    writes: ["readWriteIps", "readOnlyIps"],
  }),
  delete: endpoint("delete", "DELETE /kos/v1/buckets/policy/{bucket}", undefined, storage),
};
