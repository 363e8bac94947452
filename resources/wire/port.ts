import * as z from "zod/mini";
import { CloudError } from "../../provider/core/error.ts";
import { matchesMasked } from "../../provider/core/krn.ts";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint } from "../../provider/definition/endpoint.ts";
import { maybe, maybeFlag, maybeText } from "../../provider/definition/validator.ts";
import { counts, everyRow, pageSize } from "./page.ts";
import { describeVpc, getVpc, insideMissing } from "./vpc.ts";

/** Ports, those that stand alone, those of machines and those that hold an address (docs/contract.md#2.3). */

const wire = z.object({
  // Three names for one thing.
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
});

const search = endpoint(
  "read",
  "GET /v1/highlvlvpc/search_port",
  z.union([z.array(wire), z.object({ ports: z.array(wire), ...counts })]),
);

/** Replaces the whole list of a port's groups (docs/contract.md#2.3). */
export const putGroups = endpoint("update", "PUT /api/v1/ports/{port}");

/** Makes a port, or with `floating_ip` a port that holds a new public address (docs/contract.md#2.3). */
export const createPort = endpoint(
  "create",
  "POST /v1/highlvlvpc/create_port",
  z.optional(z.object({ port_krn: maybeText, floating_ip_krn: maybeText })),
);

/** What a row shows of a port; an empty text is none. */
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
  };
}

/** A port, in the definitions' words. */
export type PortRow = ReturnType<typeof observed>;

/** Every port of a VPC, whoever made it. */
export async function listPorts(api: Api, region: string, vpcId: string): Promise<PortRow[]> {
  const rows = await everyRow({
    route: search,
    what: "ports",
    async ask(page) {
      const answer = await api.find(search, { query: { vpc_id: vpcId, page, size: pageSize } });
      if (answer === undefined) return undefined;
      const { ports, ...told } = Array.isArray(answer) ? { ports: answer, total_pages: 1 } : answer;
      return { ...told, rows: ports.map(observed) };
    },
    keyOf: ({ id, name }) => `${id}\n${name}`,
  });
  return rows ?? insideMissing(api, region, vpcId);
}

/** One port, by its id alone; the id that the row shows may be masked. */
export async function findPort(api: Api, id: string): Promise<Omit<PortRow, "id"> | undefined> {
  const answer = await api.find(search, { query: { port_id: id, page: 1, size: pageSize } });
  const rows = Array.isArray(answer) ? answer : (answer?.ports ?? []);
  const { id: _, ...seen } = rows.map(observed).find((row) => matchesMasked(row.id, id)) ?? {};
  return "status" in seen ? seen : undefined;
}

/** Where a port is to stand, in a definition's words. */
interface Place {
  readonly vpcId: string;
  readonly subnetId: string;
  readonly networkId?: string | undefined;
}

/**
 * The network of a place, once the cloud shows the place whole: a create may answer 404 although it made a port
 * (docs/contract.md#2.3), so that none is sent before what it stands on can be seen. Throws `CloudError` 404 until
 * then.
 */
export async function networkOf(api: Api, { vpcId, subnetId, networkId }: Place): Promise<string> {
  const found = await describeVpc(api, vpcId);
  if (found === undefined) throw unseen("the VPC");
  if (!found.subnets.some(({ krn }) => matchesMasked(krn, subnetId))) throw unseen("the subnet in its VPC");
  const network = networkId ?? found.networkId;
  if (network === undefined) throw unseen("the network of the VPC");
  return network;
}

const unseen = (what: string) =>
  new CloudError({
    failure: "rejected",
    route: `${getVpc.method} ${getVpc.path}`,
    said: `it does not show ${what}`,
    status: 404,
  });
