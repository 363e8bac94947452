import * as z from "zod";
import { failureByName, refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import { deleteResource, dependents, isReady, listed, lookUp, ownedBy } from "../model/cloud.ts";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { count, ipVersion, page, regional, text } from "../model/schema.ts";
import { startWork } from "../state/work.ts";
import { blockingPorts } from "./port-model.ts";
import { insertSubnet, partStatus, subnetModel, subnetsOf } from "./subnet-model.ts";
import { networkModel, networkOf, requireReadyVpc, requireVpc } from "./vpc-model.ts";

const createSubnet = operation({
  name: "create_subnet",
  method: "POST",
  path: "/v1/highlvlvpc/create_subnet",
  section: "2.2",
  source: "seed",
  headers: regional,
  body: z.strictObject({
    vpc_id: text,
    router_krn: text.optional(),
    subnet_data: z.strictObject({
      name: text,
      cidr: text,
      ip_version: ipVersion,
      gateway_ip: z.string().optional(),
      description: z.string().optional(),
      ingress: z.boolean().optional(),
      egress: z.boolean().optional(),
      network_id: text.optional(),
    }),
  }),
  handle(cloud, { headers, body }) {
    const { network_id, ...data } = body.subnet_data;
    refuseByName(data.name);
    const vpc = requireReadyVpc(cloud, body.vpc_id, headers["x-region"]);
    const network = networkOf(cloud, vpc);
    if (network_id !== undefined && network_id !== network?.krn) {
      throw new Refusal(404, `network ${network_id} not found in VPC ${vpc.name}`);
    }
    if (body.router_krn !== undefined && body.router_krn !== vpc.routerKrn) {
      throw new Refusal(404, `router ${body.router_krn} not found in VPC ${vpc.name}`);
    }
    if (!network || !isReady(cloud, network))
      throw new Refusal(409, `the network of VPC ${vpc.name} is not ready`);
    const work = startWork(cloud.now, cloud.settings.taskMs, failureByName(data.name));
    const place = { vpcKrn: vpc.krn, region: vpc.region, primary: false, work, field: "subnet_data" };
    return { status: 201, body: { subnet_id: insertSubnet(cloud, place, data).krn } };
  },
});

const searchSubnet = operation({
  name: "search_subnet",
  method: "GET",
  path: "/v1/highlvlvpc/search_subnet",
  section: "2.2",
  source: "client",
  headers: regional,
  query: z.strictObject({ vpc_id: text, page: count.optional(), size: count.optional() }),
  // The shape is unknown (docs/contract.md#17.2); this one follows search_port.
  handle(cloud, { headers, query }) {
    const vpc = requireVpc(cloud, query.vpc_id, headers["x-region"]);
    const { rows, paging } = page(subnetsOf(cloud, vpc), query);
    const subnets = rows.map((resource) => ({
      krn_id: resource.krn,
      name: resource.name,
      cidr: resource.cidr,
      gateway_ip: resource.gatewayIp,
      vpc_id: vpc.krn,
      network_id: networkOf(cloud, vpc)?.krn,
      status: partStatus(cloud, resource),
    }));
    return { status: 200, body: { subnets, ...paging } };
  },
});

const searchNetwork = operation({
  name: "search_network",
  method: "GET",
  path: "/v1/highlvlvpc/search_network",
  section: "2.2",
  source: "client",
  headers: regional,
  query: z.strictObject({ vpc_id: text }),
  handle(cloud, { headers, query }) {
    const vpc = requireVpc(cloud, query.vpc_id, headers["x-region"]);
    const networks = listed(cloud, networkModel(cloud).all()).filter(
      (resource) => resource.parents[0] === vpc.krn,
    );
    const body = networks.map((resource) => ({
      krn_id: resource.krn,
      name: resource.name,
      status: partStatus(cloud, resource),
      vpc_id: vpc.krn,
    }));
    return { status: 200, body };
  },
});

const deleteSubnet = operation({
  name: "delete_subnet",
  method: "DELETE",
  path: "/v1/highlvlvpc/delete_subnet",
  section: "2.2",
  source: "client",
  headers: regional,
  query: z.strictObject({ subnet_id: text, vpc_id: text }),
  handle(cloud, { headers, query }) {
    const vpc = requireVpc(cloud, query.vpc_id, headers["x-region"]);
    const missing = `subnet ${query.subnet_id} not found`;
    const subnet = lookUp(cloud, subnetModel(cloud), query.subnet_id, missing);
    if (subnet.parents[0] !== vpc.krn) throw new Refusal(404, missing);
    if (subnet.owned) {
      const message = `${subnet.name} is the primary subnet: you cannot delete this subnet individually`;
      throw new Refusal(cloud.settings.assume.primarySubnetRefusal, message);
    }
    const idle = blockingPorts(cloud, subnet.krn);
    const users = new Set([...dependents(cloud, subnet.krn), ...idle].map((resource) => resource.name));
    if (users.size > 0) throw new Refusal(409, `subnet ${subnet.name} is in use by ${[...users].join(", ")}`);
    for (const resource of [subnet, ...ownedBy(cloud, subnet.krn)]) deleteResource(cloud, resource, 0);
    return { status: 200, body: { success: `subnet ${subnet.name} deleted` } };
  },
});

/** Subnets of a VPC and their network. */
export const subnetKind: ResourceKind = {
  name: "subnet",
  operations: [createSubnet, searchSubnet, searchNetwork, deleteSubnet],
};
