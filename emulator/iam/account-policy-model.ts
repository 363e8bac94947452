import { Refusal } from "../http/wire.ts";
import { type Cloud, existing } from "../model/cloud.ts";
import { isoTime } from "../state/clock.ts";
import type { Resource } from "../state/store.ts";

/** Policy of the account. Reads return only its name (docs/contract.md#9.4). */
export type AccountPolicy = Resource & { policyId: string; statements: string; conditions: string };

export const accountPolicyModel = (cloud: Cloud) => cloud.store.model<AccountPolicy>("account_policy");
/** Model of the attachments. */
export const policyAttachmentModel = (cloud: Cloud) =>
  cloud.store.model<Resource>("account_policy_attachment");

export const policyPath = "/internal/kos/v1/policy";
/** Region in the KRNs of policies, which are not regional. */
export const policyRegion = "In-Bangalore-1";

export const policies = (cloud: Cloud) => existing(cloud, accountPolicyModel(cloud).all());

export function requireAccountPolicy(cloud: Cloud, krn: string): AccountPolicy {
  const policy = policies(cloud).find((resource) => resource.krn === krn);
  if (policy === undefined) throw new Refusal(404, `policy ${krn} not found`);
  return policy;
}

/** Renders the summary that every response has (docs/contract.md#9.4). */
export const policySummary = ({ name, krn, createdAt }: AccountPolicy) => ({
  name,
  policyKRN: krn,
  CreationDate: isoTime(createdAt),
});

/** Returns the attachment of a policy; undefined if the policy is not attached. */
export const attachmentOf = (cloud: Cloud, { krn }: AccountPolicy): Resource | undefined =>
  existing(cloud, policyAttachmentModel(cloud).all()).find(({ parents }) => parents[0] === krn);
