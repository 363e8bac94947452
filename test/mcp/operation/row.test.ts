import { expect, test } from "@jest/globals";
import { contentOf, fitting, identitiesOf } from "../../../mcp/operation/row.ts";

test("the content of a row is its ID with size, digest and times; without a complete ID, the whole row", () => {
  const row = { krn: "krn:a", size: 1, note: "x" };
  expect(contentOf({ ...row, note: "y" })).toBe(contentOf(row));
  expect(contentOf({ ...row, size: 2 })).not.toBe(contentOf(row));
  expect(contentOf({ ...row, etag: "e" })).not.toBe(contentOf(row));
  const masked = { krn: "krn:****", note: "x" };
  expect(contentOf({ ...masked, note: "y" })).not.toBe(contentOf(masked));
  expect(contentOf({ note: "y" })).not.toBe(contentOf({ note: "x" }));
  expect(contentOf("a")).not.toBe(contentOf("b"));
});

test("a value that is too large has the parts that fit, and says what is left out", () => {
  const value = { id: "a", text: "x".repeat(500), list: [1] };
  expect(fitting(value, 1_000)).toBe(value);
  expect(fitting(value, 100)).toEqual({
    ...{ id: "a", text: "(not shown: 502 characters)", list: [1] },
    is_cut: "Only 100 characters are shown. The digest covers all.",
  });
  expect(fitting("x".repeat(200), 100)).toBe("(not shown: 202 characters)");
});

test("rows are named by ID, name and status, as many as fit", () => {
  const rows = Array.from({ length: 60 }, (_, index) => ({
    krn: `krn:${index}`,
    name: "n",
    status: "ok",
    more: 1,
  }));
  const named = identitiesOf(rows, 48_000);
  expect([named.length, named[0]]).toEqual([50, { id: "krn:0", name: "n", status: "ok" }]);
  expect(identitiesOf(rows, 100).length).toBeLessThan(5);
  expect(identitiesOf([{ other: 1 }, "text"], 100)).toEqual([{ other: 1 }, "text"]);
});
