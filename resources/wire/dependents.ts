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

/** What stands in a VPC, a subnet, a group's ports, and so keeps them from going, as far as listings show it. */

interface Place {
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

/** What is on its way out needs nobody's help. */
const isNotDeleting = ({ status = "" }: Row): boolean => !/^delet/i.test(status);

/** All that stands in a VPC but its first subnet and what goes with its machines. */
export async function inVpc({ api, region, vpcId }: Place, firstSubnet: string | undefined) {
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
    ...subnets.filter((row) => isNotDeleting(row) && row.id !== firstSubnet).map(kind("subnet")),
    ...groups.map(kind("security-group")),
  ];
}

/** Whoever has the volume or the port that a machine was to get. */
export async function withParts({ volumeId, portId, ...place }: Place & Wanted): Promise<RelatedObject[]> {
  const booted = volumeId === undefined ? [] : await holdersOf(place.api, place.vpcId, volumeId);
  const berthed = portId === undefined ? [] : await onPorts(place, ({ id }) => matchesMasked(id, portId));
  return [...booted, ...berthed.filter(({ kind }) => kind !== "port")];
}

interface Wanted {
  readonly volumeId?: string | undefined;
  readonly portId?: string | undefined;
}

/** What has a port in a subnet. */
export const inSubnet = (place: Place, subnet: string) =>
  onPorts(place, ({ subnetId = "" }) => matchesMasked(subnetId, subnet));

/** What has a port with a security group. */
export const underGroup = (place: Place, group: string) =>
  onPorts(place, ({ securityGroups = [] }) => securityGroups.some((listed) => matchesMasked(listed, group)));

/** Whose ports these are: a machine's, a floating IP's, else nobody's and named themselves. */
async function onPorts({ api, region, vpcId }: Place, isMeant: (port: PortRow) => boolean) {
  const ports = (await listPorts(api, region, vpcId)).filter(isMeant);
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
    // One whose making failed may be listed without its id (docs/contract.md#6).
    if (deviceId !== undefined) return { kind: kindOf(deviceId) ?? "device", id: deviceId };
    const address = addresses.find(({ heldBy }) => holds(heldBy));
    return address === undefined ? { ...port, kind: "port" } : { ...address, kind: "floating-ip" };
  });
  const each = new Map(owners.filter(isNotDeleting).map((owner) => [owner.id, kind(owner.kind)(owner)]));
  return [...each.values()];
}
