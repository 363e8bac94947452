import * as z from "zod/mini";
import { attribute, wording } from "../provider/core/wording.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { text } from "../provider/definition/validator.ts";
import { isPrivateKey, isPublicKey, normalizedKey, samePublicKey } from "./wire/ssh-key.ts";
import { findKeys, keyId, sshKeyRoutes as routes } from "./wire/ssh-key-list.ts";

export const sshKey = defineResource({
  name: "ssh-key",
  category: "compute",
  about: "An SSH public key for new instances: the owner of the private key can sign in to them.",
  grants: "login",
  replaceReason: "Existing instances keep the old key: only new instances get the new one.",
  timeouts: { create: 120, read: 120, update: 120, delete: 300 },
  // The search finds keys only by name, which is unique (docs/contract.md#4).
  parents: ["name"],
  fields: {
    name: field(text, "Name of the SSH key, by which instances refer to it.", {
      replaceReason: wording`Instances whose ${attribute("sshkeyName")} refers to this resource are replaced too.`,
    }),
    publicKey: field(
      z.string().check(
        // Accepts a private key, which the rule below rejects with an empty path: engines print the value at the path of
        // an error.
        z.refine((value) => isPublicKey(value) || isPrivateKey(value), {
          error: "must be an OpenSSH public key such as ssh-ed25519 AAAA…",
        }),
      ),
      "Public key in OpenSSH format, such as `ssh-ed25519 AAAA…`, as in a `.pub` file. Its comment is ignored.",
      { same: samePublicKey },
    ),
    krn: computed(z.string(), "KRN of the SSH key."),
  },
  rules: [
    {
      needs: ["publicKey"],
      check: ({ publicKey }) =>
        isPrivateKey(publicKey)
          ? {
              path: [],
              problem: "contains a private key: set the content of its .pub file instead",
            }
          : undefined,
    },
  ],
})({
  whole: true,
  list: ({ api, region, name }) => findKeys(api, region, name),

  async create({ api, inputs: { name, publicKey } }) {
    const answer = await api.send(routes.create, {
      body: { keyName: name, publicKey: normalizedKey(publicKey) },
    });
    return { id: keyId(answer) };
  },

  async delete({ api, id }) {
    await api.send(routes.delete, { path: { key: id } });
  },
});
