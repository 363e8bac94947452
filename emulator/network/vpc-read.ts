import * as z from "zod";
import { Refusal } from "../http/wire.ts";
import { type Cloud, existing, isShown, listed, listingTime } from "../model/cloud.ts";
import { type Operation, operation } from "../model/operation.ts";
import { count, optionalText, page, regional, text } from "../model/schema.ts";
import { uuidOf } from "../state/id.ts";
import { isDeleting, type Resource } from "../state/store.ts";
import { workState } from "../state/work.ts";
import { partStatus, subnetsOf } from "./subnet-model.ts";
import { networkOf, operatingStatus, requireVpc, vpcModel } from "./vpc-model.ts";

/** Returns the status in `get_vpc`: the status of the task, and DELETING during a deletion. */
function getStatus(cloud: Cloud, resource: Resource): string {
  return isDeleting(resource, cloud.now) ? "DELETING" : workState(resource.work, cloud.now);
}

function findVpc(
  cloud: Cloud,
  query: { vpc_id?: string | undefined; vpc_name?: string | undefined },
  region: string,
) {
  const { vpc_id: id, vpc_name: name } = query;
  if (id) {
    const vpc = requireVpc(cloud, id, region);
    if (name && vpc.name !== name)
      throw new Refusal(400, `vpc_name: disagrees with vpc_id, which is ${vpc.name}`);
    return vpc;
  }
  if (!name) throw new Refusal(400, "vpc_id: required");
  const [vpc, ...more] = existing(cloud, vpcModel(cloud).all()).filter(
    (resource) => resource.name === name && resource.region === region,
  );
  if (!vpc) throw new Refusal(404, `VPC ${name} not found`);
  if (more.length > 0) throw new Refusal(409, `${more.length + 1} VPCs are named ${name}`);
  return vpc;
}

const getVpc = operation({
  name: "get_vpc",
  method: "POST",
  changes: false,
  path: "/v1/highlvlvpc/get_vpc",
  section: "2.1",
  source: "seed",
  headers: regional,
  body: z.strictObject({ vpc_id: text.optional(), vpc_name: z.string().optional() }),
  handle(cloud, { headers, body }) {
    const vpc = findVpc(cloud, body, headers["x-region"]);
    const network = networkOf(cloud, vpc);
    const subnets = subnetsOf(cloud, vpc).map((resource) => ({
      krn: resource.krn,
      name: resource.name,
      cidr: resource.cidr,
      status: workState(resource.work, listingTime(cloud)),
    }));
    const tasks = [
      { field: "vpc", name: vpc.name, status: getStatus(cloud, vpc) },
      ...(network
        ? [{ field: "network", krn: network.krn, name: network.name, status: getStatus(cloud, network) }]
        : []),
      { field: "subnet", subnet_list: subnets },
    ];
    return { status: 200, body: { data: { tasks } } };
  },
});

const describeVpc = operation({
  name: "describe_vpc",
  method: "GET",
  path: "/v1/highlvlvpc/describe_vpc",
  section: "2.1",
  source: "client",
  headers: regional,
  query: z.strictObject({ vpc_id: optionalText, vpc_name: optionalText }),
  handle(cloud, { headers, query }) {
    const vpc = findVpc(cloud, query, headers["x-region"]);
    const subnets = subnetsOf(cloud, vpc).map((resource) => ({
      krn_id: resource.krn,
      status: partStatus(cloud, resource),
    }));
    return {
      status: 200,
      body: { [vpc.krn]: { networks: { krn_id: networkOf(cloud, vpc)?.krn, subnets } } },
    };
  },
});

const getVpcList = operation({
  name: "get_vpc_list",
  method: "GET",
  path: "/v1/highlvlvpc/get_vpc_list",
  section: "2.1",
  source: "seed",
  headers: regional,
  handle(cloud, { headers }) {
    const { vpcListIgnoresRegion, vpcListKeepsDeadMs } = cloud.settings.assume;
    const resources = vpcModel(cloud)
      .all()
      .filter(
        (resource) =>
          isShown(cloud, resource, vpcListKeepsDeadMs) &&
          (vpcListIgnoresRegion || resource.region === headers["x-region"]),
      );
    const body = resources.map((resource) => ({
      vpcId: resource.krn,
      vpcName: resource.name,
      operating_status: operatingStatus(cloud, resource),
    }));
    return { status: 200, body };
  },
});

type Search = {
  page?: number | undefined;
  size?: number | undefined;
  name?: string | undefined;
  status?: string | undefined;
  order?: "asc" | "desc" | undefined;
};

function search(cloud: Cloud, query: Search, region?: string) {
  const matching = listed(cloud, vpcModel(cloud).all())
    .filter((resource) => region === undefined || resource.region === region)
    .filter((resource) => resource.name.includes(query.name ?? ""))
    .filter((resource) => !query.status || query.status.toUpperCase() === operatingStatus(cloud, resource));
  if (query.order === "desc") matching.reverse();
  const { rows, paging } = page(matching, query);
  const vpcs = rows.map((resource) => ({
    id: uuidOf(resource.krn),
    krn: resource.krn,
    name: resource.name,
    status: operatingStatus(cloud, resource),
  }));
  return cloud.settings.assume.vpcSearchShape === "flat"
    ? { vpcs, ...paging }
    : { data: { vpcs, ...paging } };
}

const vpcSearchQuery = {
  page: count.optional(),
  size: count.optional(),
  name: optionalText,
  status: optionalText,
};

const searchVpc = operation({
  name: "search_vpc",
  method: "GET",
  path: "/v1/highlvlvpc/search_vpc",
  section: "2.1",
  source: "client",
  headers: z.object({ "x-region": text.optional() }),
  query: z.strictObject(vpcSearchQuery),
  handle: (cloud, { headers, query }) => ({ status: 200, body: search(cloud, query, headers["x-region"]) }),
});

const searchVpcV2 = operation({
  name: "search_vpc_v2",
  method: "GET",
  path: "/v2/highlvlvpc/search_vpc",
  section: "2.1",
  source: "client",
  headers: regional,
  query: z.strictObject({
    ...vpcSearchQuery,
    count: z.string().optional(),
    sort_by: z.literal("createdAt").optional(),
    order: z.enum(["asc", "desc"]).optional(),
  }),
  handle(cloud, { headers, query }) {
    return { status: 200, body: search(cloud, query, headers["x-region"]) };
  },
});

/** Read operations of VPCs. */
export const vpcReads: readonly Operation[] = [getVpc, describeVpc, getVpcList, searchVpc, searchVpcV2];
