import * as z from "zod";
import { Refusal } from "../http/wire.ts";
import { type Cloud, deleteResource, newResource } from "../model/cloud.ts";
import type { ResourceKind } from "../model/resource-kind.ts";
import { text } from "../model/schema.ts";
import { accountOperation } from "./account-header.ts";
import {
  type AccountPolicy,
  attachmentOf,
  policyAttachmentModel,
  policyPath,
  policyRegion,
  policySummary,
  requireAccountPolicy,
} from "./account-policy-model.ts";

function attach(cloud: Cloud, policy: AccountPolicy): void {
  if (attachmentOf(cloud, policy)) return;
  policyAttachmentModel(cloud).insert({
    ...newResource(cloud, "iam", "policyattachment", policyRegion),
    name: policy.name,
    parents: [policy.krn],
  });
}

function detach(cloud: Cloud, policy: AccountPolicy): void {
  const attachment = attachmentOf(cloud, policy);
  if (attachment === undefined) throw new Refusal(404, `policy ${policy.name} is not attached`);
  deleteResource(cloud, attachment, 0);
}

/** Declares attach or detach; both return the summary of the last policy in the request. */
const attachmentOperation = (
  name: string,
  verb: string,
  body: z.ZodType<{ policyKRNs: string[] }>,
  each: (cloud: Cloud, policy: AccountPolicy) => void,
) =>
  accountOperation({
    name,
    method: "POST",
    path: `${policyPath}/${verb}`,
    section: "9.4",
    source: "seed",
    body,
    handle(cloud, { body: { policyKRNs } }) {
      const named = policyKRNs.map((krn) => requireAccountPolicy(cloud, krn));
      const last = named.at(-1);
      if (last === undefined) throw new Refusal(400, "policyKRNs: must name a policy");
      for (const policy of named) each(cloud, policy);
      return { status: 200, body: policySummary(last) };
    },
  });

const policyKRNs = z.array(text);

/** Attachments of policies to the account. Only attached policies are in effect. */
export const accountPolicyAttachmentKind: ResourceKind = {
  name: "account_policy_attachment",
  operations: [
    attachmentOperation("attach_account_policy", "attach", z.strictObject({ policyKRNs }), attach),
    attachmentOperation(
      "detach_account_policy",
      "detach",
      z.strictObject({ kcid: text, policyKRNs }),
      detach,
    ),
  ],
};
