import { InputError } from "../provider/core/error.ts";
import { attribute, attributeCode, wording } from "../provider/core/wording.ts";
import type { Api } from "../provider/definition/api.ts";
import { field } from "../provider/definition/field.ts";
import { defineAction } from "../provider/definition/function.ts";
import { text } from "../provider/definition/validator.ts";
import { deleteAllKeys, listAccessKeys } from "../resources/wire/access-key.ts";

/** Action that deletes every access key of the account, including those of other users (docs/contract.md#9.2). */
export const accessKeyDeleteAll = defineAction({
  name: "access-key-delete-all",
  category: "identity",
  about:
    "Deletes every access key of the account, including those of other users, whose clients lose access. This cannot be undone.",
  doing: "deleting every access key",
  timeouts: { invoke: 300 },
  statuses: { done: ["gone"], failed: [] },
  lasting: true,
  once: true,
  afterUnclear: ["check-access-keys"],
  effect: {
    is: "ends access",
    text: "Every access key of the account stops working, including those of other users.",
  },
  fields: {
    accountId: field(
      text,
      wording`ID of the account, as a confirmation: must equal ${attributeCode("accountId")} of the provider.`,
    ),
  },
})({
  async status({ api, inputs }) {
    confirm(api, inputs.accountId);
    return (await listAccessKeys(api)).length === 0 ? "gone" : "there";
  },
  async send({ api, inputs }) {
    confirm(api, inputs.accountId);
    await api.send(deleteAllKeys);
  },
});

function confirm({ account }: Api, named: string): void {
  if (named === account) return;
  const problem = wording`is not the account of the provider (${attribute("accountId")}): nothing was deleted`;
  throw new InputError([{ path: ["accountId"], problem }]);
}
