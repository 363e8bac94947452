import { expect, test } from "@jest/globals";
import { live, requests } from "../support/cloud.ts";
import { open } from "../support/object-function.ts";

test("an object is copied, moved and renamed within its bucket", async () => {
  const { put, act, keys } = await open();
  await put("a.txt", "one");
  await act("object-copy", { key: "a.txt", toKey: "b.txt" });
  expect(keys().toSorted()).toEqual(["a.txt", "b.txt"]);
  await act("object-move", { key: "b.txt", toKey: "c.txt" });
  await act("object-rename", { key: "c.txt", toKey: "d.txt" });
  expect(keys().toSorted()).toEqual(["a.txt", "d.txt"]);
});

test("a completed action is not repeated, and another object is never overwritten", async () => {
  const { cloud, put, act } = await open();
  await put("a.txt", "one");
  await put("b.txt", "two");
  await expect(act("object-move", { key: "a.txt", toKey: "b.txt" })).rejects.toThrow(
    "toKey: b.txt is the key of another object of the bucket",
  );
  await expect(act("object-move", { key: "a.txt", toKey: "a.txt" })).rejects.toThrow(
    "toKey: is the current key",
  );
  await act("object-copy", { key: "a.txt", toKey: "c.txt" });
  await act("object-copy", { key: "a.txt", toKey: "c.txt" });
  expect(requests(cloud, "move_object")).toHaveLength(1);
});

test("a move whose response was lost continues from its current state", async () => {
  const { cloud, put, act, keys } = await open();
  await put("a.txt", "one");
  cloud.emulator.faults.add({ target: "move_object", kind: "reset", when: "after" });
  await act("object-move", { key: "a.txt", toKey: "b.txt" });
  expect(keys()).toEqual(["b.txt"]);
  expect(requests(cloud, "move_object")).toHaveLength(1);
});

test.each(["copy", "move", "rename"])(
  "with opaque etags, object-%s overwrites no object of the same size",
  async (verb) => {
    const { cloud, put, act } = await open({ assume: { objectEtag: "opaque" } });
    await put("a.txt", "one");
    await put("b.txt", "two");
    const before = live(cloud, "object");
    await expect(act(`object-${verb}`, { key: "a.txt", toKey: "b.txt" })).rejects.toThrow(
      "toKey: b.txt is the key of an object of the same size as a.txt, and their etags do not tell whether it is a copy of it: delete one of the two, or choose another key",
    );
    expect(live(cloud, "object")).toEqual(before);
    expect(requests(cloud, "move_object").length + requests(cloud, "rename_object").length).toBe(0);
  },
);

test("with opaque etags, an object is copied, moved and renamed, even if the response is lost", async () => {
  const { cloud, put, act, keys } = await open({ assume: { objectEtag: "opaque" } });
  await put("a.txt", "one");
  for (const target of ["move_object", "rename_object"])
    cloud.emulator.faults.add({ target, kind: "reset", when: "after" });
  await act("object-copy", { key: "a.txt", toKey: "b.txt" });
  await act("object-move", { key: "b.txt", toKey: "c.txt" });
  await act("object-rename", { key: "c.txt", toKey: "d.txt" });
  expect(keys().toSorted()).toEqual(["a.txt", "d.txt"]);
  expect(requests(cloud, "move_object").length + requests(cloud, "rename_object").length).toBe(3);
});
