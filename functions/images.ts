import * as z from "zod/mini";
import { requireOne } from "../provider/core/candidate.ts";
import { labelOf, sameText } from "../provider/core/string.ts";
import { attributeCode, wording } from "../provider/core/wording.ts";
import { computed, field } from "../provider/definition/field.ts";
import { defineLookup } from "../provider/definition/function.ts";
import { described } from "../provider/definition/shape.ts";
import { text } from "../provider/definition/validator.ts";
import { listImages } from "../resources/wire/image.ts";

/**
 * Lookups of images. The fields of a row are not documented, so all of them are returned unchanged
 * (docs/contract.md#17.4).
 */

/** Values under probable field names of a row, and all its fields as text. */
const row = {
  id: described(z.string(), "KRN of the image."),
  name: described(z.optional(z.string()), "Name of the image."),
  status: described(z.optional(z.string()), "Status reported by the API."),
  raw: described(z.record(z.string(), z.string()), "All fields of the image in the response, as text."),
};

/** Lookup of the images of a region, filtered by a name if one is given. */
export const images = defineLookup({
  name: "images",
  category: "compute",
  about: "Lists the images of a region: public images and those of the account.",
  fields: {
    name: field(z.optional(text), "Returns only images with this name."),
    images: computed(z.array(z.object(row)), "Images, in the order of the API."),
  },
})(async ({ api, region, inputs: { name }, share }) => {
  const all = await share("images", () => listImages(api, region));
  return { images: all.filter((image) => name === undefined || sameText(image.name, name)) };
});

/** Lookup of one image by its id or its name. */
export const image = defineLookup({
  name: "image",
  category: "compute",
  about: "Looks up one image by its ID or name.",
  fields: {
    id: field(
      z.optional(text),
      wording`KRN of the image. Exactly one of this and ${attributeCode("name")} is required.`,
      { references: "image", computed: true },
    ),
    name: field(
      z.optional(text),
      wording`Name of the image, which must be unique. Conflicts with ${attributeCode("id")}.`,
      {
        computed: true,
      },
    ),
    status: computed(row.status, "Status reported by the API."),
    raw: computed(row.raw, "All fields of the image in the response, as text."),
  },
  rules: [
    {
      needs: ["id", "name"],
      check: ({ id, name }) =>
        (id === undefined) === (name === undefined)
          ? { path: ["id"], problem: "set either id or name, not both" }
          : undefined,
    },
  ],
})(async ({ api, region, inputs: { id, name }, share }) => {
  const all = await share("images", () => listImages(api, region));
  const matching = all.filter((image) => (id === undefined ? sameText(image.name, name) : image.id === id));
  const query = id === undefined ? { name } : { id };
  return requireOne("image", query, { all, matching }, (image) => labelOf(image.id, image.name));
});
