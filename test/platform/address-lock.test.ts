import { expect, test } from "@jest/globals";
import { lockProblem, lockRefusal } from "../../provider/platform/address-lock.ts";

const allowed = (only: string, address: string): boolean =>
  lockRefusal(new URL(address), { KCLOUD_ONLY: only }) === undefined;

test.each([
  ["https://cloud.example", "https://cloud.example"],
  ["https://cloud.example", "https://cloud.example/"],
  ["https://cloud.example/", "https://cloud.example/v1/volumes?page=1"],
  ["https://cloud.example", "https://CLOUD.example:443"],
  ["HTTPS://Cloud.Example:443/", "https://cloud.example"],
  ["http://127.0.0.1:4010", "http://127.0.0.1:4010/v1"],
  ["http://127.0.0.1", "http://127.0.0.1:80"],
  ["http://[::1]:4010", "http://[0:0:0:0:0:0:0:1]:4010"],
  ["https://gateway.example/staging", "https://gateway.example/staging/v1/volumes"],
  ["https://gateway.example/staging/", "https://gateway.example/staging"],
])("KCLOUD_ONLY=%s allows %s", (only, address) => {
  expect(allowed(only, address)).toBe(true);
});

test.each([
  ["https://cloud.example", "http://cloud.example"],
  ["https://cloud.example", "https://cloud.example:8443"],
  ["https://cloud.example", "https://cloud.example.evil.example"],
  ["https://cloud.example", "https://cloud.example@evil.example"],
  ["https://cloud.example", "https://eu.cloud.example"],
  ["http://127.0.0.1:4010", "http://localhost:4010"],
  ["http://127.0.0.1:4010", "http://[::1]:4010"],
  ["http://127.0.0.1:4010", "http://127.0.0.1:4011"],
  ["https://gateway.example/staging", "https://gateway.example/production"],
  ["https://gateway.example/staging", "https://gateway.example/staging-2"],
  ["https://gateway.example/staging", "https://gateway.example/staging/../production"],
])("KCLOUD_ONLY=%s does not allow %s", (only, address) => {
  expect(allowed(only, address)).toBe(false);
});

test("without the variable, every address is allowed", () => {
  expect(lockProblem({})).toBeUndefined();
  expect(lockRefusal(new URL("https://cloud.example"), {})).toBeUndefined();
});

test.each([
  "",
  " ",
  "cloud.example",
  "none",
  "ftp://cloud.example",
  "https://u:p@cloud.example",
  "https://cloud.example?a=1",
  " https://cloud.example",
])("the invalid lock %j is a problem and allows no address", (only) => {
  const problem = `KCLOUD_ONLY ${only === "" ? "is empty" : "is not an address"}: set it to the only address that may be used, such as https://cloud.example, or unset it`;
  expect(lockProblem({ KCLOUD_ONLY: only })).toBe(problem);
  expect(lockRefusal(new URL("https://cloud.example"), { KCLOUD_ONLY: only })).toBe(problem);
});
