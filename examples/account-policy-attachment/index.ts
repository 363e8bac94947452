// The API does not list attachments; it requires kcid to remove one.
import { AccountPolicy, AccountPolicyAttachment } from "@kcloud/iac/pulumi";

const readers = new AccountPolicy("readers", {
  statements: JSON.stringify([{ effect: "allow", action: ["kos:GetObject"], resource: ["*"] }]),
});
const inForce = new AccountPolicyAttachment("readers", { policyId: readers.id, kcid: "team-reports" });

export const policyId = inForce.policyId;
