import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { reportOf } from "../render/outputs.ts";

/** The same change, planned by each engine. */

const fixture = (name: string) => readFileSync(new URL(`../fixture/${name}`, import.meta.url), "utf8");

/** Returns the findings of a report, without engine-specific words. */
const found = (name: string) =>
  reportOf([readPlan("shop", fixture(name))]).findings.map((finding) => [
    finding.rule,
    finding.severity,
    finding.confidence,
    finding.kind,
    finding.name,
    finding.path,
  ]);

const first = found("terraform-1.16.0.json");

test.each([
  "terraform-1.11.4.json",
  "opentofu-1.12.6.json",
  "pulumi.json",
  "pulumi-events.jsonl",
  "dynamic/preview.json",
  "dynamic/events.jsonl",
])("%s has the findings of Terraform 1.16", (name) => {
  expect(found(name)).toEqual(first);
});

test("the recorded change has the findings of all its dangers", () => {
  const rules = first.map(([rule]) => rule);
  expect(new Set(rules)).toEqual(
    new Set([
      ...[
        "DATA-01",
        "DATA-02",
        "DATA-05",
        "NET-01",
        "NET-03",
        "NET-04",
        "NET-05",
        "OPS-01",
        "OPS-02",
        "OPS-03",
      ],
      ...["OPS-04", "OPS-05", "OPS-07", "PUB-01", "PUB-02", "SEC-01"],
    ]),
  );
});
