import * as z from "zod/mini";
import { CloudError, isNotFound } from "../../provider/core/error.ts";
import { matchesMasked } from "../../provider/core/krn.ts";
import { equalsIgnoreCase, sameText } from "../../provider/core/string.ts";
import { attribute, mapText, wording } from "../../provider/core/wording.ts";
import type { Api } from "../../provider/definition/api.ts";
import { endpoint, json } from "../../provider/definition/endpoint.ts";
import { maybeAmount, maybeText } from "../../provider/definition/validator.ts";
import type { Blocked } from "../../provider/definition/verb.ts";
import { listPorts, type PortRow } from "./port.ts";
import { insideMissing } from "./vpc.ts";

/**
 * Floating IPs. Their list contains the port that has an address; the port search returns the kind of that port
 * (docs/contract.md#2.3).
 */

/** Route that lists the addresses of a VPC. */
export const floatingIpList = endpoint(
  "read",
  "GET /v1/highlvlvpc/floating_ip_list",
  z.array(
    z.object({
      floating_ip_krn: maybeText,
      floating_ip_address: maybeText,
      port_krn: maybeText,
      subnet_name: maybeText,
      ip_version: maybeAmount,
      visibility: maybeText,
      vm_name: maybeText,
    }),
  ),
);

/** Lists the addresses of a VPC, each with the port that has it. */
export async function listAddresses(api: Api, region: string, vpcId: string) {
  const rows = await api.find(floatingIpList, { query: { vpc_id: vpcId } });
  const ports = rows?.length ? await listPorts(api, region, vpcId) : [];
  // When an address moves, its reserved port remains, and its name is still that of the address.
  const idle = ports.filter(({ deviceId }) => deviceId === undefined);
  const left = idle.filter(({ floatingIpAddress }) => floatingIpAddress === undefined);
  const all = (rows ?? []).map((row) => ({
    id: row.floating_ip_krn ?? "",
    address: row.floating_ip_address ?? "",
    heldBy: row.port_krn ?? "",
  }));
  return (rows ?? (await insideMissing(api, region, vpcId))).map((row) => {
    const portKrn = row.port_krn || undefined;
    const port = portKrn === undefined ? undefined : ports.find(({ id }) => matchesMasked(id, portKrn));
    const machine = row.vm_name && !equalsIgnoreCase(row.vm_name, "unknown") ? row.vm_name : undefined;
    // The port search may show the address on its reserved port for a while after a move.
    const late = idle.filter(
      (one) =>
        one !== port &&
        one.floatingIpAddress !== undefined &&
        one.floatingIpAddress === row.floating_ip_address,
    );
    return {
      id: row.floating_ip_krn ?? "",
      vpcId,
      // The name of an address is that of its reserved port, which is visible while that port has the address.
      name: machine === undefined ? port?.name : row.floating_ip_address,
      subnetId: port?.subnetId,
      networkId: port?.networkId,
      portId: machine === undefined ? undefined : portKrn,
      address: row.floating_ip_address,
      heldBy: portKrn,
      instanceName: machine,
      subnetName: row.subnet_name || undefined,
      ipVersion: row.ip_version,
      visibility: row.visibility,
      region,
      reservable: late.length === 0 ? left : [...left, ...late],
      all,
    };
  });
}

/** Inputs that identify an address. */
interface AddressInputs {
  readonly name: string;
  readonly portId?: string | undefined;
}

/**
 * Returns true if a row can be the requested address: by its name or, while the row does not show the name, by the port
 * that has the address and the reserved port that has the name.
 */
export function matchesRequest(row: Shown, { name, portId }: AddressInputs): boolean {
  const { heldBy = "", reservable = [] } = row;
  return (
    sameText(row.name, name) ||
    (portId !== undefined &&
      matchesMasked(heldBy, portId) &&
      reservable.some((one) => sameText(one.name, name)))
  );
}

/**
 * Values that determine the port of an address. A row alone is not enough: a port without an instance looks like the
 * reserved port.
 */
export interface PortValues {
  readonly name?: string | undefined;
  readonly portId?: string | undefined;
  readonly heldBy?: string | undefined;
}

/** Values of an address in the list. */
interface Shown extends PortValues {
  /** Ports that can be the reserved port of the address while another port has the address. */
  readonly reservable?: readonly Pick<PortRow, "name">[];
}

/**
 * Returns the port to which an address was moved; undefined if row and recorded values do not show that it left its
 * reserved port. It is not enough that the port has another name than the address: after an import, the recorded name is
 * the configured one, which can differ from that of the reserved port. Another port must have the recorded name.
 */
export function portOf(row: Shown, recorded: PortValues): string | undefined {
  const { heldBy, reservable = [] } = row;
  if (row.portId !== undefined || heldBy === undefined) return row.portId;
  if (recorded.portId !== undefined && matchesMasked(heldBy, recorded.portId)) return recorded.portId;
  const isNamed = row.name !== undefined && recorded.name !== undefined;
  if (!isNamed || sameText(row.name, recorded.name)) return undefined;
  return reservable.some(({ name }) => sameText(name, recorded.name)) ? heldBy : undefined;
}

/** Address, with all addresses of its VPC. */
interface ListedAddress {
  readonly address?: string | undefined;
  readonly all?: readonly { readonly id: string; readonly address: string; readonly heldBy: string }[];
}

/** Returns the reason of a conflict if the target port already has another address; otherwise undefined. */
export function portInUse(
  { address, all = [] }: ListedAddress,
  portId: string | undefined,
): Blocked | undefined {
  const other = all.find((one) => one.address !== address && matchesMasked(one.heldBy, portId ?? ""));
  return (
    other && {
      reason: `the port already has the address ${other.address}`,
      remedies: [{ code: "remove-conflicts", objects: [{ kind: "floating-ip", id: other.id }], by: "value" }],
    }
  );
}

/** Route that moves an address between two ports. */
export const attachRoute = endpoint("action", "POST /v1/highlvlvpc/attachFloatingIp", undefined, {
  body: json<{ attach_port: string; detach_port: string }>(),
});
/** Route that detaches an address from its port. */
export const detachRoute = endpoint("delete", "DELETE /v1/highlvlvpc/detachFloatingIp/{port}");
/** Route that releases an address. The API also deletes its reserved port (docs/contract.md#17.2). */
export const release = endpoint("delete", "DELETE /v1/highlvlvpc/delete_floating_ip");

/** Hint for an address that does not move to the requested port. */
export const otherOrder = wording`the API may expect the two ports in the other order: see ${attribute("floatingIpAttachOrder")} ("holder-first" or "target-first")`;

/**
 * Moves an address from the port that has it to another one. A setting selects the order in which the API expects the two
 * ports (docs/contract.md#17.2).
 */
export async function moveAddress(
  api: Api,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const holderFirst = api.switches.floatingIpAttachOrder === "holder-first";
  const [attach_port, detach_port] = holderFirst ? [from, to] : [to, from];
  try {
    await api.send(attachRoute, { body: { attach_port, detach_port } });
  } catch (error) {
    if (!(error instanceof CloudError) || error.failure !== "rejected") throw error;
    throw new CloudError({
      ...error,
      reason: wording`${mapText(error.reason, (message) => message.replace(/\.$/, ""))}; ${otherOrder}`,
    });
  }
}

/**
 * Detaches an address from a port. The address stays reserved (docs/contract.md#16). Ignores a 404, which means that the
 * address is already detached.
 */
export async function detachAddress(api: Api, port: string): Promise<void> {
  try {
    await api.send(detachRoute, { path: { port } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Returns the reserved port of an address, found by name, for a row without a port. */
export const ownPort = (ports: readonly PortRow[], name: string): string | undefined =>
  ports.find((port) => sameText(port.name, name) && port.deviceId === undefined)?.id;

/** Creates the error for an address that is not listed with a port; a new address may not be visible yet. */
export const unlisted = (): CloudError =>
  new CloudError({
    failure: "rejected",
    route: `${floatingIpList.method} ${floatingIpList.path}`,
    reason: "the address is not listed with a port",
    status: 404,
  });
