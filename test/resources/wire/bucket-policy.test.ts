import { expect, test } from "@jest/globals";
import { wire } from "../../../resources/wire/bucket-policy.ts";

test("a list of hosts that is null is empty, and one that the response lacks is not shown", () => {
  expect(wire.parse({ s3_read_write_ips: null, bucketPolicyKrn: null })).toEqual({ s3_read_write_ips: [] });
  expect(wire.parse({ s3_read_only_ips: ["10.0.0.0/8"] })).toEqual({ s3_read_only_ips: ["10.0.0.0/8"] });
});

test("a response without any part of a policy is no policy", () => {
  expect(wire.safeParse({}).success).toBe(false);
  expect(wire.safeParse({ message: "ok" }).success).toBe(false);
});
