import { expect, test } from "@jest/globals";
import { text } from "../../repository/repository.ts";
import { holdsIn, invariantRows, invariants, worlds } from "./invariant.ts";

test("docs/reliability.md shows the table of the invariants and the worlds in which they hold", () => {
  const shown = text("docs/reliability.md")
    .split("\n")
    .filter((line) => /^\| <a id="I\d+">/.test(line));
  expect(shown).toEqual(invariantRows());
});

test("every checked invariant holds in a kind and in a shared world", () => {
  const checked = invariants.filter(({ worlds: held }) => held.length > 0).map(({ id }) => id);
  const failing = checked.filter((id) => !holdsIn(id, "kind") || !holdsIn(id, "shared"));
  expect(failing).toEqual([]);
  expect(worlds.every((world) => holdsIn("crash", world))).toBe(true);
});
