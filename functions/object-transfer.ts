import { InputError } from "../provider/core/error.ts";
import type { Api } from "../provider/definition/api.ts";
import { field } from "../provider/definition/field.ts";
import { type Action, defineAction } from "../provider/definition/function.ts";
import { text } from "../provider/definition/validator.ts";
import { compareContent, findObject, keyConflict, moveObject } from "../resources/wire/object.ts";

/** Actions that move, rename or copy an object within its bucket (docs/contract.md#9.5). */

const verbs = {
  move: { about: "Moves an object to another key in its bucket.", doing: "moving the object" },
  rename: { about: "Renames an object within its bucket.", doing: "renaming the object" },
  copy: { about: "Copies an object to another key in its bucket.", doing: "copying the object" },
} as const;

const transfer = (verb: keyof typeof verbs): Action =>
  defineAction({
    name: `object-${verb}`,
    category: "object-storage",
    ...verbs[verb],
    timeouts: { invoke: 3600 },
    statuses: { done: ["done"], failed: [] },
    lasting: true,
    fields: {
      bucketId: field(text, "ID of the bucket that contains the object.", { references: "bucket" }),
      key: field(text, "Key of the object, such as `logs/today.txt`."),
      toKey: field(text, "New key, which no other object may have."),
    },
    rules: [
      {
        needs: ["key", "toKey"],
        check: ({ key, toKey }) =>
          key === toKey ? { path: ["toKey"], problem: "is the current key" } : undefined,
      },
    ],
  })({
    status: ({ api, inputs, sent }) => progress(api, inputs, { keeps: verb === "copy", sent }),
    send: ({ api, inputs: { bucketId, key, toKey } }) =>
      moveObject(api, { bucket: bucketId, action: verb, from: key, to: toKey }),
  });

interface Wanted {
  readonly bucketId: string;
  readonly key: string;
  readonly toKey: string;
}

/**
 * Returns the progress of a transfer: the API copies the object, then deletes the original. Returns undefined if there
 * is no object to transfer. Throws `InputError` if `toKey` has an object that is not known to be a copy. After the request
 * an object that may be the copy counts as the copy: before the request the key had no object, or the same one.
 */
async function progress(
  api: Api,
  { bucketId, key, toKey }: Wanted,
  { keeps, sent }: { readonly keeps: boolean; readonly sent: boolean },
) {
  const [from, to] = await Promise.all([key, toKey].map((key) => findObject(api, bucketId, key)));
  if (from === undefined) return to === undefined || keeps ? undefined : "done";
  if (to === undefined) return "not started";
  const compared = compareContent(from, to);
  if (compared === "other" || (compared === "unknown" && !sent))
    throw new InputError([{ path: ["toKey"], problem: `${toKey} ${keyConflict(key, compared)}` }]);
  return keeps ? "done" : "copied";
}

/** Action that moves an object within its bucket (docs/contract.md#9.5). */
export const objectMove = transfer("move");
/** Action that renames an object (docs/contract.md#9.5). */
export const objectRename = transfer("rename");
/** Action that copies an object within its bucket (docs/contract.md#9.5). */
export const objectCopy = transfer("copy");
