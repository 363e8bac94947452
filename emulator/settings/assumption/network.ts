import * as z from "zod";
import { amount } from "../amount.ts";

/**
 * Open questions of the contract about ports and floating IPs (docs/contract.md#2.3): part of the switches in
 * `assumption.ts`.
 */
export const networkAssumptions = {
  portIdField: z
    .enum(["port_id", "krn_id", "id"])
    .default("port_id")
    .describe("2.3: the field of the port's id in the search"),
  portSearchShape: z
    .enum(["paged", "array"])
    .default("paged")
    .describe("2.3: the port search returns `ports[]` with paging, or an array of all ports"),
  portPageDefault: amount.default(10).describe("2.3: ports per page without a size in the request"),
  portPageMax: amount.default(100).describe("17.2: maximum number of ports per page"),
  subnetDeleteWithPorts: z
    .enum(["removes", "conflict"])
    .default("removes")
    .describe(
      "2.2: the delete of a subnet or VPC also deletes its unused ports, or gets 409 while it has any",
    ),
  primarySubnetListed: z
    .enum(["first", "last"])
    .default("first")
    .describe("2.1: a VPC lists its primary subnet before all others, or after them"),
  floatingIpAttachOrder: z
    .enum(["either", "attach-holds", "detach-holds"])
    .default("either")
    .describe(
      "16: an attach moves the address from the port that has it to the other one; or only if `attach_port`, or only if " +
        "`detach_port`, has it: otherwise the attach has no effect",
    ),
  floatingIpDetach: z
    .enum(["keeps", "deletes"])
    .default("keeps")
    .describe("16: a detach keeps the reservation of the address, or deletes it"),
  floatingIpDeletePort: z
    .enum(["removes", "keeps"])
    .default("removes")
    .describe("17.2: the delete of a floating IP also deletes its reserved port, or keeps it"),
  instanceDeleteFloatingIp: z
    .enum(["releases", "keeps"])
    .default("releases")
    .describe("2.3: an address that was created with an instance is deleted with it, or stays reserved"),
};
