import * as z from "zod/mini";
import { CloudError } from "../../provider/core/error.ts";
import { inOtherRegion, matchesMasked } from "../../provider/core/krn.ts";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint } from "../../provider/definition/endpoint.ts";
import { maybe, maybeText } from "../../provider/definition/validator.ts";

/**
 * The one answer that tells of a VPC, its network and its subnets: a list of provisioning tasks (docs/contract.md#2.1).
 */

const failure = maybe(z.object({ message: maybeText }));

const subnet = z.object({
  // None while it is being made.
  krn: maybeText,
  name: maybeText,
  cidr: maybeText,
  status: maybeText,
  error: failure,
});

const task = z.object({
  field: z.string(),
  // The subnet task may leave its own out and tell only of each subnet.
  status: maybeText,
  name: maybeText,
  krn: maybeText,
  error: failure,
  subnet_list: maybe(z.array(subnet)),
});

/** Whether a word is one of those for the end of a task. */
export const succeeded = (status: string | undefined): boolean =>
  ["success", "completed", "done", "active"].includes(status?.toLowerCase() ?? "");

/** A read, for all that it is a POST. */
export const getVpc = endpoint(
  "read",
  "POST /v1/highlvlvpc/get_vpc",
  z.object({ data: z.object({ tasks: z.array(task) }) }),
);

export const taskOf = (tasks: readonly z.infer<typeof task>[], field: string) =>
  tasks.find((task) => task.field === field);

const list = endpoint(
  "read",
  "GET /v1/highlvlvpc/get_vpc_list",
  z.array(z.object({ vpcId: z.string(), vpcName: z.string(), operating_status: maybeText })),
);

export interface VpcRow {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

/** Every VPC of a region. The cloud may list those of others too (docs/contract.md#2.1). */
export async function listVpcs(api: Api, region: string): Promise<VpcRow[]> {
  const rows = await api.send(list);
  return rows
    .filter((row) => !inOtherRegion(row.vpcId, region))
    .map((row) => ({ id: row.vpcId, name: row.vpcName, status: row.operating_status ?? "success" }));
}

/**
 * What stands in a VPC that the cloud says it does not know: nothing, once the list of VPCs does not show it either.
 * Otherwise the refusal stands, since a 404 alone proves nothing (docs/reliability.md#3.9).
 */
export async function insideMissing(api: Api, region: string, vpcId: string): Promise<never[]> {
  const rows = await listVpcs(api, region);
  if (!rows.some(({ id }) => matchesMasked(id, vpcId))) return [];
  const said = "the VPC is listed, but what is in it cannot be read";
  throw new CloudError({ failure: "rejected", route: `${list.method} ${list.path}`, said, status: 404 });
}

/** What one answer tells of a VPC, its network and its subnets; undefined when it knows no VPC of that id. */
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
    // Nothing can be made in a VPC before its network is there, which comes after it (docs/contract.md#2.1).
    status: (succeeded(vpc.status) ? network?.status : undefined) ?? vpc.status ?? "",
    networkName: network?.name,
    networkId: network?.krn,
    subnets,
  };
}

/**
 * An IP version as the cloud takes it: `usual` of a VPC or of a subnet, unless one form is asked for
 * (docs/contract.md#17.2).
 */
export function sentIpVersion({ switches }: Api, version: number, usual: "string" | "integer") {
  const form = switches.ipVersionForm === "mixed" ? usual : switches.ipVersionForm;
  return form === "string" ? String(version) : version;
}
