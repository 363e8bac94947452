import * as z from "zod";

const size = z.int().min(1);

/**
 * Open questions of the contract about ports and floating IPs (docs/contract.md#2.3): part of the switches in
 * `assumption.ts`.
 */
export const networkAssumptions = {
  portIdField: z
    .enum(["port_id", "krn_id", "id"])
    .default("port_id")
    .describe("2.3: the field that names a port in the search"),
  portSearchShape: z
    .enum(["paged", "array"])
    .default("paged")
    .describe("2.3: the port search answers `ports[]` with paging, or a bare array of all"),
  portPageDefault: size.default(10).describe("2.3: ports on a page when the request names no size"),
  portPageMax: size.default(100).describe("17.2: the most ports that a page holds"),
  subnetDeleteWithPorts: z
    .enum(["removes", "conflict"])
    .default("removes")
    .describe(
      "2.2: deleting a subnet or VPC takes the ports along that nothing uses, or is a 409 as long as there are any",
    ),
  floatingIpAttachOrder: z
    .enum(["either", "attach-holds", "detach-holds"])
    .default("either")
    .describe(
      "16: an attach moves the address from whichever port holds it, or only when that is `attach_port`, or " +
        "`detach_port`; the wrong way round nothing moves",
    ),
  floatingIpDetach: z
    .enum(["keeps", "deletes"])
    .default("keeps")
    .describe("16: a detach keeps the reservation of the address, or deletes it"),
  floatingIpDeletePort: z
    .enum(["removes", "keeps"])
    .default("removes")
    .describe("17.2: deleting a floating IP takes its reserved port along, or leaves it"),
  instanceDeleteFloatingIp: z
    .enum(["releases", "keeps"])
    .default("releases")
    .describe("2.3: an address that was made with a machine goes with it, or stays reserved"),
};
