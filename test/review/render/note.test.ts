import { expect, test } from "@jest/globals";
import { uncomparedNote } from "../../../review/render/note.ts";
import { constants } from "../../../review/render/page/constant.ts";

test("the note of the script of a page is that of the other outputs", () => {
  expect(constants().script).toContain(`const uncomparedNote = ${JSON.stringify(uncomparedNote)};`);
});
