import { expect, test } from "@jest/globals";
import { descriptionOf, library, search, titleOf } from "../../../mcp/library/library.ts";

test("the library has the pages and schemas of every definition", async () => {
  const { pages, schemas } = await library();
  expect(Object.keys(pages)).toEqual(
    expect.arrayContaining(["index", "resources/volume", "data-sources/volumes", "guides/secrets", "rules"]),
  );
  expect(Object.keys(pages)).not.toEqual(expect.arrayContaining(["contract"]));
  expect(titleOf(pages["resources/volume"] ?? "")).toBe("kcloud_volume (Resource)");
  expect(descriptionOf(pages["resources/volume"] ?? "")).toMatch(/^A block storage volume of a VPC\./);
  expect(descriptionOf(pages.rules ?? "")).not.toBe("");
  expect(schemas["resource/volume"]).toMatchObject({ title: "kcloud_volume", required: expect.anything() });
});

test("a rare word of a query counts more than a frequent one, and a heading more than a text", () => {
  const pages = {
    one: "# One\n\nThe volume and the volume and the volume.\n",
    two: "# Two\n\nIntroduction.\n\n## Quorum\n\nThe volume has one.\n",
    three: "# Three\n\nThe volume.\n",
  };
  const [first, ...more] = search({ pages, schemas: {} }, "volume quorum", 2);
  expect(first).toEqual({
    page: "two",
    title: "Two",
    section: "Quorum",
    offset: 22,
    excerpt: "The volume has one.\n",
  });
  expect(more.map(({ page }) => page)).toEqual(["one"]);
  expect(search({ pages, schemas: {} }, "nothing of it", 2)).toEqual([]);
  expect(search({ pages, schemas: {} }, "", 2)).toEqual([]);
});
