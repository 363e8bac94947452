import { expect, test } from "@jest/globals";
import { alternativesRule } from "../../operation/alternative.ts";
import { allOperations } from "../../operation/operations.ts";
import { inWordsOf } from "../../provider/core/wording.ts";

const { check } = alternativesRule([["image", "size"], ["volume"]]);
const problemOf = (inputs: object) => {
  const found = check(inputs as never, () => true);
  return found && [...found.path, inWordsOf("pulumi", found.problem)];
};

test("a call has one of the alternatives, with all of its parameters", () => {
  expect(problemOf({ image: "a", size: 1 })).toBeUndefined();
  expect(problemOf({ volume: "b" })).toBeUndefined();
  expect(problemOf({})).toEqual(["image", "set either it or volume"]);
  expect(problemOf({ image: "a" })).toEqual(["size", "is required with image"]);
  expect(problemOf({ size: 1, volume: "b" })).toEqual([
    "volume",
    "conflicts with size: set only one of them",
  ]);
});

test("no parameter of an alternative is required or has a default", () => {
  for (const { operation } of allOperations())
    for (const name of operation.alternatives.flat())
      expect([name, operation.fields[name]?.kind]).toEqual([name, "field"]);
  const set = allOperations().filter(({ operation }) => operation.alternatives.length > 0);
  expect(set.map(({ name }) => name)).toEqual([
    ...["create_instance", "create_instance_sync", "delete_instance", "restore_backup", "create_pod"],
  ]);
});
