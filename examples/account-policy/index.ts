import { AccountPolicy } from "@kcloud/iac/pulumi";

const readers = new AccountPolicy("readers", {
  statements: JSON.stringify([{ effect: "allow", action: ["kos:GetObject"], resource: ["*"] }]),
});

export const policyId = readers.id;
