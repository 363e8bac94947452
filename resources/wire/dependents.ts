import { kindOf, matchesMasked, sameId } from "../../provider/core/krn.ts";
import type { Api } from "../../provider/definition/api.ts";
import type { RelatedObject } from "../../provider/definition/verb.ts";
import { listAddresses } from "./floating-ip.ts";
import { listInstances } from "./instance-list.ts";
import { listPorts, type PortRow } from "./port.ts";
import { listGroups } from "./security-group.ts";
import { listVolumes } from "./volume.ts";
import { holdersOf } from "./volume-attachment.ts";
import { describeVpc } from "./vpc.ts";

/** Objects that block the deletion of a VPC, a subnet or a security group, from listings. */

interface Network {
  readonly api: Api;
  readonly region: string;
  readonly vpcId: string;
}

interface Row {
  readonly id: string;
  readonly name?: string | undefined;
  readonly status?: string | undefined;
}

const kind =
  (kind: string) =>
  ({ id, name }: Row): RelatedObject => ({ kind, id, name });

/** Returns false for an object that is being deleted: it needs no action by the user. */
const isNotDeleting = ({ status = "" }: Row): boolean => !/^delet/i.test(status);

/** Lists the objects in a VPC, except the primary subnet and the boot volumes of its instances. */
export async function inVpc({ api, region, vpcId }: Network, firstSubnet: string | undefined) {
  const [machines, volumes, addresses, groups, vpc] = await Promise.all([
    listInstances(api, region, vpcId),
    listVolumes(api, region, vpcId),
    listAddresses(api, region, vpcId),
    listGroups(api, region, vpcId),
    describeVpc(api, vpcId),
  ]);
  const boots = (id: string) => machines.some(({ bootVolumeId = "" }) => sameId(bootVolumeId, id));
  const subnets = (vpc?.subnets ?? []).map(({ krn, ...row }) => ({ ...row, id: krn }));
  return [
    ...machines.filter(isNotDeleting).map(kind("instance")),
    ...volumes.filter((row) => isNotDeleting(row) && !boots(row.id)).map(kind("volume")),
    ...addresses.map(kind("floating-ip")),
    ...subnets
      .filter((row) => isNotDeleting(row) && !(firstSubnet !== undefined && sameId(row.id, firstSubnet)))
      .map(kind("subnet")),
    ...groups.map(kind("security-group")),
  ];
}

/** Lists the objects that use the boot volume or the port requested for a new instance. */
export async function withParts({ volumeId, portId, ...place }: Network & Uses): Promise<RelatedObject[]> {
  const ofVolume = volumeId === undefined ? [] : await holdersOf(place.api, place.vpcId, volumeId);
  const ofPort = portId === undefined ? [] : await onPorts(place, ({ id }) => matchesMasked(id, portId));
  return [...ofVolume, ...ofPort.filter(({ kind }) => kind !== "port")];
}

interface Uses {
  readonly volumeId?: string | undefined;
  readonly portId?: string | undefined;
}

/** Lists the objects that use ports in a subnet. */
export const inSubnet = (place: Network, subnet: string) =>
  onPorts(place, ({ subnetId = "" }) => matchesMasked(subnetId, subnet));

/** Lists the objects that use ports with a security group. */
export const underGroup = (place: Network, group: string) =>
  onPorts(place, ({ securityGroups = [] }) => securityGroups.some((listed) => matchesMasked(listed, group)));

/** Lists the users of ports: an instance or another device, otherwise a floating IP, otherwise the port itself. */
async function onPorts({ api, region, vpcId }: Network, isIncluded: (port: PortRow) => boolean) {
  const ports = (await listPorts(api, region, vpcId)).filter(isIncluded);
  if (ports.length === 0) return [];
  const machines = await listInstances(api, region, vpcId);
  const addresses = await listAddresses(api, region, vpcId);
  const owners = ports.map((port): RelatedObject & Row => {
    const holds = (krn = "") => matchesMasked(krn, port.id);
    const { deviceId } = port;
    const machine = machines.find(
      ({ id, portId, networkPorts = [] }) =>
        matchesMasked(id, deviceId ?? "") || holds(portId) || networkPorts.some(({ krn }) => holds(krn)),
    );
    if (machine !== undefined) return { ...machine, kind: "instance" };
    // An instance whose create failed may be listed without its id (docs/contract.md#6), which its port still shows.
    if (deviceId !== undefined) return { kind: kindOf(deviceId) ?? "device", id: deviceId };
    const address = addresses.find(({ heldBy }) => holds(heldBy));
    return address === undefined ? { ...port, kind: "port" } : { ...address, kind: "floating-ip" };
  });
  const each = new Map(owners.filter(isNotDeleting).map((owner) => [owner.id, kind(owner.kind)(owner)]));
  return [...each.values()];
}
