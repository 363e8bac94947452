import * as z from "zod";
import { operation } from "../model/operation.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { regional, text } from "../model/schema.ts";
import { deviceOf, requirePort } from "./port-model.ts";
import { renderChangedPort } from "./port-view.ts";
import { requireGroups } from "./security-group-model.ts";
import { vpcModel } from "./vpc-model.ts";

const updatePortSecurityGroups = operation({
  name: "update_port_security_groups",
  method: "PUT",
  path: "/api/v1/ports/{port}",
  section: "2.3",
  source: "seed",
  headers: regional,
  body: z.strictObject({ security_groups: z.array(text).min(1, "must not be empty") }),
  handle(cloud, { headers, body, path }) {
    const port = requirePort(cloud, path.port, headers["x-region"]);
    const vpc = vpcModel(cloud).get(port.vpcKrn);
    if (vpc) requireGroups(cloud, vpc, body.security_groups);
    port.uses = [...new Set(body.security_groups)];
    port.updatedAt = cloud.now;
    const device = deviceOf(cloud, port);
    if (device) device.updatedAt = cloud.now;
    return { status: 200, body: { port: renderChangedPort(cloud, port) } };
  },
});

/** Security groups of a port, replaced as a whole (docs/contract.md#2.3). */
export const portSecurityGroupsKind: ResourceKind = {
  name: "port_security_groups",
  operations: [updatePortSecurityGroups],
};
