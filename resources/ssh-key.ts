import * as z from "zod/mini";
import { endpoint } from "../provider/definition/endpoint.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineResource } from "../provider/definition/resource.ts";
import { text } from "../provider/definition/validator.ts";
import { isPrivateKey, isPublicKey, samePublicKey } from "./wire/ssh-key.ts";
import { customer, findKeys, keyId, keyIds } from "./wire/ssh-key-list.ts";

const replaceReason =
  "Instances keep the key that they were made with; the new one is for those made from now on.";

export const sshKey = defineResource({
  name: "ssh-key",
  about: "A public key that instances are made with, so that its owner can sign in to them.",
  grants: "login",
  timeouts: { create: 120, read: 120, update: 120, delete: 300 },
  // The search finds keys only by name, which is unique (docs/contract.md#4).
  parents: ["name"],
  fields: {
    name: field(text, "Name of the key, by which instances ask for it.", {
      replaceReason:
        "An instance that takes its key's name from here is made anew too, with all that it holds.",
    }),
    publicKey: field(
      z.string().check(
        // A private key passes here. The rule below rejects it with an empty path, since engines quote the value at the
        // path of an error.
        z.refine((value) => isPublicKey(value) || isPrivateKey(value), {
          error: "must be an OpenSSH public key such as ssh-ed25519 AAAA…",
        }),
      ),
      "The public key, as in a .pub file. A comment has no meaning.",
      { same: samePublicKey, replaceReason },
    ),
    krn: computed(z.string(), "The key's full identifier."),
  },
  rules: [
    {
      needs: ["publicKey"],
      check: ({ publicKey }) =>
        isPrivateKey(publicKey)
          ? {
              path: [],
              problem: "a private key was given for the public one: give the content of its .pub file",
            }
          : undefined,
    },
  ],
})({
  whole: true,
  list: ({ api, region, name }) => findKeys(api, region, name),

  async create({ api, inputs: { name, publicKey } }) {
    const answer = await api.send(routes.create, { body: { keyName: name, publicKey: publicKey.trim() } });
    return { id: keyId(answer) };
  },

  async delete({ api, id }) {
    await api.send(routes.delete, { path: { key: id } });
  },
});

const routes = {
  create: endpoint("create", "POST /v2/sshkeys", z.object(keyIds), customer),
  delete: endpoint("delete", "DELETE /v2/sshkeys/{key}", undefined, customer),
};
