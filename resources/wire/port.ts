import * as z from "zod/mini";
import { CloudError } from "../../provider/core/error.ts";
import { matchesMasked } from "../../provider/core/krn.ts";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { maybe, maybeFlag, maybeText } from "../../provider/definition/validator.ts";
import { counts, everyRow, pageSize } from "./page.ts";
import { describeVpc, getVpc, insideMissing } from "./vpc.ts";

/** Ports: separate ones, those of instances and those with a floating IP (docs/contract.md#2.3). */

const wire = z.object({
  // The id has three names.
  port_id: maybeText,
  krn_id: maybeText,
  id: maybeText,
  name: maybeText,
  network_id: maybeText,
  subnet_id: maybeText,
  mac_address: maybeText,
  fixed_ips: maybe(z.array(z.object({ ip_address: maybeText, subnet_id: maybeText }))),
  floating_ip_address: maybeText,
  security_group_krns: maybe(z.array(z.string())),
  device_id: maybeText,
  device_owner: maybeText,
  admin_state_up: maybeFlag,
  status: maybeText,
  created_at: maybeText,
});

/** Route that lists ports. */
export const portSearch = endpoint(
  "read",
  "GET /v1/highlvlvpc/search_port",
  z.union([z.array(wire), z.object({ ports: z.array(wire), ...counts })]),
);

/** Route that replaces all security groups of a port (docs/contract.md#2.3). */
export const putGroups = endpoint("update", "PUT /api/v1/ports/{port}", undefined, {
  body: json<{ security_groups: readonly string[] | undefined }>(),
  writes: ["securityGroups"],
});

/** Route that creates a port or, with `floating_ip`, a port with a new public address (docs/contract.md#2.3). */
export const createPort = endpoint(
  "create",
  "POST /v1/highlvlvpc/create_port",
  z.optional(z.object({ port_krn: maybeText, floating_ip_krn: maybeText })),
  {
    body: json<{
      name: string;
      vpc_id: string;
      network_id: string | undefined;
      subnet_id: string;
      floating_ip: boolean;
    }>(),
  },
);

/** Converts a port of a response, in which an empty string means "not set". */
function observed(row: z.infer<typeof wire>) {
  return {
    id: row.port_id ?? row.krn_id ?? row.id ?? "",
    name: row.name,
    networkId: row.network_id || undefined,
    subnetId: row.subnet_id || row.fixed_ips?.[0]?.subnet_id || undefined,
    securityGroups: row.security_group_krns,
    fixedIps: (row.fixed_ips ?? []).flatMap(({ ip_address: ipAddress, subnet_id: subnetId }) =>
      ipAddress ? [{ ipAddress, ...(subnetId && { subnetId }) }] : [],
    ),
    floatingIpAddress: row.floating_ip_address || undefined,
    macAddress: row.mac_address || undefined,
    deviceId: row.device_id || undefined,
    deviceOwner: row.device_owner || undefined,
    adminStateUp: row.admin_state_up,
    status: row.status ?? "ACTIVE",
    createdAt: row.created_at,
  };
}

/** Port with the field names of the definition. */
export type PortRow = ReturnType<typeof observed>;

/** Lists every port of a VPC, including those that instances and floating IPs created. */
export async function listPorts(api: Api, region: string, vpcId: string): Promise<PortRow[]> {
  const rows = await everyRow({
    route: portSearch,
    what: "ports",
    async ask(page) {
      const answer = await api.find(portSearch, { query: { vpc_id: vpcId, page, size: pageSize } });
      if (answer === undefined) return undefined;
      const { ports, ...totals } = Array.isArray(answer) ? { ports: answer, total_pages: 1 } : answer;
      return { ...totals, rows: ports.map(observed) };
    },
    keyOf: ({ id }) => id || undefined,
  });
  return rows ?? insideMissing(api, region, vpcId);
}

/**
 * Reads one port by its id; undefined if no row matches. The result has no id, since that of the row may be masked. Throws
 * `CloudError` if a row without an id may be the port.
 */
export async function findPort(api: Api, id: string): Promise<Omit<PortRow, "id"> | undefined> {
  const answer = await api.find(portSearch, { query: { port_id: id, page: 1, size: pageSize } });
  const rows = Array.isArray(answer) ? answer : (answer?.ports ?? []);
  const ports = rows.map(observed);
  const match = ports.find((row) => matchesMasked(row.id, id));
  if (match === undefined && ports.some((row) => row.id === ""))
    throw new CloudError({
      failure: "unreadable",
      route: `${portSearch.method} ${portSearch.path}`,
      reason: "a port has no ID",
    });
  if (match === undefined) return undefined;
  const { id: _, ...port } = match;
  return port;
}

/** Location of a new port, with the field names of the definition. */
interface PortPlace {
  readonly vpcId: string;
  readonly subnetId: string;
  readonly networkId?: string | undefined;
}

/**
 * Returns the network of a new port. Throws `CloudError` 404 until the API shows VPC, subnet and network: a create may
 * return a 404 although it created a port (docs/contract.md#2.3), so no create is sent before its parents are visible.
 */
export async function networkOf(api: Api, { vpcId, subnetId, networkId }: PortPlace): Promise<string> {
  const found = await describeVpc(api, vpcId);
  if (found === undefined) throw notShown("the VPC");
  if (!found.subnets.some(({ krn }) => matchesMasked(krn, subnetId))) throw notShown("the subnet in its VPC");
  const network = networkId ?? found.networkId;
  if (network === undefined) throw notShown("the network of the VPC");
  return network;
}

const notShown = (what: string) =>
  new CloudError({
    failure: "rejected",
    route: `${getVpc.method} ${getVpc.path}`,
    reason: `it does not show ${what}`,
    status: 404,
  });
