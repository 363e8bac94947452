import { expect, test } from "@jest/globals";
import { engine } from "../../../provider/engine/engine.ts";
import { resource } from "../../support/cloud.ts";

const bucket = resource("bucket");

test("a tag that no response can show is rejected", () => {
  const tags = JSON.parse('{"__proto__": "x"}');
  const { problems } = engine.check(bucket, { name: "data", tags });
  expect(problems).toEqual([{ path: ["tags", "__proto__"], problem: "cannot be the name of a label" }]);
});
