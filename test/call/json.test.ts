import { expect, test } from "@jest/globals";
import { JsonProblem, parseJson } from "../../call/json.ts";

const problemOf = (text: string): string => {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonProblem) return error.message;
    throw error;
  }
  return "";
};

test("a JSON text is parsed, whatever its strings contain", () => {
  const value = { a: [{ b: '"},{:\\' }, { b: "x" }, {}], "a:": null, c: { a: 1 }, d: ["a", "a"] };
  expect(parseJson(JSON.stringify(value, undefined, 2))).toEqual(value);
});

test.each([
  ["", "is empty, not JSON"],
  [" \n", "is empty, not JSON"],
  ['{"password":"canary"', "is not valid JSON"],
  ['{"a":1,"a":2}', 'has the key "a" more than once in one object'],
  ['[{"a":[{"b":1 , "\\u0062" : 2}]}]', 'has the key "b" more than once in one object'],
])("%j %s, without a quote of the text", (text, problem) => {
  expect(problemOf(text)).toBe(problem);
});
