import type { Api } from "../provider/client.ts";
import { field } from "../provider/define.ts";
import { defineAction } from "../provider/define-function.ts";
import { endpoint } from "../provider/endpoint.ts";
import { InputError } from "../provider/errors.ts";
import { text } from "../provider/type.ts";
import { listAccessKeys } from "../resources/access-key.wire.ts";
import { storage } from "../resources/bucket.wire.ts";

/** Every key of the account goes, whoever made it (contract 9.2). */
export const accessKeyDeleteAll = defineAction({
  name: "access-key-delete-all",
  about:
    "Deletes every access key of the account, whoever made it: all that uses one is shut out. Nothing brings them back.",
  doing: "deleting every access key",
  timeouts: { invoke: 300 },
  words: { done: ["gone"], failed: [] },
  lasting: true,
  fields: {
    accountId: field(text, "The account, once more: what it names has to be the one of the provider."),
  },
})({
  async look({ api, inputs }) {
    confirm(api, inputs.accountId);
    return (await listAccessKeys(api)).length === 0 ? "gone" : "there";
  },
  async send({ api, inputs }) {
    confirm(api, inputs.accountId);
    await api.send(deleteAll);
  },
});

function confirm({ account }: Api, named: string): void {
  if (named === account) return;
  const problem = "is not the account of the provider (account_id): nothing was deleted";
  throw new InputError([{ path: ["accountId"], problem }]);
}

const deleteAll = endpoint("account-wide", "DELETE /internal/kos/v1/access_keys_all", undefined, storage);
