import type { LifecycleCase } from "../adapter/lifecycle/case.ts";
import type { Draw } from "../simulation/draw.ts";
import type { Ref, SimulatedKind, Written } from "../simulation/kind.ts";

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

const keys = (nth: number) => [`ours-${nth}.txt`, `logs/é & ${nth}/ours.txt`];

const filled = (
  draw: Draw,
  { bucketId, key }: { readonly bucketId: Ref; readonly key: string },
): Written => ({
  bucketId,
  key,
  ...draw.pick([{ content: `the ${draw.int(1, 9)}th` }, { contentBase64: "AAH/" }, { content: "" }]),
  ...(draw.chance(0.3) ? { contentType: draw.pick(["text/plain", "image/png"]) } : {}),
});

export const simulatedKind: SimulatedKind = {
  needs: ["bucket"],
  make: (draw, nth, { bucket }) => filled(draw, { bucketId: bucket as Ref, key: draw.pick(keys(nth)) }),
  vary(draw, inputs, nth) {
    const place = { bucketId: inputs.bucketId as Ref, key: String(inputs.key) };
    const key = draw.pick(keys(nth));
    return draw.pick([filled(draw, place), { ...inputs, key }, filled(draw, { ...place, key })]);
  },
  successor: (inputs, nth) => ({ ...inputs, key: `ours-${nth}.txt` }),
  idOf: ({ name }) => name,
  is: ({ name, parents: [bucket] }, { key, bucketId }) => name === key && bucket === bucketId,
  drift: (draw) =>
    draw.pick([{ contentType: "text/html" }, { etag: "0123456789abcdef0123456789abcdef", size: 3 }]),
  writes: { contentType: "contentType", etag: "checksum" },
};
