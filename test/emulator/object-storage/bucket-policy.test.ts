import { scenario } from "../tour.ts";

scenario("a bucket has one policy, of addresses and ranges, which is replaced as a whole", [
  "create_bucket",
  ["get_bucket_policy", {}, "404 bucket data has no policy"],
  [
    "create_bucket_policy",
    { s3_read_write_ips: ["10.0.0.1", "db.example"] },
    "422 s3_read_write_ips.1: not an address or a range of addresses",
  ],
  ["create_bucket_policy", {}, 201],
  ["create_bucket_policy", {}, "409 bucket data has a policy already"],
  ["update_bucket_policy", { s3_read_only_ips: ["10.0.0.0/33"] }, "422 s3_read_only_ips.0: not an…"],
  1000,
  ["update_bucket_policy", { s3_read_write_ips: [], s3_read_only_ips: ["2001:db8::1"] }, 204],
  ["get_bucket_policy", {}, { s3_read_write_ips: [], s3_read_only_ips: ["2001:db8::1"] }],
  ["get_bucket_policy", {}, { created_at: "2026-01-01T00:00:01.000Z" }],
  ["get_bucket_policy", {}, { updated_at: "2026-01-01T00:00:02.000Z" }],
  ["delete_bucket_policy", {}, 204],
  ["update_bucket_policy", {}, "404 bucket data has no policy"],
  ["delete_bucket_policy", {}, "404 bucket data has no policy"],
]);
