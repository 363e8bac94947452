import * as z from "zod";
import { failureByName, refuseByName } from "../fault/sentinel.ts";
import { type Cloud, existing } from "../model/cloud.ts";
import { instanceModel } from "../model/instance.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { regional, text } from "../model/schema.ts";
import { insertInstances } from "./instance-create.ts";
import { type InstancePlan, instanceBody, planInstances } from "./instance-plan.ts";
import { requireTemplate, type Template } from "./instance-template-model.ts";

/** Returns the body of an instance create that creates the same instances. */
function instanceBodyOf({ config }: Template, instanceName: string, count: number) {
  const { vpc_name, network_id, network_name, subnet_name, security_group_names, image_name, ...parts } =
    config;
  return instanceBody.parse({ ...parts, instanceName, count });
}

/** Returns the names of a batch's instances. The real scheme is unknown: a switch selects one (docs/contract.md#7). */
function namesOf(cloud: Cloud, { body, vpc }: InstancePlan): string[] {
  const { instanceName: prefix, count } = body;
  const batchNames = cloud.decide("batchNames");
  const { equalNames } = cloud.settings.assume;
  if (batchNames === "random")
    return Array.from({ length: count }, () => `${prefix}-${cloud.store.newUuid("name").slice(0, 8)}`);
  const others = existing(cloud, instanceModel(cloud).all()).filter(
    (resource) => resource.parents[0] === vpc.krn,
  );
  const skipped = new Set(
    batchNames === "continue" || !equalNames ? others.map((resource) => resource.name) : [],
  );
  const names: string[] = [];
  for (let number = 1; names.length < count; number++) {
    const name = `${prefix}-${number}`;
    if (!skipped.has(name)) names.push(name);
  }
  return names;
}

/** Creates the instances, one task each; in a batch with a failing name only the last one fails. */
function insertBatch(cloud: Cloud, plan: InstancePlan): string {
  const jobId = cloud.store.newUuid("job");
  const batchId = cloud.settings.assume.batchIdIsJob ? jobId : cloud.store.newUuid("batch");
  const names = namesOf(cloud, plan);
  const members = names.map((name, i) => ({
    name,
    taskId: cloud.store.newUuid("task"),
    failure: i === names.length - 1 ? failureByName(plan.body.instanceName) : undefined,
  }));
  insertInstances(cloud, plan, members, batchId);
  return jobId;
}

const batchCreateInstances = operation({
  name: "batch_create_instances",
  method: "POST",
  path: "/vm/v1/batch-vm-create",
  section: "7",
  source: "seed",
  headers: regional,
  body: z.strictObject({
    template_krn: text,
    count: z.int().min(1, "must be 1 or more"),
    instanceName: text,
  }),
  handle(cloud, { headers, body }) {
    refuseByName(body.instanceName);
    const region = headers["x-region"];
    const template = requireTemplate(cloud, body.template_krn, region);
    const plan = planInstances(cloud, instanceBodyOf(template, body.instanceName, body.count), region);
    const result = { job_id: insertBatch(cloud, plan), message: "batch creation accepted" };
    // The values of `batch_source` are unknown.
    return { status: 202, body: { batch_source: "template", ...result, total_count: body.count } };
  },
});

/** Creates many instances from a template with one request. */
export const instanceBatchKind: ResourceKind = { name: "instance_batch", operations: [batchCreateInstances] };
