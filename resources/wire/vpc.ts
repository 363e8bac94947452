import * as z from "zod/mini";
import { CloudError } from "../../provider/core/error.ts";
import { inOtherRegion, matchesMasked, sameId } from "../../provider/core/krn.ts";
import type { GivenRemedy } from "../../provider/core/remedy.ts";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { joinImportId } from "../../provider/definition/import-id.ts";
import { maybe, maybeText } from "../../provider/definition/validator.ts";
import type { TaskState } from "../../provider/definition/verb.ts";

/**
 * VPCs with their network and subnets. The only response with all of them is a list of provisioning tasks
 * (docs/contract.md#2.1).
 */

const failure = maybe(z.object({ message: maybeText }));

const subnet = z.object({
  // Missing while the subnet is being created.
  krn: maybeText,
  name: maybeText,
  cidr: maybeText,
  status: maybeText,
  error: failure,
});

const vpcFacts = {
  // The subnet task may have no status, only one for each subnet.
  status: maybeText,
  name: maybeText,
  krn: maybeText,
  error: failure,
  subnet_list: maybe(z.array(subnet)),
};
const task = z.object({ field: z.string(), ...vpcFacts });

/** Returns true if the status means that a task succeeded. */
export const succeeded = (status: string | undefined): boolean =>
  ["success", "completed", "done", "active"].includes(status?.toLowerCase() ?? "");

/** Route that reads a VPC, by POST. */
export const getVpc = endpoint(
  "read",
  "POST /v1/highlvlvpc/get_vpc",
  z.object({ data: z.object({ tasks: z.array(task) }) }),
  { body: json<{ vpc_id: string; vpc_name?: string | undefined }>() },
);

/** Route that reads the task of a create. Returns the same tasks, or one status for all of them (docs/contract.md#16). */
export const getVpcTask = endpoint(
  "read",
  "POST /v1/highlvlvpc/get_vpc_task_status",
  z.union([
    z.pipe(
      z.object({ data: z.object({ tasks: z.array(task) }) }),
      z.transform(({ data }) => data.tasks),
    ),
    z.pipe(
      z.object({ ...vpcFacts, status: z.string() }),
      z.transform((whole) => [{ ...whole, field: "vpc" }]),
    ),
  ]),
  { body: json<{ task_id: string }>() },
);

/** Route that deletes a subnet; refused for the primary one, which is deleted with its VPC (docs/contract.md#2.2). */
export const deleteSubnet = endpoint("delete", "DELETE /v1/highlvlvpc/delete_subnet");

/** Fields of a subnet in the body of a create (docs/contract.md#2.1). */
export interface SubnetBody {
  readonly name: string;
  readonly cidr: string;
  readonly gateway_ip: string | undefined;
  readonly description: string | undefined;
  readonly ip_version: string | number;
  readonly ingress: boolean;
  readonly egress: boolean;
}

export const taskOf = (tasks: readonly z.infer<typeof task>[], field: string) =>
  tasks.find((task) => task.field === field);

/** Statuses of a VPC. */
export const vpcStatuses = {
  ready: ["success", "ACTIVE", "completed", "done"],
  pending: ["pending", "processing", "BUILD", "DELETING", "INACTIVE"],
  failed: ["failed", "failure", "ERROR", "cancelled"],
  gone: ["deleted", "Not Found", "TERMINATED"],
} as const;

const failed = (status: string | undefined): boolean =>
  ["failed", "failure", "error", "cancelled"].includes(status?.toLowerCase() ?? "");

/** Reads the task that creates a VPC: its state, and the ID of the VPC once the response has one. */
export async function readVpcTask(
  api: Api,
  task: string,
): Promise<TaskState & { readonly id: string | undefined }> {
  const tasks = await api.send(getVpcTask, { body: { task_id: task } });
  const parts = tasks.flatMap((task) =>
    [task, ...(task.subnet_list ?? [])].map((part) => ({ ...part, of: task.field })),
  );
  const failure = parts.find(({ status, error }) => failed(status) || error?.message);
  const statuses = parts.flatMap(({ of, status }) => (status === undefined ? [] : [{ of, status }]));
  const done = statuses.length > 0 && statuses.every(({ status }) => succeeded(status));
  return {
    id: taskOf(tasks, "vpc")?.krn,
    status: failure ? "failed" : done ? "done" : "running",
    detail: failure
      ? `${failure.of}: ${failure.error?.message ?? "failed"}`
      : [...new Set(statuses.map(({ of, status }) => `${of} ${status}`))].join(", "),
  };
}

/** Route that lists the VPCs of a region. */
export const vpcList = endpoint(
  "read",
  "GET /v1/highlvlvpc/get_vpc_list",
  z.array(z.object({ vpcId: z.string(), vpcName: z.string(), operating_status: maybeText })),
);

export interface VpcRow {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

/** Lists the VPCs of a region. The API may also return those of other regions (docs/contract.md#2.1). */
export async function listVpcs(api: Api, region: string): Promise<VpcRow[]> {
  const rows = await api.send(vpcList);
  return rows
    .filter((row) => !inOtherRegion(row.vpcId, region))
    .map((row) => ({ id: row.vpcId, name: row.vpcName, status: row.operating_status ?? "success" }));
}

/**
 * Returns the content of a VPC after a 404: none, if the list of VPCs does not show the VPC either. Throws `CloudError` 404
 * if the list shows the VPC, since a 404 alone proves nothing (docs/reliability.md#3.9).
 */
export async function insideMissing(api: Api, region: string, vpcId: string): Promise<never[]> {
  const rows = await listVpcs(api, region);
  if (!rows.some(({ id }) => matchesMasked(id, vpcId))) return [];
  const message = "the VPC is listed, but its content cannot be read";
  throw new CloudError({
    failure: "rejected",
    route: `${vpcList.method} ${vpcList.path}`,
    reason: message,
    status: 404,
  });
}

/** Reads a VPC, its network and its subnets with one request; returns undefined if the API does not find the id. */
export async function describeVpc(api: Api, id: string) {
  const answer = await api.find(getVpc, { body: { vpc_id: id } });
  const tasks = answer?.data.tasks ?? [];
  const vpc = taskOf(tasks, "vpc");
  if (vpc === undefined) return undefined;
  const network = taskOf(tasks, "network");
  const subnets = (taskOf(tasks, "subnet")?.subnet_list ?? []).flatMap(({ krn, ...subnet }) =>
    krn === undefined ? [] : [{ krn, ...subnet }],
  );
  return {
    name: vpc.name,
    // The network is created after the VPC. Before that, no object can be created in the VPC (docs/contract.md#2.1).
    status: (succeeded(vpc.status) ? network?.status : undefined) ?? vpc.status ?? "",
    networkName: network?.name,
    networkId: network?.krn,
    subnets,
  };
}

/**
 * Returns the remedy for a subnet that is listed first, so that it counts as the primary one, and is none. Returns nothing if it is the
 * subnet `primary`, or if the VPC cannot be read.
 */
export async function importFirst(api: Api, vpcId: string, primary?: string): Promise<GivenRemedy[]> {
  const found = await describeVpc(api, vpcId).catch((error) => {
    if (!(error instanceof CloudError)) throw error;
    return undefined;
  });
  const [first] = found?.subnets ?? [];
  if (first === undefined || (primary !== undefined && sameId(first.krn, primary))) return [];
  const importId = joinImportId([vpcId, first.krn]);
  return [{ code: "import-first-subnet", name: first.name ?? first.krn, importId }];
}

/**
 * Returns an IP version for a request: with the JSON type `usual` of the route, unless the setting `ip_version_form`
 * selects one type for all routes (docs/contract.md#17.2).
 */
export function sentIpVersion(
  { switches }: Pick<Api, "switches">,
  version: number,
  usual: "string" | "integer",
) {
  const form = switches.ipVersionForm === "mixed" ? usual : switches.ipVersionForm;
  return form === "string" ? String(version) : version;
}

/** Routes of a VPC. */
export const vpcRoutes = {
  create: endpoint(
    "create",
    "POST /v1/highlvlvpc/create_vpc_async",
    // The 202 may have no body (docs/contract.md#2.1): then the VPC can only be found by search.
    z.optional(z.object({ task_id: maybeText, error: maybe(z.object({ message: z.string() })) })),
    {
      body: json<{
        vpc: { name: string; description: string | undefined; enabled: boolean };
        network: { name: string; admin_state_up: boolean };
        subnet: SubnetBody;
      }>(),
    },
  ),
  delete: endpoint("delete", "DELETE /v1/highlvlvpc/delete_vpc"),
};

/** Routes with their semantics, which determine the retries, and the schemas of their responses. */
export const subnetRoutes = {
  create: endpoint(
    "create",
    "POST /v1/highlvlvpc/create_subnet",
    z.optional(z.object({ subnet_id: maybeText })),
    {
      body: json<{
        vpc_id: string;
        router_krn: string | undefined;
        subnet_data: SubnetBody & { network_id: string | undefined };
      }>(),
    },
  ),
};
