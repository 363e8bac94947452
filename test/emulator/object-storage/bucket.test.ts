import { expect, test } from "@jest/globals";
import { at, cloud } from "../client.ts";
import { openTour, scenario } from "../tour.ts";

const form = "must be 3 to 63 lower-case letters, digits, dots and hyphens";
const all = { name_filter: "", refresh: undefined, page: undefined, page_size: undefined };
const elsewhere = { "x-region-id": "In-Hyderabad-1" };
const tier = "400 header x-tier: required";

scenario("a bucket has a unique name, the region and tier of body or header, and is found by its name", [
  "create_bucket",
  ["create_bucket", { ...elsewhere, name: "second", region: undefined, tier: undefined }, 201],
  ["get_bucket", { bucket: "second" }, { region: "In-Hyderabad-1", tier: "slow" }],
  [
    "create_bucket",
    {
      name: undefined,
      bucketName: "third",
      region: undefined,
      "x-region-id": undefined,
      tags: undefined,
      versioning: undefined,
      anonymous_access: undefined,
      tier: undefined,
      "x-tier": undefined,
    },
    201,
  ],
  ["get_bucket", { bucket: "third" }, { region: "In-Bangalore-1", tier: "fast", tags: {} }],
  ["get_bucket", { bucket: "third" }, { versioning: false, anonymous_access: false }],
  ["create_bucket", { ...elsewhere, region: undefined }, "409 bucket data already exists"],
  ["create_bucket", { name: "Data" }, `422 name: ${form}`],
  ["create_bucket", { name: "ab" }, `422 name: ${form}`],
  ["create_bucket", { name: "a".repeat(64) }, `422 name: ${form}`],
  ["create_bucket", { name: "-data" }, `422 name: ${form}`],
  ["create_bucket", { name: "Data" }, 201, { bucketNames: "any" }],
  ["create_bucket", { name: "a-error-503" }, "503 refused because of the name a-error-503"],
  ["create_bucket", { name: "new", tags: { team: 1 } }, "400 tags.team: must be of type string"],
  ["create_bucket", { "x-tier": undefined }, tier, { tierHeader: "required" }],
  ["update_bucket", {}, tier, { tierHeader: "required" }],
  ["delete_bucket", {}, tier, { tierHeader: "required" }],
  [
    "update_bucket",
    { tags: undefined, versioning: undefined, anonymous_access: undefined },
    { tags: { team: "web" }, versioning: true, anonymous_access: false },
  ],
  ["update_bucket", elsewhere, "404 bucket krn:… not found"],
  ["get_bucket", { "x-account-id": undefined }, "400 header x-account-id: required"],
  ["get_bucket", { "x-account-id": undefined }, 200, { accountHeader: "optional" }],
  ["get_bucket", { "x-account-id": "1" }, "401 header x-account-id: not the account of the credential"],
  // The request samples of the interface documents have the credential in this header.
  ["get_bucket", { "x-account-id": "emulator-key" }, 200],
  [
    "update_bucket",
    { "x-region-id": "Mars" },
    "404 header x-region-id: no region Mars; there are In-Bangalore-1",
    { regions: ["In-Bangalore-1"] },
  ],
]);

scenario("the list has pages, finds by a part of the name, and shows a cache without refresh", [
  ...["logs-1", "data", "logs-2"].map((name) => ["create_bucket", { name }, 201] as const),
  [
    "list_buckets",
    { ...all, name_filter: "logs", page: "2", page_size: "1" },
    {
      totalItems: 2,
      totalPages: 2,
      currentPage: 2,
      nextPage: undefined,
      "items.0.name": "logs-2",
      "items.0.url": "https://logs-2.object.example",
      "items.0.owner": undefined,
    },
  ],
  ["list_buckets", { ...all, page_size: "1" }, { currentPage: 1, nextPage: 2 }],
  ["list_buckets", all, { totalPages: 2, "items.length": 2 }, { bucketPageDefault: 2 }],
  ["list_buckets", { ...all, page_size: "9" }, { totalPages: 2 }, { bucketPageMax: 2 }],
  [
    "list_buckets",
    { page: "2", name_filter: "data" },
    { "items.0.name": "logs-1" },
    { bucketListNames: "others" },
  ],
  ["list_buckets", all, { length: 3, "2.name": "logs-2" }, { bucketListShape: "array" }],
  ["list_buckets", all, { totalItems: 0 }, { bucketListCachedMs: 5000 }],
  ["list_buckets", { ...all, refresh: "true" }, { totalItems: 3 }, { bucketListCachedMs: 5000 }],
  5000,
  ["list_buckets", all, { totalItems: 3 }, { bucketListCachedMs: 5000 }],
]);

scenario("a bucket with an object is not deleted, and its policy and rules are deleted with it", [
  "create_bucket",
  "create_bucket_policy",
  "create_lifecycle_rule",
  "create_access_key",
  "activate_session",
  "upload_object",
  "put_object_content",
  ["delete_bucket", {}, "409 bucket data is not empty: it has 1 objects"],
  ["delete_object", { objectkey: "a/b.txt" }, 200],
  ["delete_bucket", {}, 204],
  ["create_bucket", {}, 201],
  ["get_bucket_policy", {}, "404 bucket data has no policy"],
  ["list_lifecycle_rules", {}, { length: 0 }],
]);

scenario("a one-time password is valid once, for a limited time, and is consumed by any attempt", [
  { otpMs: 60_000 },
  "create_bucket",
  ["delete_bucket", { otp: undefined }, "400 otp: required"],
  ["delete_bucket", { otp: "12345678" }, "401 otp: it is wrong"],
  ["delete_bucket", { otp: "12345678" }, "403 otp: it is wrong", { wrongOtp: 403 }],
  ["delete_bucket", { bucket: "none" }, "404 bucket none not found"],
  ["delete_bucket", { otp: undefined }, 204, { otpRequired: false }],
]);

test("a password expires, is used once, and is printed if requested, so that there is always a valid one", async () => {
  const passwords: string[] = [];
  const { emulator, request } = openTour(cloud({ showPassword: (password) => passwords.push(password) }));
  const remove = async (otp: string | undefined) =>
    at((await request("delete_bucket", { bucket: "data", otp })).body ?? {}, "message");
  await request("create_bucket", {});
  expect((await emulator.call("POST /_emulator/otp")).status).toBe(201);
  await emulator.clock.advance(300_000);
  expect(await remove(passwords[0])).toBe("otp: it has expired");
  expect(await remove(passwords[0])).toBe("otp: it was used");
  expect(await remove(passwords[1])).toBeUndefined();
  expect(passwords).toHaveLength(3);
  expect(JSON.stringify(emulator.log.entries())).not.toContain(passwords[1]);
});
