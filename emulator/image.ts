import { z } from "zod";
import { imageKrn, images } from "./catalogue.ts";
import type { Noun } from "./noun.ts";
import { operation } from "./operation.ts";
import { count, optionalText, page } from "./schema.ts";
import { Refusal } from "./wire.ts";

const listImages = operation({
  name: "list_images",
  method: "GET",
  path: "/vm/v1/image/{region}",
  section: "5",
  source: "client",
  query: z.strictObject({ region_id: optionalText, page: count.optional(), limit: count.optional() }),
  // The fields of an element are unknown (contract 5); krn, name and status are those that 17.4 hopes for.
  handle(_, { query, path: { region } }) {
    if (query.region_id !== undefined && query.region_id !== region)
      throw new Refusal(400, `query region_id: is not that of the path, ${region}`);
    const { rows } = page(images, { page: query.page, size: query.limit });
    const shown = rows.map(({ name, uuid }) => ({ krn: imageKrn(region, uuid), name, status: "active" }));
    return { status: 200, body: { images: shown } };
  },
});

/** The public images of the catalogue. */
export const imageNoun: Noun = { name: "image", operations: [listImages] };
