import * as z from "zod/mini";
import { field } from "../../provider/definition/field.ts";
import type { Inputs } from "../../provider/definition/inference.ts";
import { jsonText } from "../../provider/definition/validator.ts";
import {
  accountPolicyAttachmentRoutes,
  accountPolicyRoutes,
  summary,
} from "../../resources/wire/account-policy.ts";
import { operation } from "../operation.ts";
import { optionalText, requiredText, textList } from "../parameter.ts";

const section = "9.4";
const policyKrn = requiredText("ID of the policy.");
const policyFields = {
  name: requiredText("Name of the policy."),
  statements: field(jsonText, "Statements of the policy as JSON."),
  conditions: field(z._default(z.string(), ""), "Conditions of the policy as JSON."),
  policyId: optionalText("Value of the field `_id`. Its form is not documented."),
  accountId: optionalText("Number of the account. Default: `accountId` of the client."),
};

const bodyOf = (
  policy: Inputs<typeof policyFields>,
  krn: string | undefined,
  account: string | undefined,
) => ({
  _id: policy.policyId,
  name: policy.name,
  statements: policy.statements,
  conditions: policy.conditions,
  accountId: policy.accountId ?? account,
  policyKRN: krn,
});

/** Operations of account policies, whose paths are internal: their forms may change. */
export const accountPolicy = {
  listAccountPolicies: operation(accountPolicyRoutes.list, {
    section,
    about: "Lists the policies of the account; the API may return one policy in place of a list.",
    listing: { rows: [] },
  }),
  createAccountPolicy: operation(accountPolicyRoutes.create, {
    section,
    about: "Creates a policy of the account.",
    parameters: { ...policyFields, policyKrn: optionalText("ID of the policy. Its form is not documented.") },
    request: ({ policyKrn, ...policy }, { account }) => ({ body: bodyOf(policy, policyKrn, account) }),
    answer: summary,
  }),
  getAccountPolicy: operation(accountPolicyRoutes.read, {
    section,
    about: "Returns name and ID of a policy, without its statements.",
    parameters: { policyKrn },
    request: ({ policyKrn }) => ({ path: { policy: policyKrn } }),
  }),
  updateAccountPolicy: operation(accountPolicyRoutes.update, {
    section,
    about: "Replaces a policy of the account.",
    parameters: { policyKrn, ...policyFields },
    request: ({ policyKrn, ...policy }, { account }) => ({
      path: { policy: policyKrn },
      body: bodyOf(policy, policyKrn, account),
    }),
    answer: z.optional(summary),
  }),
  deleteAccountPolicy: operation(accountPolicyRoutes.delete, {
    section,
    about: "Deletes a policy of the account.",
    parameters: { policyKrn },
    request: ({ policyKrn }) => ({ path: { policy: policyKrn } }),
  }),
  attachAccountPolicy: operation(accountPolicyAttachmentRoutes.attach, {
    section,
    about: "Attaches policies to the account.",
    parameters: { policyKrns: textList("IDs of the policies.") },
    request: ({ policyKrns }) => ({ body: { policyKRNs: policyKrns } }),
    answer: z.optional(summary),
  }),
  detachAccountPolicy: operation(accountPolicyAttachmentRoutes.detach, {
    section,
    about: "Detaches policies from the account.",
    parameters: {
      kcid: requiredText("Value of the field `kcid`. Its form is not documented."),
      policyKrns: textList("IDs of the policies."),
    },
    request: ({ kcid, policyKrns }) => ({ body: { kcid, policyKRNs: policyKrns } }),
  }),
};
