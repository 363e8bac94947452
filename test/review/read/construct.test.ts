import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { withConstructs } from "../../../review/read/construct.ts";
import { readPlan, UnreadableError } from "../../../review/read/read.ts";
import { synthesized } from "../../support/engine/cdktf.ts";
import { after } from "../change.ts";
import { reportOf } from "../render/outputs.ts";

/** Constructs and source lines of CDKTF and CDKTN programs, in the plan of the same change. */

const plan = readPlan(
  "shop",
  readFileSync(new URL("../fixture/terraform-1.16.0.json", import.meta.url), "utf8"),
);

test.each(["cdktf", "cdktn"] as const)(
  "objects of a program of %s have their constructs",
  async (flavour) => {
    const text = await synthesized(flavour, after);
    const { changes } = reportOf([withConstructs(plan, text)]);
    const placed = changes.filter(({ action }) => action !== "delete");
    expect(placed.length).toBeGreaterThan(0);
    for (const { parents } of placed) expect(parents).toEqual(["stack"]);
  },
);

const programWith = (stackTrace: readonly string[]): string =>
  JSON.stringify({
    "//": { metadata: { stackName: "shop" } },
    resource: {
      kcloud_volume: { orders: { "//": { metadata: { path: "shop/data/orders", stackTrace } } } },
    },
  });

test("a stack trace gives the line of the program, not that of a library", () => {
  const text = programWith([
    "new TerraformElement (/program/node_modules/cdktf/lib/terraform-element.js:25:19)",
    "new Outside (/usr/lib/a.js:1:1)",
    "new Shop (/program/stacks/shop.ts:12:5)",
    "/program/main.ts:3:1",
  ]);
  const { findings, changes } = reportOf([withConstructs(plan, text, "/program")]);
  const source = { file: "stacks/shop.ts", line: 12 };
  expect(changes.find(({ address }) => address === "kcloud_volume.orders")).toMatchObject({
    parents: ["shop", "data"],
    source,
  });
  expect(findings.find(({ address }) => address === "kcloud_volume.orders")).toMatchObject({ source });
});

test.each(["{", "[]", "{}", '{"resource":{}}'])("%s is not a configuration of a program", (text) => {
  expect(() => withConstructs(plan, text)).toThrow(UnreadableError);
});
