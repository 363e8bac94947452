import { expect, test } from "@jest/globals";
import { isContent, isListOfOther, listingOf } from "../../account/listing.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { resources } from "../../resources/index.ts";
import { expectGolden } from "../support/golden.ts";

test("each kind is listed once, once per parent, or not at all for a reason", () => {
  const listings = resources.map((resource) => {
    const listing = listingOf(resource);
    if (listing === undefined) return [resource.name, "only in the state"];
    if (listing.of === "none") return [resource.name, inWordsOf("terraform", listing.reason)];
    return [resource.name, listing.of === "parent" ? `per ${listing.within}` : "once"];
  });
  expectGolden("listing.txt", listings.map(([kind, listing]) => `${kind}: ${listing}\n`).join(""));
});

test("the objects of buckets are content", () => {
  const listed = resources.filter((resource) => listingOf(resource)?.of !== "none");
  expect(listed.filter(isContent).map(({ name }) => name)).toEqual(["object"]);
});

test("the groups of a port are a list of the port, and have its ID", () => {
  expect(resources.filter(isListOfOther).map(({ name }) => name)).toEqual(["port-security-groups"]);
});
