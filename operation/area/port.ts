import * as z from "zod/mini";
import { field } from "../../provider/definition/field.ts";
import { maybeText, text } from "../../provider/definition/validator.ts";
import { attachRoute, detachRoute, floatingIpList, release } from "../../resources/wire/floating-ip.ts";
import { createPort, portSearch, putGroups } from "../../resources/wire/port.ts";
import { operation } from "../operation.ts";
import { flagOf, idOf, limit, messageFields, optionalText, page, requiredText, vpcId } from "../parameter.ts";

const section = "2.3";
const portKrn = idOf("port", "ID of the port: `network_ports[].krn` of an instance.");

/** Operations of network ports and of floating IP addresses. */
export const port = {
  createPort: operation(createPort, {
    section,
    about: "Creates a port or, with `floatingIp`, reserves a public address on a new port, which is billed.",
    parameters: {
      vpcId,
      networkId: requiredText("ID of the network of the VPC."),
      subnetId: idOf("subnet", "ID of the subnet."),
      name: requiredText("Name of the port."),
      floatingIp: flagOf("If true, a public address is reserved on the port."),
    },
    request: ({ vpcId, networkId, subnetId, name, floatingIp }) => ({
      body: { name, vpc_id: vpcId, network_id: networkId, subnet_id: subnetId, floating_ip: floatingIp },
    }),
    also: { floating_ip_address: maybeText, ...messageFields },
  }),
  searchPort: operation(portSearch, {
    section,
    about: "Lists ports by VPC, network, name or status, in pages.",
    parameters: {
      portId: optionalText("ID of a port."),
      name: optionalText("Name of a port."),
      networkId: optionalText("ID of the network."),
      vpcId: field(z.optional(text), "ID of the VPC.", { references: "vpc" }),
      status: optionalText("Status of the ports, such as `ACTIVE`."),
      page,
      size: limit,
    },
    request: ({ portId, networkId, vpcId, ...query }) => ({
      query: { ...query, port_id: portId, network_id: networkId, vpc_id: vpcId },
    }),
    listing: { rows: ["ports"], page: { number: "page" }, size: "size" },
  }),
  updatePortSecurityGroups: operation(putGroups, {
    section,
    about: "Replaces all security groups of a port.",
    parameters: {
      portKrn,
      securityGroups: field(
        z.array(text).check(z.minLength(1)),
        "IDs of all security groups of the port, of which there is at least one.",
      ),
    },
    request: ({ portKrn, securityGroups }) => ({
      path: { port: portKrn },
      body: { security_groups: securityGroups },
    }),
    answer: z.optional(z.object({ port: z.optional(z.record(z.string(), z.unknown())) })),
  }),
  listFloatingIps: operation(floatingIpList, {
    section,
    about: "Lists the floating IP addresses of a VPC.",
    parameters: { vpcId },
    request: ({ vpcId }) => ({ query: { vpc_id: vpcId } }),
    listing: { rows: [] },
  }),
  attachFloatingIp: operation(attachRoute, {
    section,
    about: "Moves a floating IP address between two ports; a listing shows which of the two has it then.",
    parameters: {
      holderPortKrn: idOf("port", "ID of the port that has the address."),
      targetPortKrn: idOf("port", "ID of the port that gets the address."),
    },
    // The sources of the contract disagree on the order of the two ports (docs/contract.md#16).
    request: ({ holderPortKrn, targetPortKrn }, { switches }) => ({
      body:
        switches.floatingIpAttachOrder === "holder-first"
          ? { attach_port: holderPortKrn, detach_port: targetPortKrn }
          : { attach_port: targetPortKrn, detach_port: holderPortKrn },
    }),
    also: messageFields,
  }),
  detachFloatingIp: operation(detachRoute, {
    section,
    about:
      "Detaches a floating IP address from the port of an instance. The address stays reserved, as far as is known.",
    parameters: { portKrn },
    request: ({ portKrn }) => ({ path: { port: portKrn } }),
    also: messageFields,
  }),
  deleteFloatingIp: operation(release, {
    section,
    about: "Releases a floating IP address, which must be detached.",
    parameters: { floatingIpKrn: requiredText("ID of the address.") },
    request: ({ floatingIpKrn }) => ({ query: { floating_ip_krn: floatingIpKrn } }),
    also: messageFields,
  }),
};
