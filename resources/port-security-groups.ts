import * as z from "zod/mini";
import { isAmbiguous } from "../provider/core/error.ts";
import { matchesMasked } from "../provider/core/krn.ts";
import { attributeCode, ignoredChanges, wording } from "../provider/core/wording.ts";
import { field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { groupList, groupsInRegionOf } from "./fields/group-list.ts";
import { findPort, putGroups } from "./wire/port.ts";

const listRemains = "A port always has security groups: it keeps its list until another list is set.";

export const portSecurityGroups = defineResource({
  name: "port-security-groups",
  category: "network",
  about: wording`Security groups of a port that another resource created, such as ${attributeCode("portId")} of an instance. The list is complete: the plan after a refresh removes groups that were added outside. An instance requires ${attributeCode("securityGroups")} for its create, and takes that list back with its next change: let it ignore later changes of the list, with \`${ignoredChanges("securityGroups")}\`. A plan in which two resources change the groups of one port to different lists is an error.`,
  timeouts: { create: 300, read: 300, update: 600, delete: 120 },
  importedBy: ["portId"],
  visibility: { readByListing: true },
  sharedList: { list: "securityGroups", of: ["portId"], kind: "port", setBy: "plan" },
  fields: {
    portId: field(z.string(), "ID of the port.", { references: "port" }),
    securityGroups: field(groupList, "IDs of all security groups of the port.", {
      references: "security-group",
      unordered: true,
      change: "update",
      usage: "At least one.",
    }),
  },
  rules: [groupsInRegionOf("portId", "the port")],
})({
  // A port has exactly one list of groups.
  matches: (row, { portId }) => matchesMasked(row.portId ?? "", portId),

  async create({ api, inputs: { portId, securityGroups } }) {
    const call = { path: { port: portId }, body: { security_groups: securityGroups } };
    await api.send(putGroups, call).catch((error) => {
      // An ambiguous response is not an error: a read of the port shows whether the groups were set.
      if (!isAmbiguous(error)) throw error;
    });
    return { id: portId };
  },

  async read({ api, id, region }) {
    const port = await findPort(api, id);
    return port && { portId: id, securityGroups: port.securityGroups ?? [], region };
  },

  async update({ api, id, current }) {
    const { securityGroups } = await current(putGroups);
    await api.send(putGroups, { path: { port: id }, body: { security_groups: securityGroups } });
  },

  delete: { undeletable: listRemains },
});
