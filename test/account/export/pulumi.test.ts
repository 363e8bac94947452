import { expect, test } from "@jest/globals";
import { importFile, projectLines, remedyLines } from "../../../account/export/pulumi.ts";
import { blockOf } from "./block.ts";

test("the import has the resources in force, with the names and IDs of the program", () => {
  const blocks = [
    blockOf("volume", "web"),
    blockOf("instance", "web"),
    blockOf("image", "golden", { problems: ["instance_id is required"] }),
  ];
  expect(JSON.parse(importFile({ region: undefined, blocks, parts: [] }))).toEqual({
    resources: [
      { type: "kcloud:index:Volume", name: "webVolume", id: "id-of-web" },
      { type: "kcloud:index:Instance", name: "webInstance", id: "id-of-web" },
    ],
  });
});

test("a project without a region has no configuration", () => {
  expect(projectLines({ region: undefined, blocks: [], parts: [] }, ["runtime: yaml"]).at(-1)).toBe(
    "# Credentials are set in the environment or in a profile.",
  );
});

test("an import ID is one argument of the command in a comment", () => {
  expect(remedyLines(blockOf("object", "a", { importId: "files,it's\na" }), "a")[1]).toBe(
    "pulumi import --generate-code=false --protect=false kcloud:index:ObjectResource a $'files,it\\'s\\u000aa'",
  );
});
