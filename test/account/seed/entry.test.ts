import { expect, test } from "@jest/globals";
import { entriesOf, gapsOf, listedEntry } from "../../../account/seed/entry.ts";
import { secret } from "../../../provider/core/value.ts";
import { resource } from "../../support/cloud.ts";

const state = {
  id: "krn:it",
  task: undefined,
  values: { region: "In-A-1", name: secret("data") },
  unread: [],
};
const recorded = { address: "kcloud_volume.data", resource: resource("volume"), state, dependsOn: [] };

test("an object of a state is an entry with its values in clear; one without an id is none", () => {
  const unfinished = { ...recorded, state: { ...state, id: undefined, task: "task" } };
  const file = { engine: "terraform" as const, objects: [recorded, unfinished], gaps: [] };
  expect(entriesOf([file])).toEqual([
    { kind: "volume", id: "krn:it", region: "In-A-1", values: { region: "In-A-1", name: "data" } },
  ]);
});

test("a gap of a state is a sentence with its path", () => {
  const file = { engine: "terraform" as const, objects: [], gaps: ["kcloud_vpc.net has no id"] };
  expect(gapsOf(["a.tfstate", "b.tfstate"], [{ ...file, gaps: [] }, file])).toEqual([
    "b.tfstate may have objects that cannot be read: kcloud_vpc.net has no id",
  ]);
});

test("an object of an account is marked as listed", () => {
  const listed = {
    resource: resource("volume"),
    id: "krn:it",
    name: "data",
    region: undefined,
    parents: {},
    state,
  };
  expect(listedEntry(listed)).toMatchObject({ kind: "volume", region: "", isListed: true });
});
