import { expect, test } from "@jest/globals";
import { once, onlyRequest } from "../../../review/post/host.ts";

const candidate = (number: number, isMerge = false) => ({ number, isMerge });

test("the request of a revision is the one whose merge made it, or the only one", () => {
  expect(onlyRequest([candidate(7)], "a1", "pull request")).toBe(7);
  expect(onlyRequest([candidate(7), candidate(8, true), candidate(9)], "a1", "pull request")).toBe(8);
});

test.each([
  [[], "No merged pull request has the revision a1: set --request NUMBER."],
  [[candidate(7), candidate(8)], "Several merged pull requests have the revision a1: set --request NUMBER."],
  [[candidate(7, true), candidate(8, true)], "Several merged pull requests have the revision a1"],
])("without exactly one, the error asks for --request", (candidates, message) => {
  expect(() => onlyRequest(candidates, "a1", "pull request")).toThrow(message);
});

test("a function runs once, also if its value is undefined", () => {
  let count = 0;
  const value = once(() => void count++);
  value();
  value();
  expect(count).toBe(1);
});
