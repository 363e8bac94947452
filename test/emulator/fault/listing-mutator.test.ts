import { expect, test } from "@jest/globals";
import { listingMutators } from "../../../emulator/fault/listing-mutator.ts";

const krn = (uuid: string) => `krn:vpc:In-Bangalore-1:000000000000:customer:vpc:${uuid}`;
const listing = {
  items: [
    { id: krn("11111111-a"), name: "one" },
    { id: krn("22222222-b"), name: "two" },
  ],
  total: 2,
};
const [one, two] = listing.items;
const foreignRow = {
  id: "krn:vpc:In-Elsewhere-1:000000000000:customer:vpc:f0f0f0f0-a",
  name: "one",
};

test.each([
  ["missing-row", [two]],
  ["empty-list", []],
  ["doubled-row", [one, one, two]],
  ["repeated-row", [one, one]],
  ["moved-rows", [two, one]],
  ["foreign-row", [foreignRow, one, two]],
] as const)("%s changes the rows of a listing and not its total", (kind, items) => {
  expect(listingMutators[kind]?.(listing)).toEqual({ ...listing, items });
  expect(listingMutators[kind]?.({ message: "nothing listed" })).toEqual({ message: "nothing listed" });
});

test("masked-ids masks the customer of every id", () => {
  expect(listingMutators["masked-ids"]?.([one])).toEqual([
    { id: "krn:vpc:In-Bangalore-1:000000000000:***:vpc:11111111-a", name: "one" },
  ]);
});
