import { expect, test } from "@jest/globals";
import { functions } from "../../functions/index.ts";
import { InputError, userData } from "../../index.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";

const id = "krn:kbs:In-Bangalore-1:42:9f6d:volume:0a-1b";

const parts = {
  service: "kbs",
  region: "In-Bangalore-1",
  account: "42",
  customer: "9f6d",
  type: "volume",
  uuid: "0a-1b",
};

test("a function checks its arguments and returns the same result in every adapter", () => {
  const call = (name: string, written: Values) => {
    const asked = functions.find((candidate) => candidate.name === name);
    if (asked === undefined) throw new Error(`no function ${name}`);
    return engine.calculate(asked, written);
  };
  expect(call("parse-id", { id })).toEqual(parts);
  expect(call("build-id", parts)).toBe(id);
  expect(call("subnets", { range: "10.0.0.0/16", prefixes: [24] })).toEqual(["10.0.0.0/24"]);
  expect(call("user-data", { parts: ["#!/bin/sh"] })).toBe(userData("#!/bin/sh"));
  expect(() => call("subnets", { range: "x", prefixes: ["a"] })).toThrow(
    new InputError([
      { path: ["range"], problem: "must be a CIDR such as 10.0.0.0/16" },
      { path: ["prefixes", 0], problem: "must be a number" },
    ]),
  );
});
