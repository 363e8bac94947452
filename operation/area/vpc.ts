import * as z from "zod/mini";
import { endpoint } from "../../provider/definition/endpoint.ts";
import { field, group } from "../../provider/definition/field.ts";
import { cidr, ipAddress, ipVersion, maybe, maybeText, text } from "../../provider/definition/validator.ts";
import { rangeProblem } from "../../resources/fields/subnet-range.ts";
import { counts } from "../../resources/wire/page.ts";
import {
  deleteSubnet,
  getVpc,
  getVpcTask,
  sentIpVersion,
  subnetRoutes,
  vpcList,
  vpcRoutes,
} from "../../resources/wire/vpc.ts";
import { operation } from "../operation.ts";
import {
  acceptAny,
  flagOf,
  idOf,
  limit,
  messageFields,
  optionalNumber,
  optionalText,
  page,
  requiredText,
  vpcId,
  workFields,
} from "../parameter.ts";

const subnetFields = {
  name: requiredText("Name of the subnet."),
  cidr: field(cidr, "Address range of the subnet in CIDR notation, such as `10.0.0.0/24`."),
  gatewayIp: field(
    z.optional(ipAddress),
    "IP address of the gateway, such as `10.0.0.1`. Default: chosen by the API.",
  ),
  description: optionalText("Free-text description of the subnet."),
  ingress: flagOf("If true, inbound traffic is allowed.", true),
  egress: flagOf("If true, outbound traffic is allowed.", true),
};
const subnetVersion = field(z._default(ipVersion, 4), "IP version of the subnet.");

const listedVpc = z.object({ id: maybeText, krn: maybeText, name: maybeText, status: maybeText });
const found = z.union([
  z.object({ vpcs: z.array(listedVpc), ...counts }),
  z.object({ data: z.object({ vpcs: z.array(listedVpc), ...counts }) }),
]);
const searchFields = {
  page,
  size: limit,
  name: optionalText("Part of the name."),
  status: optionalText("Status of the VPCs, such as `active`."),
};
const networks = z.array(
  z.object({ krn_id: maybeText, name: maybeText, status: maybeText, vpc_id: maybeText }),
);
const describedVpc = z.record(
  z.string(),
  z.object({
    networks: maybe(
      z.object({
        krn_id: maybeText,
        subnets: maybe(z.array(z.object({ krn_id: maybeText, status: maybeText }))),
      }),
    ),
  }),
);

const searchV1 = endpoint("read", "GET /v1/highlvlvpc/search_vpc", found, { region: false });
const searchV2 = endpoint("read", "GET /v2/highlvlvpc/search_vpc", found);
const describe = endpoint("read", "GET /v1/highlvlvpc/describe_vpc", describedVpc);
const searchSubnet = endpoint("read", "GET /v1/highlvlvpc/search_subnet");
const searchNetwork = endpoint("read", "GET /v1/highlvlvpc/search_network", networks);

/** Operations of VPCs, their networks and their subnets. */
export const vpc = {
  createVpc: operation(vpcRoutes.create, {
    section: "2.1",
    about:
      "Starts the creation of a VPC with its network and, if given, its first subnet; the task reports the result.",
    parameters: {
      name: requiredText("Name of the VPC."),
      description: optionalText("Free-text description of the VPC."),
      enabled: flagOf("If true, the VPC is enabled.", true),
      networkName: field(
        z.optional(text),
        "Name of the network of the VPC. Default: the name of the VPC followed by `-network`.",
      ),
      adminStateUp: flagOf("Administrative state of the network: packets are forwarded only if true.", true),
      ipVersion: field(z._default(ipVersion, 4), "IP version of the network."),
      subnet: group(subnetFields, "First subnet, which is created and deleted together with the VPC.", {
        optional: true,
      }),
    },
    rules: [
      {
        needs: ["subnet", "ipVersion"],
        check: ({ subnet, ipVersion }) => {
          const found = subnet && rangeProblem({ ...subnet, ipVersion });
          return (
            found && {
              ...found,
              path: found.path[0] === "ipVersion" ? found.path : ["subnet", ...found.path],
            }
          );
        },
      },
    ],
    // Without a subnet the object is sent with empty values, as existing clients do (docs/contract.md#2.1).
    request: ({ name, description, enabled, networkName, adminStateUp, ipVersion, subnet }, context) => ({
      body: {
        vpc: { name, description, enabled },
        network: { name: networkName ?? `${name}-network`, admin_state_up: adminStateUp },
        subnet: {
          name: subnet?.name ?? "",
          cidr: subnet?.cidr ?? "",
          gateway_ip: subnet?.gatewayIp ?? "",
          description: subnet?.description ?? "",
          ip_version: sentIpVersion(context, ipVersion, "string"),
          ingress: subnet?.ingress ?? false,
          egress: subnet?.egress ?? false,
        },
      },
    }),
    also: workFields,
  }),
  getVpcTaskStatus: operation(getVpcTask, {
    section: "2.1",
    about: "Returns the state of the task that creates a VPC, with the ID of the VPC.",
    parameters: { taskId: requiredText("ID of the task, from the response to the creation.") },
    request: ({ taskId }) => ({ body: { task_id: taskId } }),
  }),
  getVpc: operation(getVpc, {
    section: "2.1",
    about: "Returns a VPC with its network and its subnets.",
    parameters: { vpcId, vpcName: optionalText("Name of the VPC.") },
    request: ({ vpcId, vpcName }) => ({ body: { vpc_id: vpcId, vpc_name: vpcName } }),
  }),
  describeVpc: operation(describe, {
    section: "2.1",
    about: "Returns the network of a VPC and the IDs of its subnets.",
    parameters: { vpcId, vpcName: optionalText("Name of the VPC.") },
    request: ({ vpcId, vpcName }) => ({ query: { vpc_id: vpcId, vpc_name: vpcName } }),
  }),
  getVpcList: operation(vpcList, {
    section: "2.1",
    about: "Lists the VPCs of a region; the API may add those of other regions.",
    listing: { rows: [] },
  }),
  searchVpc: operation(searchV1, {
    section: "2.1",
    about: "Lists VPCs by name and status, in pages.",
    parameters: searchFields,
    request: (query) => ({ query }),
    listing: { rows: ["vpcs", "data"], page: { number: "page" }, size: "size" },
  }),
  searchVpcV2: operation(searchV2, {
    section: "2.1",
    about: "Lists the VPCs of a region by name and status, in pages and in an order.",
    parameters: {
      ...searchFields,
      count: optionalNumber("Number of VPCs."),
      sortBy: optionalText("Field by which the VPCs are sorted, such as `createdAt`."),
      order: field(z.optional(z.enum(["asc", "desc"])), "Order of the VPCs."),
    },
    request: ({ sortBy, ...query }) => ({ query: { ...query, sort_by: sortBy } }),
    listing: { rows: ["vpcs", "data"], page: { number: "page" }, size: "size" },
  }),
  deleteVpc: operation(vpcRoutes.delete, {
    section: "2.1",
    about: "Starts the deletion of a VPC, which ends when no listing shows the VPC.",
    parameters: { vpcId },
    request: ({ vpcId }) => ({ query: { vpc_id: vpcId }, headers: acceptAny }),
  }),
  createSubnet: operation(subnetRoutes.create, {
    section: "2.2",
    about: "Creates a subnet of a VPC.",
    parameters: {
      vpcId,
      ...subnetFields,
      ipVersion: subnetVersion,
      networkId: field(z.optional(text), "ID of the network of the VPC. Default: chosen by the API."),
      routerKrn: field(z.optional(text), "ID of the router. No route of the API finds a router."),
    },
    rules: [{ needs: ["cidr", "gatewayIp", "ipVersion"], check: rangeProblem }],
    request: ({ vpcId, routerKrn, networkId, gatewayIp, ipVersion, ...subnet }, context) => ({
      body: {
        vpc_id: vpcId,
        router_krn: routerKrn,
        subnet_data: {
          name: subnet.name,
          cidr: subnet.cidr,
          gateway_ip: gatewayIp,
          description: subnet.description,
          ip_version: sentIpVersion(context, ipVersion, "integer"),
          ingress: subnet.ingress,
          egress: subnet.egress,
          network_id: networkId,
        },
      },
    }),
  }),
  searchSubnet: operation(searchSubnet, {
    section: "2.2",
    about: "Lists the subnets of a VPC; the form of the response is not documented.",
    parameters: { vpcId, page, size: limit },
    request: ({ vpcId, page, size }) => ({ query: { vpc_id: vpcId, page, size } }),
    answer: z.unknown(),
  }),
  searchNetwork: operation(searchNetwork, {
    section: "2.2",
    about: "Lists the networks of a VPC.",
    parameters: { vpcId },
    request: ({ vpcId }) => ({ query: { vpc_id: vpcId } }),
    listing: { rows: [] },
  }),
  deleteSubnet: operation(deleteSubnet, {
    section: "2.2",
    about: "Deletes a subnet other than the primary one, which is deleted with its VPC.",
    parameters: { vpcId, subnetId: idOf("subnet", "ID of the subnet.") },
    request: ({ vpcId, subnetId }) => ({ query: { subnet_id: subnetId, vpc_id: vpcId } }),
    also: { success: maybeText, ...messageFields },
  }),
};
