import { expect, test } from "@jest/globals";
import { buildId, InputError, parseId } from "../../index.ts";

const id = "krn:kbs:In-Bangalore-1:42:9f6d:volume:0a-1b";

const parts = {
  service: "kbs",
  region: "In-Bangalore-1",
  account: "42",
  customer: "9f6d",
  type: "volume",
  uuid: "0a-1b",
};

test("parsing an id returns the parts that it was built from", () => {
  expect(parseId(id)).toEqual(parts);
  expect(buildId(parts)).toBe(id);
});

test("the compact layout of an id names no customer", () => {
  expect(parseId("krn:cloud:network:In-Bangalore-1:42:subnet/0a-1b")).toEqual({
    service: "network",
    region: "In-Bangalore-1",
    account: "42",
    type: "subnet",
    uuid: "0a-1b",
  });
});

const wrong = (path: (string | number)[], problem: string) => new InputError([{ path, problem }]);

test.each([
  "0a-1b",
  "krn:kbs:r:1:2:volume",
  "krn:kbs:r:1:2:volume:",
  "krn:a:b:c:d:x/",
  "arn:a:b:c:d:e:f",
  "",
])("%j is not a full id", (text) => {
  const problem = "must be of the form krn:<service>:<region>:<account>:<customer>:<type>:<uuid>";
  expect(() => parseId(text)).toThrow(wrong(["id"], problem));
});
