import { expect, test } from "@jest/globals";
import ts from "typescript";
import { files, nodes, sources } from "./repository.ts";

/** Sources that only the test of another source proves. */
const provenElsewhere: readonly string[] = [
  "command/command.ts",
  "provider/engine/create/result.ts",
  "provider/engine/session.ts",
  "review/custom-rule/constant.ts",
  "review/custom-rule/node.ts",
  "review/model/canonical.ts",
  "review/model/change.ts",
  "review/model/decided.ts",
  "review/model/kind.ts",
  "review/model/published.ts",
  "review/read/json.ts",
  "review/read/value.ts",
  "review/read/zip.ts",
  "review/render/approval.ts",
  "review/report/reason.ts",
  "review/rule/action.ts",
  "review/rule/exposure.ts",
  "review/rule/fact.ts",
  "review/rule/sensitive-port.ts",
];

/** Returns true if a source has code of its own: a function with a body. Types, constants and lists have none. */
const hasCode = (file: string): boolean =>
  nodes(file).some((node) => ts.isFunctionLike(node) && "body" in node && node.body !== undefined);

/** Returns the path of the test of a source. */
const testOf = (file: string): string =>
  `test/${file.replace(/^provider\//, "").replace(/\.ts$/, ".test.ts")}`;

test("every source with code has a test of its path, except those that another test proves", () => {
  const tested = sources.filter((file) =>
    /^(resources|provider\/(engine|client)|account|review|command)\/.*(?<!\.d)\.ts$/.test(file),
  );
  const missing = tested.filter((file) => !files.includes(testOf(file)) && hasCode(file));
  expect(missing).toEqual(provenElsewhere);
});
