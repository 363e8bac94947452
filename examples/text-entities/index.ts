import { TextEntities } from "@kcloud/iac/pulumi";

// One request, sent and billed when the resource is created. Its result is in the state only.
const order = new TextEntities("order", {
  text: "कृपया ana@example.com पर लिखें।",
  langFrom: "hin",
  paramList: ["pii", "ner"],
});

export const totalEntities = order.totalEntities;
