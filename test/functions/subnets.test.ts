import { expect, test } from "@jest/globals";
import { InputError, subnets } from "../../index.ts";

const wrong = (path: (string | number)[], problem: string) => new InputError([{ path, problem }]);

test("ranges within a range follow each other, each aligned to its prefix length", () => {
  expect(subnets("10.0.0.0/16", 24, 24, 20, 24)).toEqual([
    "10.0.0.0/24",
    "10.0.1.0/24",
    "10.0.16.0/20",
    "10.0.32.0/24",
  ]);
  expect(subnets("10.1.2.3/16", 16)).toEqual(["10.1.0.0/16"]);
  expect(subnets("0.0.0.0/0", 1, 1)).toEqual(["0.0.0.0/1", "128.0.0.0/1"]);
  expect(subnets("2001:DB8::/32", 48, 64, 128)).toEqual([
    "2001:db8::/48",
    "2001:db8:1::/64",
    "2001:db8:1:1::/128",
  ]);
  expect(subnets("10.0.0.0/16")).toEqual([]);
});

test("the error about a range that does not fit or is invalid has its position", () => {
  expect(() => subnets("10.0.0.0/23", 24, 24, 24)).toThrow(
    wrong(["prefixes", 2], "does not fit into 10.0.0.0/23 after the ranges before it"),
  );
  expect(() => subnets("10.0.0.0/16", 24, 8)).toThrow(
    wrong(["prefixes", 1], "must be a whole number from 16 to 32"),
  );
  expect(() => subnets("10.0.0.0/33", 24)).toThrow(wrong(["range"], "must be a CIDR such as 10.0.0.0/16"));
});
