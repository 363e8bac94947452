import * as z from "zod/mini";
import { CloudError, isNotFound } from "../../provider/core/error.ts";
import { matchesMasked } from "../../provider/core/krn.ts";
import { equalsIgnoreCase } from "../../provider/core/string.ts";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint } from "../../provider/definition/endpoint.ts";
import { maybe, maybeText } from "../../provider/definition/validator.ts";
import { listPorts, type PortRow } from "./port.ts";
import { insideMissing } from "./vpc.ts";

/** Floating IPs. The list tells which port holds an address, and the ports what that port is (docs/contract.md#2.3). */

const list = endpoint(
  "read",
  "GET /v1/highlvlvpc/floating_ip_list",
  z.array(
    z.object({
      floating_ip_krn: maybeText,
      floating_ip_address: maybeText,
      port_krn: maybeText,
      subnet_name: maybeText,
      ip_version: maybe(z.union([z.number(), z.string()])),
      visibility: maybeText,
      vm_name: maybeText,
    }),
  ),
);

/** Every address of a VPC, each with the port that holds it. */
export async function listAddresses(api: Api, region: string, vpcId: string) {
  const rows = await api.find(list, { query: { vpc_id: vpcId } });
  const ports = rows?.length ? await listPorts(api, region, vpcId) : [];
  // An address that was put elsewhere left the port behind that bears its name.
  const aliases = ports
    .filter(({ deviceId, floatingIpAddress }) => deviceId === undefined && floatingIpAddress === undefined)
    .flatMap(({ name }) => name ?? []);
  return (rows ?? (await insideMissing(api, region, vpcId))).map((row) => {
    const portKrn = row.port_krn || undefined;
    const port = portKrn === undefined ? undefined : ports.find(({ id }) => matchesMasked(id, portKrn));
    const machine = row.vm_name && !equalsIgnoreCase(row.vm_name, "unknown") ? row.vm_name : undefined;
    return {
      id: row.floating_ip_krn ?? "",
      vpcId,
      // The port that an address was reserved with bears its name, as long as it holds it.
      name: machine === undefined ? port?.name : row.floating_ip_address,
      subnetId: port?.subnetId,
      networkId: port?.networkId,
      portId: machine === undefined ? undefined : portKrn,
      address: row.floating_ip_address,
      heldBy: portKrn,
      instanceName: machine,
      subnetName: row.subnet_name || undefined,
      ipVersion: row.ip_version === undefined ? undefined : Number(row.ip_version),
      visibility: row.visibility,
      region,
      aliases,
    };
  });
}

/** What is asked of an address. */
interface Wanted {
  readonly name: string;
  readonly portId?: string | undefined;
}

/** Whether a row is what was asked for: by its name, or where that is hidden, by its port and what it left behind. */
export function isAsked(
  row: Held & { readonly aliases?: readonly string[] },
  { name, portId }: Wanted,
): boolean {
  const { heldBy = "", aliases = [] } = row;
  return (
    row.name === name || (portId !== undefined && matchesMasked(heldBy, portId) && aliases.includes(name))
  );
}

/** What a row tells alone: a port that no machine uses looks like the one that the address was reserved with. */
interface Held {
  readonly name?: string | undefined;
  readonly portId?: string | undefined;
  readonly heldBy?: string | undefined;
  readonly address?: string | undefined;
}

/** Whether an address is on another port than its own, as far as what is remembered of it tells. */
export function portOf(row: Held, remembered: Held): string | undefined {
  const { heldBy } = row;
  if (row.portId !== undefined || heldBy === undefined) return row.portId;
  if (remembered.portId !== undefined && matchesMasked(heldBy, remembered.portId)) return remembered.portId;
  const named = [remembered.name, row.name].every((name) => name !== undefined && name !== row.address);
  return named && row.name !== remembered.name ? heldBy : undefined;
}

const move = endpoint("action", "POST /v1/highlvlvpc/attachFloatingIp");
const leave = endpoint("delete", "DELETE /v1/highlvlvpc/detachFloatingIp/{port}");
/** Gives an address back; its own port goes with it (docs/contract.md#17.2). */
export const release = endpoint("delete", "DELETE /v1/highlvlvpc/delete_floating_ip");

/** What to try where an address does not go where it was sent. */
export const otherOrder =
  'the cloud may name the two ports the other way round: see floating_ip_attach_order ("holder-first" or "target-first")';

/**
 * Moves an address from the port that holds it to another; which is called what, is switchable (docs/contract.md#17.2).
 */
export async function moveTo(api: Api, heldBy: string, target: string): Promise<void> {
  const holderFirst = api.switches.floatingIpAttachOrder === "holder-first";
  const [attach_port, detach_port] = holderFirst ? [heldBy, target] : [target, heldBy];
  try {
    await api.send(move, { body: { attach_port, detach_port } });
  } catch (error) {
    if (!(error instanceof CloudError) || error.failure !== "rejected") throw error;
    throw new CloudError({ ...error, said: `${error.said.replace(/\.$/, "")}; ${otherOrder}` });
  }
}

/**
 * Takes an address off a port; it stays reserved (docs/contract.md#16). What is off already is not there to be taken.
 */
export async function takeOff(api: Api, port: string): Promise<void> {
  try {
    await api.send(leave, { path: { port } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** The port that an address was reserved with, by its name, where the list names no port. */
export const ownPort = (ports: readonly PortRow[], name: string): string | undefined =>
  ports.find((port) => port.name === name && port.deviceId === undefined)?.id;

/** The address is not listed: it may be too young. */
export const unlisted = (): CloudError =>
  new CloudError({
    failure: "rejected",
    route: `${list.method} ${list.path}`,
    said: "the address is not listed with a port",
    status: 404,
  });
