import { expect, test } from "@jest/globals";
import { explain, pathOf } from "../../../provider/core/error.ts";
import { failure, openCloud } from "../../support/cloud.ts";

test("a rejection that names a field of the request is attached to its attribute", async () => {
  const cloud = openCloud();
  const body = {
    status: "failed",
    message: "validation failed",
    detail: { info: "summary_size is too large" },
  };
  cloud.emulator.faults.add({ target: "summarize", kind: "422", body });
  const error = await cloud.run(
    failure(cloud.create("text-summary", { text: "so", inputLanguage: "eng", summarySize: 9_999 })),
  );
  expect(pathOf(error)).toEqual(["summarySize"]);
  expect(explain(error).detail).toContain("validation failed: summary_size is too large");
  expect(explain(error).detail).toContain("Nothing was created.");
});
