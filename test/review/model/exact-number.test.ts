import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { digitsOf, numberOf } from "../../../review/model/exact-number.ts";
import { NotReviewableError, readPlan } from "../../../review/read/read.ts";
import { reportOf } from "../render/outputs.ts";

/** Numbers that a double does not represent keep their digits. */

/** Returns the report of an update from 2^53 to a number, in the notation of the plan. */
const updatedTo = (number: string) =>
  reportOf([
    readPlan(
      "shop",
      `{"format_version":"1.2","resource_changes":[{"address":"a.b","type":"a","mode":"managed","change":
       {"actions":["update"],"before":{"n":9007199254740992},"after":{"n":${number}}}}]}`,
    ),
  ]);

test("plans that differ in one integer above 2^53 show the difference and have different digests", () => {
  const [one, other] = [updatedTo("9007199254740993"), updatedTo("9007199254740994")];
  expect(one.changes[0]?.differences.map(({ before, after }) => [before, after])).toEqual([
    [
      { kind: "value", text: "9007199254740992" },
      { kind: "value", text: "9007199254740993" },
    ],
  ]);
  expect(one.approval.digest).not.toBe(other.approval.digest);
});

test("a number in another notation is no change", () => {
  expect(updatedTo("9.007199254740992e15").changes[0]?.differences).toEqual([]);
});

test("a text with the digits of a number, or with the mark of one, is not that number", () => {
  for (const text of ['"9007199254740993"', '"\uE0039007199254740993"', '"\\ue0039007199254740993"'])
    expect(updatedTo(text).approval.digest).not.toBe(updatedTo("9007199254740993").approval.digest);
});

test("an integer keeps its digits", () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 20n), 10n ** 20n), (integer) => {
      const number = numberOf(Number(integer), String(integer));
      return (digitsOf(number) ?? String(number)) === String(integer);
    }),
  );
});

test.each(["1", '"x"', "{}", "[9007199254740993]", "9007199254740992", "9007199254740993"])(
  "a number above 2^53 of a key that occurs twice, first with %s, keeps its digits or cannot be reviewed",
  (first) => {
    try {
      const { changes } = updatedTo(`${first},"n":9007199254740993`);
      expect(changes[0]?.differences[0]?.after).toEqual({ kind: "value", text: "9007199254740993" });
    } catch (error) {
      expect(error).toBeInstanceOf(NotReviewableError);
    }
  },
);

test("a double in the notation of JSON stays a number", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      return Object.is(numberOf(number, JSON.stringify(number)), number);
    }),
  );
});
