import type { LifecycleCase } from "../case.ts";

const of = (ref: string) => ({ ref, property: "id" });
const inputs = { bucketId: of("shelf-one"), key: "life/one.txt", content: "one" };

export const lifecycleCase: LifecycleCase = {
  dependencies: ["shelf-one", "shelf-two"].map((name) => ({ name, resource: "bucket", inputs: { name } })),
  idOf: ({ name }) => name,
  inputs,
  update: { ...inputs, content: "two", contentType: "text/plain" },
  // The id of an object is its key.
  replace: { ...inputs, bucketId: of("shelf-two"), key: "life/two.txt" },
  replaceSameName: inputs,
  last: { ...inputs, bucketId: of("shelf-two"), key: "life/three.txt" },
  // A change through the inventory needs the object's own KRN, which the engine does not have.
  drift: null,
  importId: (id, _vpc, { bucketId }) => `${bucketId},${id}`,
  recordedByApply: true,
};
