import * as z from "zod";
import { refuseByName } from "../fault/sentinel.ts";
import { Refusal } from "../http/wire.ts";
import { type Cloud, deleteResource, newKrn } from "../model/cloud.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { text } from "../model/schema.ts";
import { startWork } from "../state/work.ts";
import { accountOperation } from "./account-header.ts";
import {
  accountPolicyModel,
  attachmentOf,
  policies,
  policyPath,
  policyRegion,
  policySummary,
  requireAccountPolicy,
} from "./account-policy-model.ts";

const accountPolicyBody = z.strictObject({
  _id: z.string().default(""),
  name: text,
  statements: text,
  conditions: z.string().default(""),
  accountId: z.string().optional(),
  policyKRN: z.string().default(""),
});

/** Validates the fields of a create or update and returns those that are stored; else 422 (docs/contract.md#9). */
function policyContent(
  cloud: Cloud,
  { _id: policyId, name, statements, conditions, accountId }: z.output<typeof accountPolicyBody>,
) {
  if (accountId !== undefined && accountId !== "" && accountId !== cloud.settings.account)
    throw new Refusal(422, "accountId: not the account of the credential");
  for (const [field, value] of Object.entries({ statements, conditions }))
    if (value !== "" && !isJson(value)) throw new Refusal(422, `${field}: not JSON`);
  return { policyId, name, statements, conditions };
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

const listAccountPolicies = accountOperation({
  name: "list_account_policies",
  method: "GET",
  path: policyPath,
  section: "9.4",
  source: "seed",
  handle(cloud) {
    // The list returns one object, the newest, as in the seed document (docs/contract.md#9.4).
    const newest = policies(cloud).at(-1);
    if (newest === undefined) throw new Refusal(404, "the account has no policy");
    return { status: 200, body: policySummary(newest) };
  },
});

const createAccountPolicy = accountOperation({
  name: "create_account_policy",
  method: "POST",
  path: policyPath,
  section: "9.4",
  source: "seed",
  body: accountPolicyBody,
  handle(cloud, { body }) {
    refuseByName(body.name);
    const content = policyContent(cloud, body);
    const krn = body.policyKRN || newKrn(cloud, "iam", policyRegion, "policy");
    if (policies(cloud).some((resource) => resource.krn === krn || resource.name === body.name))
      throw new Refusal(409, `policy ${body.name} already exists`);
    const policy = accountPolicyModel(cloud).insert({
      krn,
      region: policyRegion,
      parents: [],
      createdAt: cloud.now,
      updatedAt: cloud.now,
      work: startWork(cloud.now, 0),
      ...content,
    });
    return { status: 201, body: policySummary(policy) };
  },
});

const getAccountPolicy = accountOperation({
  name: "get_account_policy",
  method: "GET",
  path: `${policyPath}/{policy}`,
  section: "9.4",
  source: "seed",
  handle: (cloud, { path: { policy } }) => ({
    status: 200,
    body: policySummary(requireAccountPolicy(cloud, policy)),
  }),
});

const updateAccountPolicy = accountOperation({
  name: "update_account_policy",
  method: "PUT",
  path: `${policyPath}/{policy}`,
  section: "9.4",
  source: "seed",
  body: accountPolicyBody,
  handle(cloud, { body, path: { policy: krn } }) {
    const policy = requireAccountPolicy(cloud, krn);
    Object.assign(policy, policyContent(cloud, body), { updatedAt: cloud.now });
    return { status: 200, body: policySummary(policy) };
  },
});

const deleteAccountPolicy = accountOperation({
  name: "delete_account_policy",
  method: "DELETE",
  path: `${policyPath}/{policy}`,
  section: "9.4",
  source: "seed",
  handle(cloud, { path: { policy: krn } }) {
    const policy = requireAccountPolicy(cloud, krn);
    if (attachmentOf(cloud, policy))
      throw new Refusal(409, `policy ${policy.name} is attached; detach it first`);
    deleteResource(cloud, policy, 0);
    return { status: 204 };
  },
});

/** Policies of the account. */
export const accountPolicyKind: ResourceKind = {
  name: "account_policy",
  operations: [
    listAccountPolicies,
    createAccountPolicy,
    getAccountPolicy,
    updateAccountPolicy,
    deleteAccountPolicy,
  ],
};
