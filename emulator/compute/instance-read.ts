import * as z from "zod";
import { Refusal } from "../http/wire.ts";
import { type Cloud, listingTime, listingTimeOf, taskStatus } from "../model/cloud.ts";
import {
  type Instance,
  instanceModel,
  instanceStatus,
  requireInstance,
  searchable,
} from "../model/instance.ts";
import { type Operation, operation } from "../model/operation.ts";
import { count, optionalText, page, region, regional, text } from "../model/schema.ts";
import { floatingIpsByPort } from "../network/floating-ip-model.ts";
import { portModel } from "../network/port-model.ts";
import { requireVpc } from "../network/vpc-model.ts";
import { workState } from "../state/work.ts";
import { renderFound, renderInstance } from "./instance-view.ts";

/** x-region is optional: some clients omit it (docs/contract.md#6). */
const optionallyRegional = z.object({ "x-region": region.optional() });

const getInstanceTaskStatus = operation({
  name: "get_instance_task_status",
  method: "GET",
  path: "/vm/v1/get_instance_task_status",
  section: "6",
  source: "client",
  headers: optionallyRegional,
  query: z.strictObject({ task_id: text }),
  handle(cloud, { headers, query }) {
    const place = headers["x-region"];
    // Deleted instances are included: their delete tasks stay readable.
    const task = instanceModel(cloud)
      .all()
      .filter((resource) => place === undefined || resource.region === place)
      .flatMap((resource) => resource.tasks)
      .find(({ id }) => id === query.task_id);
    // docs/contract.md#1.6: the message for an unknown task id.
    if (!task) throw new Refusal(404, "Record not found");
    const failed = workState(task.work, cloud.now) === "failed";
    const error = failed ? { message: task.work.failure } : {};
    return { status: 200, body: { task_id: task.id, status: taskStatus(cloud, task.work), ...error } };
  },
});

type PageQuery = { page?: number | undefined; limit?: number | undefined };

/** Returns one page of instances; the switch limits the page size (docs/contract.md#17.2). */
function instancePage(cloud: Cloud, resources: readonly Instance[], query: PageQuery) {
  const { instancePageDefault, instancePageMax, instancePaging } = cloud.settings.assume;
  const size = Math.min(query.limit ?? instancePageDefault, instancePageMax);
  const cut = page(resources, { page: query.page, size });
  const { total_count, total_pages } = cut.paging;
  const paging =
    instancePaging === "snake"
      ? { page: cut.paging.page, page_size: size, total_count, total_pages }
      : { page: cut.paging.page, pageSize: size, totalCount: total_count, totalPages: total_pages };
  const addresses = floatingIpsByPort(cloud, listingTime(cloud));
  const render = (resource: Instance) =>
    renderFound(cloud, resource, listingTimeOf(cloud, resource), addresses);
  return { instances: cut.rows.map(render), paging };
}

const searchInstances = operation({
  name: "search_instances",
  method: "GET",
  path: "/vm/v1/search_instances",
  section: "6",
  source: "seed",
  headers: regional,
  query: z.strictObject({
    vpc_id: text,
    page: count.optional(),
    limit: count.optional(),
    krn: optionalText,
    name: optionalText,
    ip_fixed: optionalText,
    ip_floating: optionalText,
  }),
  handle(cloud, { headers, query }) {
    const vpc = requireVpc(cloud, query.vpc_id, headers["x-region"]);
    const addresses = floatingIpsByPort(cloud, listingTime(cloud));
    const is = (filter: string | undefined, value: string | undefined) =>
      filter === undefined || filter === value;
    const resources = searchable(cloud, vpc.krn)
      .filter((resource) => is(query.krn, resource.krn) && resource.name.includes(query.name ?? ""))
      .filter((resource) => is(query.ip_fixed, portModel(cloud).get(resource.portKrn)?.ip))
      .filter((resource) => is(query.ip_floating, addresses.get(resource.portKrn)?.address));
    const { instances, paging } = instancePage(cloud, resources, query);
    return { status: 200, body: { instances, ...paging } };
  },
});

const getInstance = operation({
  name: "get_instance",
  method: "GET",
  path: "/v1/highlvlvpc/instance",
  section: "6",
  source: "seed",
  headers: regional,
  query: z.strictObject({ krn: text }),
  handle(cloud, { headers, query }) {
    const instance = requireInstance(cloud, query.krn, headers["x-region"]);
    return { status: 200, body: renderInstance(cloud, instance) };
  },
});

const listRunningInstances = operation({
  name: "list_running_instances",
  method: "GET",
  path: "/v1/highlvlvpc/instanceinfo",
  section: "6",
  source: "client",
  headers: regional,
  query: z.strictObject({ vpc_id: text, page: count.optional(), pageSize: count.optional() }),
  handle(cloud, { headers, query }) {
    const vpc = requireVpc(cloud, query.vpc_id, headers["x-region"]);
    const resources = searchable(cloud, vpc.krn).filter(
      (resource) => instanceStatus(cloud, resource, listingTimeOf(cloud, resource)) === "ACTIVE",
    );
    return {
      status: 200,
      body: instancePage(cloud, resources, { page: query.page, limit: query.pageSize }).instances,
    };
  },
});

/** Read operations of instances. */
export const instanceReads: readonly Operation[] = [
  getInstanceTaskStatus,
  searchInstances,
  getInstance,
  listRunningInstances,
];
