import { expect, test } from "@jest/globals";
import { buildId, InputError } from "../../index.ts";

const parts = {
  service: "kbs",
  region: "In-Bangalore-1",
  account: "42",
  customer: "9f6d",
  type: "volume",
  uuid: "0a-1b",
};

test("the error names a part of an id that is empty or contains a colon", () => {
  const problem = "must not be empty and must not contain a colon";
  expect(() => buildId({ ...parts, customer: "", uuid: "a:b" })).toThrow(
    new InputError([
      { path: ["customer"], problem },
      { path: ["uuid"], problem },
    ]),
  );
});
