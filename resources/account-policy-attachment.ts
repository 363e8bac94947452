import { field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { text } from "../provider/definition/validator.ts";
import { accountPolicyAttachmentRoutes as routes } from "./wire/account-policy.ts";

export const accountPolicyAttachment = defineResource({
  name: "account-policy-attachment",
  category: "identity",
  about:
    "Experimental: an attachment of an account policy, which puts the policy in force. The API does not return attachments, so drift is not detected.",
  grants: "rights",
  requires: ["accountId"],
  timeouts: { create: 120, read: 120, update: 120, delete: 300 },
  visibility: { unreadable: {} },
  importedBy: ["policyId"],
  // A policy has one attachment, which nothing distinguishes from a later one.
  sameBy: [],
  fields: {
    policyId: field(text, "ID of the attached policy.", { references: "account-policy" }),
    kcid: field(text, "The `kcid` that the API requires when the policy is detached.", {
      change: "update",
      unreadable: true,
      local: true,
    }),
  },
})({
  async create({ api, inputs: { policyId } }) {
    await api.send(routes.attach, { body: { policyKRNs: [policyId] } });
    return { id: policyId };
  },

  // No route returns an attachment (docs/contract.md#9.4).
  read: async () => undefined,

  async delete({ api, prior: { policyId, kcid } }) {
    await api.send(routes.detach, { body: { kcid, policyKRNs: [policyId] } });
  },
});
