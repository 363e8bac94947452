import { expect, test } from "@jest/globals";
import { isContent, listingOf } from "../../account/listing.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { resources } from "../../resources/index.ts";

test("each kind is listed once, once per parent, or not at all for a reason", () => {
  const listings = resources.map((resource) => {
    const listing = listingOf(resource);
    if (listing === undefined) return [resource.name, "only in the state"];
    if (listing.of === "none") return [resource.name, inWordsOf("terraform", listing.reason)];
    return [resource.name, listing.of === "parent" ? `per ${listing.within}` : "once"];
  });
  expect(Object.fromEntries(listings)).toEqual({
    vpc: "once",
    subnet: "per vpc",
    port: "per vpc",
    "port-security-groups": "the list security_groups is a part of each port, not an object",
    "floating-ip": "per vpc",
    "security-group": "per vpc",
    "security-group-rule": "per vpc",
    "ssh-key": "the API finds SSH keys only by name",
    volume: "per vpc",
    instance: "per vpc",
    "volume-attachment": "per vpc",
    image: "once",
    "instance-template": "once",
    "instance-batch": "per vpc",
    "ai-pod": "no route of the API lists AI pods",
    bucket: "once",
    "bucket-policy": "per bucket",
    "lifecycle-rule": "per bucket",
    object: "per bucket",
    "access-key": "once",
    "account-policy": "no route of the API lists account policies",
    "account-policy-attachment": "no route of the API lists account policy attachments",
    "inference-task": "once",
    "text-language": "only in the state",
    "text-entities": "only in the state",
    "text-summary": "only in the state",
    "text-translation": "only in the state",
    "text-sentiment": "only in the state",
    "document-text": "no route of the API lists document jobs",
    "document-information": "no route of the API lists document jobs",
    "document-summary": "no route of the API lists document jobs",
    "document-masking": "no route of the API lists document jobs",
  });
});

test("the objects of buckets are content", () => {
  const listed = resources.filter((resource) => listingOf(resource)?.of !== "none");
  expect(listed.filter(isContent).map(({ name }) => name)).toEqual(["object"]);
});
