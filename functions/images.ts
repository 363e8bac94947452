import * as z from "zod/mini";
import { labelOf, requireOne } from "../provider/core/candidate.ts";
import { sameText } from "../provider/core/string.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineLookup } from "../provider/definition/function.ts";
import { text } from "../provider/definition/validator.ts";
import { listImages } from "../resources/wire/image.ts";

/**
 * Lookups of images. No source documents the fields of a row, so all of them are returned as received
 * (docs/contract.md#17.4).
 */

/** Values that a row probably holds, and every field of it as text. */
const row = {
  id: z.string(),
  name: z.optional(z.string()),
  status: z.optional(z.string()),
  raw: z.record(z.string(), z.string()),
};

/** Lookup of the images of a region, filtered by a name if one is given. */
export const images = defineLookup({
  name: "images",
  about: "Lists the images of a region, public ones and one's own.",
  fields: {
    name: field(z.optional(text), "Only those with this name."),
    images: computed(z.array(z.object(row)), "The images, in the cloud's order."),
  },
})(async ({ api, region, inputs: { name }, share }) => {
  const all = await share("images", () => listImages(api, region));
  return { images: all.filter((image) => name === undefined || sameText(image.name, name)) };
});

/** Lookup of one image by its id or its name. */
export const image = defineLookup({
  name: "image",
  about: "Looks up one image, by its id or by its name.",
  fields: {
    id: field(z.optional(text), "Identifier of the image.", { references: "image", computed: true }),
    name: field(z.optional(text), "Name of the image; it must be the only one of that name.", {
      computed: true,
    }),
    status: computed(row.status, "Where it stands, in the cloud's word."),
    raw: computed(row.raw, "Every field that the cloud tells of it, as text."),
  },
  rules: [
    {
      needs: ["id", "name"],
      check: ({ id, name }) =>
        (id === undefined) === (name === undefined)
          ? { path: ["id"], problem: "give either id or name" }
          : undefined,
    },
  ],
})(async ({ api, region, inputs: { id, name }, share }) => {
  const all = await share("images", () => listImages(api, region));
  const like = all.filter((image) => (id === undefined ? sameText(image.name, name) : image.id === id));
  const asked = id === undefined ? ["name"] : ["id"];
  return requireOne("image", asked, { all, matching: like }, (image) => labelOf(image.id, image.name));
});
