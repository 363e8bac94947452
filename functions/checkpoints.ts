import * as z from "zod/mini";
import { lookupCode, wording } from "../provider/core/wording.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineAction, defineLookup } from "../provider/definition/function.ts";
import { text } from "../provider/definition/validator.ts";
import { deleteCheckpoint, listCheckpoints, requireCheckpoint } from "../resources/wire/inference.ts";

/** Lookup of the names of the checkpoints. */
export const checkpoints = defineLookup({
  name: "checkpoints",
  category: "ai",
  about: "Lists the fine-tuned checkpoints of the user.",
  regional: false,
  fields: { checkpoints: computed(z.array(z.string()), "Names of the checkpoints.") },
})(async ({ api, share }) => ({ checkpoints: await share("checkpoints", () => listCheckpoints(api)) }));

/** Action that deletes one checkpoint. Its request is a GET, which is never repeated (docs/contract.md#12). */
export const checkpointDelete = defineAction({
  name: "checkpoint-delete",
  category: "ai",
  about: "Deletes a fine-tuned checkpoint of the user. This cannot be undone.",
  doing: "deleting the checkpoint",
  timeouts: { invoke: 300 },
  regional: false,
  statuses: { done: ["gone"], failed: [] },
  once: true,
  effect: { is: "destroys data", of: "name", text: "The checkpoint cannot be restored." },
  fields: {
    name: field(text, wording`Name of the checkpoint, as listed by ${lookupCode("checkpoints")}.`),
    confirmName: field(text, "Name of the checkpoint again, as a confirmation."),
  },
  rules: [
    {
      needs: ["name", "confirmName"],
      check: ({ name, confirmName }) =>
        name === confirmName
          ? undefined
          : { path: ["confirmName"], problem: "must repeat the name of the checkpoint" },
    },
  ],
})({
  status: async ({ api, inputs: { name } }) =>
    (await listCheckpoints(api)).includes(name) ? "listed" : "gone",

  async send({ api, inputs: { name } }) {
    await requireCheckpoint(api, name, "name");
    await deleteCheckpoint(api, name);
  },
});
