import * as z from "zod/mini";
import { CloudError, isConflict } from "../provider/core/error.ts";
import { matchesMasked } from "../provider/core/krn.ts";
import { attributeCode, wording } from "../provider/core/wording.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { text } from "../provider/definition/validator.ts";
import {
  detachAddress,
  listAddresses,
  matchesRequest,
  moveAddress,
  otherOrder,
  ownPort,
  type PortValues,
  portInUse,
  portOf,
  release,
  unlisted,
} from "./wire/floating-ip.ts";
import { createPort, listPorts, networkOf } from "./wire/port.ts";

/** Options of fields that the API shows only while the address is on its reserved port. */
const hidden = { unreadable: true } as const;

export const floatingIp = defineResource({
  name: "floating-ip",
  category: "network",
  about:
    "A public IP address (floating IP), reserved on a port of its own until it is attached to another port.",
  timeouts: { create: 600, read: 120, update: 600, delete: 600 },
  parents: ["vpcId"],
  importedBy: ["address", "name"],
  // A port has at most one address: a replacement on the same port must wait for the release of the old address.
  exclusive: true,
  replaceReason: "A new address is allocated, and the current address is released.",
  publicAddress: "address",
  attachedTo: "portId",
  fields: {
    vpcId: field(z.string(), "ID of the VPC of the floating IP.", {
      references: "vpc",
    }),
    name: field(text, "Name of the floating IP and of the port on which it is reserved.", {
      ...hidden,
      importFallback: ({ name }) => name,
    }),
    subnetId: field(z.string(), "ID of the subnet of the port on which the floating IP is reserved.", {
      ...hidden,
      importFallback: ({ subnetId }) => subnetId,
      references: "subnet",
    }),
    networkId: field(
      z.optional(z.string()),
      "ID of the network of the port on which the floating IP is reserved.",
      {
        ...hidden,
        computed: true,
        importFallback: ({ networkId }) => networkId,
        references: "network",
        usage: "Default: the network of the VPC.",
      },
    ),
    portId: field(z.optional(z.string()), "ID of the port to which the floating IP is attached.", {
      references: "port",
      change: "update",
      deferred: true,
      once: true,
      // The API shows an address on a port without an instance as one on its reserved port.
      isProven: ({ heldBy }: PortValues, { portId }: PortValues) => matchesMasked(heldBy ?? "", portId ?? ""),
      notAppliedHint: otherOrder,
      usage: wording`For an instance, use its ${attributeCode("portId")}. Without it, the address stays reserved on its own port.`,
    }),
    address: computed(z.string(), "Public IP address."),
    heldBy: computed(
      z.string(),
      "ID of the port that holds the address: its own port or the attached port.",
      {
        changesWith: ["portId"],
      },
    ),
    instanceName: computed(z.string(), "Name of the instance that receives the traffic of the address.", {
      changesWith: ["portId"],
    }),
    subnetName: computed(z.string(), "Name of the subnet that receives the traffic of the address.", {
      changesWith: ["portId"],
    }),
    ipVersion: computed(z.int(), "IP version of the address: `4` or `6`."),
    visibility: computed(z.string(), "Visibility of the address, as reported by the API."),
  },
})({
  list: ({ api, region, vpcId }) => listAddresses(api, region, vpcId),
  whole: (row, recorded) => ({ ...row, portId: portOf(row, recorded) }),
  matches: matchesRequest,

  async create({ api, inputs }) {
    const { name, vpcId: vpc_id, subnetId: subnet_id } = inputs;
    const network_id = await networkOf(api, inputs);
    const body = { name, vpc_id, network_id, subnet_id, floating_ip: true };
    const answer = await api.send(createPort, { body }).catch((error) => {
      // The API can allocate a billed address even if it responds with an error, so the engine has to search the list of
      // addresses (docs/contract.md#2.3).
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
      if (port !== undefined) await detachAddress(api, port);
      return;
    }
    const heldBy = row.heldBy ?? ownPort(await listPorts(api, region, vpcId), name);
    if (heldBy === undefined) throw unlisted();
    if (!matchesMasked(heldBy, portId)) await moveAddress(api, { from: heldBy, to: portId });
  },

  changeBlocked: ({ inputs: { portId }, observed: seen }) => portInUse(seen, portId),

  async delete({ api, id, vpcId, region, prior }) {
    const row = (await listAddresses(api, region, vpcId)).find((row) => matchesMasked(row.id, id));
    const port = row && portOf(row, prior);
    const detach = (from: string) =>
      detachAddress(api, from).catch((error) => {
        if (!isConflict(error)) throw error;
      });
    const releaseAddress = () => api.send(release, { query: { floating_ip_krn: id } });
    // An address must be detached before its release (docs/contract.md#2.3).
    if (port !== undefined) await detach(port);
    await releaseAddress().catch(async (error) => {
      // After an import, an unused port to which the address was moved looks like its reserved port.
      if (!isConflict(error) || port !== undefined || row?.heldBy === undefined) throw error;
      await detach(row.heldBy);
      await releaseAddress();
    });
  },
});
