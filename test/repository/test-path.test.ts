import { expect, test } from "@jest/globals";
import ts from "typescript";
import { files, nodes, sources } from "./repository.ts";

/** Sources without a test of their path, each with the test that proves it. */
const provenElsewhere: readonly string[] = [
  // Every test of the engine opens a session.
  "provider/engine/session.ts",
  // The executable of a release, with and without a Node on PATH: `test/release/release.test.ts`.
  "review/custom-rule/node.ts",
];

/** Returns true if a source has code of its own: a function with a body. Types, constants and lists have none. */
const hasCode = (file: string): boolean =>
  nodes(file).some((node) => ts.isFunctionLike(node) && "body" in node && node.body !== undefined);

/** Returns the path of the test of a source. */
const testOf = (file: string): string =>
  `test/${file.replace(/^provider\//, "").replace(/\.ts$/, ".test.ts")}`;

test("every source with code has a test of its path, except those that another test proves", () => {
  const tested = sources.filter((file) =>
    /^(resources|provider\/(engine|client)|account|review|mcp|call|command)\/.*(?<!\.d)\.ts$/.test(file),
  );
  const missing = tested.filter((file) => !files.includes(testOf(file)) && hasCode(file));
  expect(missing).toEqual(provenElsewhere);
});
