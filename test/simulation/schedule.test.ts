import { expect, test } from "@jest/globals";
import { drawSchedule } from "./schedule.ts";

test("a schedule repeats a row only in a listing whose responses state a total", () => {
  const always = ["search_instances", "list_security_groups", "list_templates"];
  let count = 0;
  for (let seed = 0; seed < 500; seed++) {
    const { scenario, steps } = drawSchedule(String(seed), "shared");
    const { portSearchShape, bucketListShape } = scenario.cloud.assume ?? {};
    const totalled = [
      ...always,
      ...(portSearchShape === "paged" ? ["search_port"] : []),
      ...(bucketListShape === "paged" ? ["list_buckets"] : []),
    ];
    const repeated = steps.flatMap(({ faults }) => faults.filter(({ kind }) => kind === "repeated-row"));
    for (const { target } of repeated) expect(totalled).toContain(target);
    count += repeated.length;
  }
  expect(count).toBeGreaterThan(10);
});
