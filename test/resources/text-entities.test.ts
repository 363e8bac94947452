import { sentences, testTextService } from "./text-service.ts";

testTextService({
  kind: "text-entities",
  operation: "extract_entities",
  written: { text: sentences, langFrom: "hin", paramList: ["pii"] },
  body: { text: sentences, lang_from: "hin", param_list: ["pii"] },
  result: {
    entities: [{ title: "pii", color: "#f58518", data: [{ label: "EMAIL", value: "ana@example.com" }] }],
    totalEntities: 1,
  },
});
