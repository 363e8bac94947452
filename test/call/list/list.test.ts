import { expect, test } from "@jest/globals";
import { effectText, type ListedOperation, listText, matching } from "../../../call/list/list.ts";

const rows: readonly ListedOperation[] = [
  { name: "get_vpc", area: "vpc", effect: "reads", isBilled: false, about: "Returns a VPC." },
  { name: "delete_vpc", area: "vpc", effect: "destroys", isBilled: false, about: "Deletes a VPC." },
  { name: "create_ssh_key", area: "sshKey", effect: "changes", isBilled: false, about: "Uploads a key." },
  { name: "translate", area: "text", effect: "changes", isBilled: true, about: "Translates a text." },
];

test("the list has the operations by area, with their effect", () => {
  expect(listText(rows)).toBe(`VPC
  get_vpc         reads            Returns a VPC.
  delete_vpc      destroys         Deletes a VPC.

SSH key
  create_ssh_key  changes          Uploads a key.

text
  translate       changes, billed  Translates a text.
`);
});

test.each([
  ["VPC", 2],
  ["ssh key", 1],
  ["sshKey", 1],
  ["billed", 1],
  ["destroys", 1],
  ["translates", 1],
  ["", 4],
  ["none of them", 0],
])("%j selects %i", (text, count) => {
  expect(matching(rows, text)).toHaveLength(count);
});

test("an operation that is billed each time says so", () => {
  expect(rows.map(effectText)).toEqual(["reads", "destroys", "changes", "changes, billed"]);
});
