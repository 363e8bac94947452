import type { Draw } from "../draw.ts";
import type { Ref, SimulatedKind, Written } from "../kind.ts";

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

export const kind: SimulatedKind = {
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
