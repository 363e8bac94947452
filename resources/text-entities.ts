import * as z from "zod/mini";
import { computed, field } from "../provider/definition/field.ts";
import { defineResult } from "../provider/definition/resource.ts";
import { described } from "../provider/definition/shape.ts";
import { text } from "../provider/definition/validator.ts";
import { extract, indianLanguages, textResult } from "./wire/text.ts";

const parameters = ["keywords", "profanity", "ner", "task_type", "pii"] as const;

export const textEntities = defineResult({
  ...textResult,
  name: "text-entities",
  category: "ai",
  about:
    "Extracts entities and personal data from a text. The request is sent once, when the resource is created; the result exists in the state only.",
  fields: {
    text: field(text, "Text to analyze.", { secret: true }),
    langFrom: field(z.enum(indianLanguages), "Language of the text, as an ISO 639-2 code such as `hin`."),
    paramList: field(z.array(z.enum(parameters)).check(z.minLength(1)), "Kinds of entities to extract.", {
      unordered: true,
    }),
    entities: computed(
      z.array(
        z.object({
          title: described(z.string(), "Title of the group."),
          color: described(z.optional(z.string()), "Color in which the service displays the group."),
          data: described(
            z.array(
              z.object({
                label: described(z.string(), "Label of the entity."),
                value: described(z.string(), "Value of the entity."),
              }),
            ),
            "Entities of the group.",
          ),
        }),
      ),
      "Groups of extracted entities.",
      { secret: true },
    ),
    totalEntities: computed(z.int(), "Number of entities in all groups."),
  },
})(async ({ api, inputs: { text, langFrom, paramList } }) => {
  const { data, Total_entities } = await api.send(extract, {
    body: { text, lang_from: langFrom, param_list: paramList },
    attributes: { text: "text", lang_from: "langFrom", param_list: "paramList" },
  });
  return { entities: data, totalEntities: Total_entities };
});
