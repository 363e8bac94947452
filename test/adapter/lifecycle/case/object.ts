import type { LifecycleCase } from "../case.ts";

const of = (ref: string) => ({ ref, property: "id" });
const inputs = { bucketId: of("shelf-one"), key: "life/one.txt", content: "one" };

export const lifecycleCase: LifecycleCase = {
  around: ["shelf-one", "shelf-two"].map((name) => ({ name, resource: "bucket", inputs: { name } })),
  idOf: ({ name }) => name,
  inputs,
  update: { ...inputs, content: "two", contentType: "text/plain" },
  // Its id is its key.
  replace: { ...inputs, bucketId: of("shelf-two"), key: "life/two.txt" },
  replaceSameName: inputs,
  last: { ...inputs, bucketId: of("shelf-two"), key: "life/three.txt" },
  // What is changed by hand goes by its own id, which no engine knows.
  drift: null,
  importId: (id, _vpc, { bucketId }) => `${bucketId},${id}`,
  writtenDown: true,
};
