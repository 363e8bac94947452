import * as z from "zod";
import { refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import { accountOperation } from "../iam/account-header.ts";
import { type Cloud, deleteResource, existing, listed, newResource } from "../model/cloud.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { text } from "../model/schema.ts";
import { uuidOf } from "../state/id.ts";
import type { Resource } from "../state/store.ts";
import { type Bucket, requireBucket } from "./bucket-model.ts";

const effects = {
  delete_incomplete_mpu: z.int().min(0).optional(),
  newer_noncurrent_versions: z.int().min(0).optional(),
  noncurrent_days: z.int().min(0).optional(),
  expiration_days: z.int().min(0).optional(),
  expired_obj_delete_marker: z.boolean().optional(),
};

export const ruleFields = z.strictObject({
  name: text,
  attribute: z.string().optional(),
  enabled: z.boolean().default(true),
  ...effects,
});

/** Lifecycle rule for the objects of a bucket. It is deleted with the bucket. */
export type LifecycleRule = Resource & { fields: z.output<typeof ruleFields>; enabled: boolean };

const lifecycleRuleModel = (cloud: Cloud) => cloud.store.model<LifecycleRule>("lifecycle_rule");

const rulesOf = (cloud: Cloud, { krn }: Bucket): readonly LifecycleRule[] =>
  lifecycleRuleModel(cloud)
    .all()
    .filter(({ parents }) => parents[0] === krn);

/** Renders a rule. The seed document does not show the status values (docs/contract.md#9.3). */
const renderLifecycleRule = ({ krn, fields, enabled }: LifecycleRule) => ({
  ...fields,
  enabled,
  id: uuidOf(krn),
  status: enabled ? "Enabled" : "Disabled",
});

function requireLifecycleRule(cloud: Cloud, bucket: Bucket, id: string): LifecycleRule {
  const rule = existing(cloud, rulesOf(cloud, bucket)).find(({ krn }) => uuidOf(krn) === id);
  if (rule === undefined) throw new Refusal(404, `lifecycle rule ${id} not found`);
  return rule;
}

function checkFields(
  cloud: Cloud,
  bucket: Bucket,
  fields: LifecycleRule["fields"],
  current?: LifecycleRule,
): void {
  if (Object.keys(effects).every((name) => !fields[name as keyof typeof effects]))
    throw new Refusal(400, "body: a rule must have at least one action");
  const others = existing(cloud, rulesOf(cloud, bucket)).filter((rule) => rule !== current);
  if (others.some(({ name }) => name === fields.name))
    throw new Refusal(409, `lifecycle rule ${fields.name} already exists`);
}

const rulesPath = "/kos/v1/buckets/{bucket}/lifecycle-rules";

const listLifecycleRules = accountOperation({
  name: "list_lifecycle_rules",
  method: "GET",
  path: rulesPath,
  section: "9.3",
  source: "seed",
  handle: (cloud, { path: { bucket } }) => ({
    status: 200,
    body: listed(cloud, rulesOf(cloud, requireBucket(cloud, bucket))).map(renderLifecycleRule),
  }),
});

const createLifecycleRule = accountOperation({
  name: "create_lifecycle_rule",
  method: "POST",
  path: rulesPath,
  section: "9.3",
  source: "seed",
  body: ruleFields,
  handle(cloud, { headers, body, path: { bucket: id } }) {
    const bucket = requireBucket(cloud, id, headers);
    refuseByName(body.name);
    checkFields(cloud, bucket, body);
    const rule = lifecycleRuleModel(cloud).insert({
      ...newResource(cloud, "kos", "lifecyclerule", bucket.region),
      name: body.name,
      parents: [bucket.krn],
      owned: true,
      fields: body,
      enabled: body.enabled,
    });
    const returnsRule = cloud.settings.assume.lifecycleRuleAnswer === "rule";
    return {
      status: 201,
      body: returnsRule ? renderLifecycleRule(rule) : { message: "lifecycle rule created" },
    };
  },
});

const getLifecycleRule = accountOperation({
  name: "get_lifecycle_rule",
  method: "GET",
  path: `${rulesPath}/{rule}`,
  section: "9.3",
  source: "seed",
  handle: (cloud, { path: { bucket, rule } }) => ({
    status: 200,
    body: renderLifecycleRule(requireLifecycleRule(cloud, requireBucket(cloud, bucket), rule)),
  }),
});

const updateLifecycleRule = accountOperation({
  name: "update_lifecycle_rule",
  method: "PUT",
  path: `${rulesPath}/{rule}`,
  section: "9.3",
  source: "seed",
  body: ruleFields,
  handle(cloud, { headers, body, path: { bucket: id, rule: ruleId } }) {
    const bucket = requireBucket(cloud, id, headers);
    const rule = requireLifecycleRule(cloud, bucket, ruleId);
    checkFields(cloud, bucket, body, rule);
    Object.assign(rule, { name: body.name, fields: body, enabled: body.enabled, updatedAt: cloud.now });
    return { status: 200, body: renderLifecycleRule(rule) };
  },
});

const deleteLifecycleRule = accountOperation({
  name: "delete_lifecycle_rule",
  method: "DELETE",
  path: `${rulesPath}/{rule}`,
  section: "9.3",
  source: "seed",
  handle(cloud, { headers, path: { bucket, rule } }) {
    deleteResource(cloud, requireLifecycleRule(cloud, requireBucket(cloud, bucket, headers), rule), 0);
    return { status: 204 };
  },
});

/** Lifecycle rules of a bucket. */
export const lifecycleRuleKind: ResourceKind = {
  name: "lifecycle_rule",
  operations: [
    listLifecycleRules,
    createLifecycleRule,
    getLifecycleRule,
    updateLifecycleRule,
    deleteLifecycleRule,
  ],
};
