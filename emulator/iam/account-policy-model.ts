import { Refusal } from "../http/wire.ts";
import { type Cloud, existing } from "../model/cloud.ts";
import { isoTime } from "../state/clock.ts";
import type { Resource } from "../state/store.ts";

/** A policy of the account. Nothing but its name is ever shown again (contract 9.4). */
export type AccountPolicy = Resource & { policyId: string; statements: string; conditions: string };

export const policyModel = (cloud: Cloud) => cloud.store.model<AccountPolicy>("account_policy");
/** A policy in force. */
export const attachmentModel = (cloud: Cloud) => cloud.store.model<Resource>("account_policy_attachment");

export const policyPath = "/internal/kos/v1/policy";
/** Policies are the account's; their identifiers name a region all the same. */
export const policyRegion = "In-Bangalore-1";

export const policies = (cloud: Cloud) => existing(cloud, policyModel(cloud).all());

export function requirePolicy(cloud: Cloud, krn: string): AccountPolicy {
  const policy = policies(cloud).find((resource) => resource.krn === krn);
  if (policy === undefined) throw new Refusal(404, `policy ${krn} not found`);
  return policy;
}

/** The summary that every answer is (seed S1:73). */
export const summaryOf = ({ name, krn, createdAt }: AccountPolicy) => ({
  name,
  policyKRN: krn,
  CreationDate: isoTime(createdAt),
});

/** That a policy is in force, where it is. */
export const attachmentOf = (cloud: Cloud, { krn }: AccountPolicy): Resource | undefined =>
  existing(cloud, attachmentModel(cloud).all()).find(({ parents }) => parents[0] === krn);
