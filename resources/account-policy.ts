import * as z from "zod/mini";
import { matchesMasked } from "../provider/core/krn.ts";
import { sameJson } from "../provider/core/number.ts";
import type { Api } from "../provider/definition/api.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { jsonText, text } from "../provider/definition/validator.ts";
import { type AccountPolicyBody, accountPolicyRoutes as routes } from "./wire/account-policy.ts";

/** Options of the JSON fields. */
const byMeaning = {
  change: "update",
  unreadable: true,
  same: sameJson,
} as const;

export const accountPolicy = defineResource({
  name: "account-policy",
  category: "identity",
  about:
    "Experimental: a policy of the account for its object storage. The API returns only its name, so drift of its content is not detected.",
  grants: "rights",
  requires: ["accountId"],
  timeouts: { create: 300, read: 300, update: 120, delete: 300 },
  // The id, if the user sets this field; otherwise the id is that of the response.
  idField: "policyKrn",
  fields: {
    name: field(text, "Name of the policy.", { change: "update" }),
    statements: field(jsonText, "Statements that allow or deny access, as a JSON document.", {
      ...byMeaning,
      meaning: "statements",
    }),
    conditions: field(z.optional(jsonText), "Conditions of the statements, as a JSON document.", byMeaning),
    policyId: field(
      z.optional(text),
      "ID (`_id`) of the policy within the account, if the API requires one.",
      {
        unreadable: true,
      },
    ),
    policyKrn: field(z.optional(text), "KRN of the policy.", {
      computed: true,
      usage: "Default: chosen by the API.",
    }),
    createdAt: computed(z.string(), "Creation time, as reported by the API."),
  },
})({
  async create({ api, inputs }) {
    const { policyKRN: id } = await api.send(routes.create, { body: policyBody(inputs, api.account) });
    return { id };
  },

  async read({ api, id, region }) {
    const row = await api.find(routes.read, { path: { policy: id } });
    // The id replaces the KRN of the response, which may be masked.
    return row && { name: row.name, policyKrn: id, createdAt: row.CreationDate, region };
  },

  evidence: {
    async newest({ api }) {
      const row = (await listPolicies(api)).at(-1);
      return row && { id: row.policyKRN, name: row.name, createdAt: row.CreationDate };
    },
    isAbsent: async ({ api, id }) =>
      (await listPolicies(api)).some(({ policyKRN }) => matchesMasked(policyKRN, id)) ? false : undefined,
  },

  async update({ api, id, current }) {
    const policy = await current(routes.update);
    const body = policyBody({ ...policy, policyKrn: id }, api.account);
    await api.send(routes.update, { path: { policy: id }, body });
  },

  async delete({ api, id }) {
    await api.send(routes.delete, { path: { policy: id } });
  },
});

interface Policy {
  readonly name: string;
  readonly statements: string;
  readonly conditions?: string | undefined;
  readonly policyId?: string | undefined;
  readonly policyKrn?: string | undefined;
}

/** Returns the policies of the list, which may show only the newest one (docs/contract.md#9.4). */
async function listPolicies(api: Api) {
  const answer = (await api.find(routes.list)) ?? [];
  return Array.isArray(answer) ? answer : [answer];
}

/** Builds the complete body, which create and update both require (docs/contract.md#9.4). */
const policyBody = (
  { name, statements, conditions = "", policyId: _id, policyKrn: policyKRN }: Policy,
  accountId: string | undefined,
): AccountPolicyBody => ({ _id, name, statements, conditions, accountId, policyKRN });
