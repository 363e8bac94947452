import * as z from "zod/mini";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { field } from "../../provider/definition/field.ts";
import { described } from "../../provider/definition/shape.ts";
import { maybeText, wholeNumber } from "../../provider/definition/validator.ts";
import { operation } from "../operation.ts";
import { flagOf, idOf, messageFields, optionalText, requiredText, textList, vpcId } from "../parameter.ts";

const section = "18";
const ofAccount = { customer: true, account: true } as const;
const openObject = z.record(z.string(), z.unknown());
const rows = z.union([z.array(openObject), openObject]);
const loadBalancerKrn = requiredText("ID of the load balancer.");
const ofLoadBalancer = {
  parameters: { loadBalancerKrn },
  request: (at: { readonly loadBalancerKrn: string }) => ({ path: { load_balancer: at.loadBalancerKrn } }),
};
// The members of a listener are not known (docs/contract.md#15).
const listeners = field(
  z.string().check(z.refine(isList, { error: "must be a JSON list" })),
  "Listeners with `listener_data`, `pool_data` and `policy_data`, as a JSON list.",
);

/** Returns true for the text of a JSON list. */
function isList(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

const balancerFields = {
  name: requiredText("Name of the load balancer."),
  description: optionalText("Free-text description of the load balancer."),
  vpcId,
  networkId: requiredText("ID of the network."),
  subnetId: idOf("subnet", "ID of the subnet of the address."),
  type: requiredText("Kind of the load balancer."),
  flavor: requiredText("Size of the load balancer."),
  floatingIp: flagOf("If true, the load balancer gets a public address, which is billed."),
  createPort: flagOf("If true, a port is created for the load balancer.", true),
  securityGroups: textList("IDs of the security groups."),
  listeners,
};
type Listeners = readonly unknown[];

/** Operations of load balancers and their target groups, which the documents do not have. */
export const loadBalancer = {
  createLoadBalancer: operation(
    endpoint(
      "create",
      "POST /v3/highlvl/create_load_balancer_orchestration",
      z.object({ lb_task_id: maybeText, ...messageFields }),
      {
        ...ofAccount,
        body: json<{
          loadbalancer_data: Record<string, unknown>;
          security_groups: readonly string[];
          listener_count: number;
          listeners: Listeners;
        }>(),
      },
    ),
    {
      section,
      about: "Starts the creation of a load balancer with its listeners.",
      parameters: balancerFields,
      request({ listeners: text, securityGroups, ...balancer }) {
        const listeners = JSON.parse(text) as Listeners;
        return {
          body: {
            loadbalancer_data: {
              lb_name: balancer.name,
              description: balancer.description,
              create_port: balancer.createPort,
              floating_ip: balancer.floatingIp,
              vpc_id: balancer.vpcId,
              network_id: balancer.networkId,
              vip_subnet_id: balancer.subnetId,
              lb_type: balancer.type,
              flavor: balancer.flavor,
            },
            security_groups: securityGroups,
            listener_count: listeners.length,
            listeners,
          },
        };
      },
    },
  ),
  updateLoadBalancer: operation(
    endpoint("update", "PUT /v3/highlvl/update_load_balancer/{load_balancer}", z.optional(openObject), {
      ...ofAccount,
      body: json<{ lb_krn: string; security_groups: readonly string[]; listeners: Listeners }>(),
    }),
    {
      section,
      about: "Replaces listeners and security groups of a load balancer.",
      parameters: { loadBalancerKrn, securityGroups: textList("IDs of all security groups."), listeners },
      request: ({ loadBalancerKrn, securityGroups, listeners }) => ({
        path: { load_balancer: loadBalancerKrn },
        body: {
          lb_krn: loadBalancerKrn,
          security_groups: securityGroups,
          listeners: JSON.parse(listeners) as Listeners,
        },
      }),
    },
  ),
  deleteLoadBalancer: operation(
    endpoint("delete", "DELETE /v3/highlvl/loadbalancer/{load_balancer}", z.optional(openObject), ofAccount),
    { section, about: "Deletes a load balancer.", ...ofLoadBalancer },
  ),
  listLoadBalancers: operation(endpoint("read", "GET /v3/highlvl/get_lb_list_new/{vpc}", rows), {
    section,
    about: "Lists the load balancers of a VPC.",
    parameters: { vpcId },
    request: ({ vpcId }) => ({ path: { vpc: vpcId } }),
  }),
  getLoadBalancer: operation(endpoint("read", "GET /v3/highlvl/lb_details_new/{load_balancer}", openObject), {
    section,
    about: "Returns a load balancer.",
    ...ofLoadBalancer,
  }),
  getLoadBalancerPayload: operation(
    endpoint("read", "GET /v3/highlvl/fetch_payload_multiple/{load_balancer}", openObject),
    { section, about: "Returns a load balancer in the form of its creation.", ...ofLoadBalancer },
  ),
  getLoadBalancerTask: operation(endpoint("read", "GET /v3/highlvl/task_status/{task}", openObject), {
    section,
    about: "Returns the status of the task that creates a load balancer.",
    parameters: { taskId: requiredText("ID of the task.") },
    request: ({ taskId }) => ({ path: { task: taskId } }),
  }),
  createTargetGroup: operation(
    endpoint("create", "POST /v1/highlvl/create_target_group", openObject, {
      body: json<{
        vpc_id: string;
        target_group_name: string;
        members: readonly { name: string; address: string; protocol_port: number; weight: number }[];
        health_monitor: {
          h_type: string;
          delay: number;
          timeout: number;
          url_path: string | undefined;
        };
      }>(),
    }),
    {
      section,
      about: "Creates a target group of a VPC.",
      parameters: {
        vpcId,
        name: requiredText("Name of the target group."),
        members: field(
          z.array(
            z.object({
              name: described(z.string(), "Name of the member."),
              address: described(z.string(), "IP address of the member."),
              port: described(wholeNumber(1), "Port of the member."),
              weight: described(wholeNumber(0), "Weight of the member."),
            }),
          ),
          "Members of the target group.",
        ),
        monitorType: requiredText("Kind of the health check."),
        monitorDelay: field(wholeNumber(1), "Seconds between two health checks."),
        monitorTimeout: field(wholeNumber(1), "Seconds after which a health check has failed."),
        monitorPath: optionalText("Path of a health check by HTTP."),
      },
      request: ({ vpcId, name, members, ...monitor }) => ({
        body: {
          vpc_id: vpcId,
          target_group_name: name,
          members: members.map(({ port, ...member }) => ({ ...member, protocol_port: port })),
          health_monitor: {
            h_type: monitor.monitorType,
            delay: monitor.monitorDelay,
            timeout: monitor.monitorTimeout,
            url_path: monitor.monitorPath,
          },
        },
      }),
    },
  ),
  deleteTargetGroup: operation(
    endpoint("delete", "DELETE /v1/highlvl/target_group", z.optional(openObject)),
    {
      section,
      about: "Deletes a target group of a VPC.",
      parameters: { vpcId, name: requiredText("Name of the target group.") },
      request: ({ vpcId, name }) => ({ query: { vpc_id: vpcId, target_group_name: name } }),
    },
  ),
};
