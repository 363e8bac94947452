// The cloud shows nowhere which policies are in force; kcid is what it asks for when one is taken away.
import { AccountPolicy, AccountPolicyAttachment } from "@kcloud/iac/pulumi";

const readers = new AccountPolicy("readers", {
  statements: JSON.stringify([{ effect: "allow", action: ["kos:GetObject"], resource: ["*"] }]),
});
const inForce = new AccountPolicyAttachment("readers", { policyId: readers.id, kcid: "team-reports" });

export const policyId = inForce.policyId;
