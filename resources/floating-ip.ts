import * as z from "zod/mini";
import { CloudError, isConflict } from "../provider/core/error.ts";
import { matchesMasked } from "../provider/core/krn.ts";
import { attribute } from "../provider/core/wording.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { text } from "../provider/definition/validator.ts";
import {
  isAsked,
  listAddresses,
  moveTo,
  otherOrder,
  ownPort,
  portOf,
  portTaken,
  release,
  takeOff,
  unlisted,
} from "./wire/floating-ip.ts";
import { createPort, listPorts, networkOf } from "./wire/port.ts";

const another = "Another address is reserved, and this one is given back.";
/** Options of fields that the API shows only while the address is on its reserved port. */
const hidden = { unreadable: true, replaceReason: another } as const;

export const floatingIp = defineResource({
  name: "floating-ip",
  about: "A public address, reserved on a port of its own until it is put on another one.",
  timeouts: { create: 600, read: 120, update: 600, delete: 600 },
  parents: ["vpcId"],
  importedBy: ["address", "name"],
  // A port has at most one address: a replacement on the same port must wait for the release of the old address.
  exclusive: true,
  publicAddress: "address",
  fields: {
    vpcId: field(z.string(), "VPC it belongs to.", { references: "vpc", replaceReason: another }),
    name: field(text, "Name of it, and of the port that it is reserved with.", {
      ...hidden,
      importFallback: "name",
    }),
    subnetId: field(z.string(), "Subnet of the port that it is reserved with.", {
      ...hidden,
      importFallback: "subnetId",
      references: "subnet",
    }),
    networkId: field(z.optional(z.string()), "Network of that port. Default: that of the VPC.", {
      ...hidden,
      references: "network",
    }),
    portId: field(
      z.optional(z.string()),
      `Port to put it on, such as an instance's ${attribute("networkPorts")}[0].krn. Left out, it stays reserved.`,
      { references: "port", change: "update", deferred: true, once: true, notAppliedHint: otherOrder },
    ),
    address: computed(z.string(), "The address."),
    heldBy: computed(z.string(), "Port that holds it: its own, or the one that it was put on.", {
      changesWith: ["portId"],
    }),
    instanceName: computed(z.string(), "Name of the instance that it leads to.", { changesWith: ["portId"] }),
    subnetName: computed(z.string(), "Name of the subnet that it leads to.", { changesWith: ["portId"] }),
    ipVersion: computed(z.number(), "IP version: 4 or 6."),
    visibility: computed(z.string(), "From where it can be reached, in the cloud's word."),
  },
})({
  list: ({ api, region, vpcId }) => listAddresses(api, region, vpcId),
  whole: (row, remembered) => ({ ...row, portId: portOf(row, remembered) }),
  matches: isAsked,

  async create({ api, inputs }) {
    const { name, vpcId: vpc_id, subnetId: subnet_id } = inputs;
    const network_id = await networkOf(api, inputs);
    const body = { name, vpc_id, network_id, subnet_id, floating_ip: true };
    const answer = await api.send(createPort, { body }).catch((error) => {
      // Even an error response can follow a billable allocation, so the engine must search the list of addresses
      // (docs/contract.md#2.3).
      throw error instanceof CloudError && error.failure === "rejected"
        ? new CloudError({ ...error, mayHaveExecuted: true })
        : error;
    });
    return { id: answer?.floating_ip_krn };
  },

  async update({ api, id, vpcId, region, inputs, prior }) {
    const rows = await listAddresses(api, region, vpcId);
    const row = rows.find((row) => matchesMasked(row.id, id));
    if (row === undefined) throw unlisted();
    const { name, portId } = inputs;
    if (portId === undefined) {
      const port = portOf(row, prior);
      if (port !== undefined) await takeOff(api, port);
      return;
    }
    const heldBy = row.heldBy ?? ownPort(await listPorts(api, region, vpcId), name);
    if (heldBy === undefined) throw unlisted();
    if (!matchesMasked(heldBy, portId)) await moveTo(api, heldBy, portId);
  },

  changeBlocked: ({ inputs: { portId }, seen }) => portTaken(seen, portId),

  async delete({ api, id, vpcId, region, prior }) {
    const row = (await listAddresses(api, region, vpcId)).find((row) => matchesMasked(row.id, id));
    const port = row && portOf(row, prior);
    const detach = (from: string) =>
      takeOff(api, from).catch((error) => {
        if (!isConflict(error)) throw error;
      });
    const giveBack = () => api.send(release, { query: { floating_ip_krn: id } });
    // An address must be detached before its release (docs/contract.md#2.3).
    if (port !== undefined) await detach(port);
    await giveBack().catch(async (error) => {
      // After an import, nothing tells an unused port that the address was moved to from its reserved port.
      if (!isConflict(error) || port !== undefined || row?.heldBy === undefined) throw error;
      await detach(row.heldBy);
      await giveBack();
    });
  },
});
