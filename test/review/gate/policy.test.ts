import { expect, test } from "@jest/globals";
import { profileOf } from "../../../review/gate/policy.ts";
import { policyChanges, readPolicyFolder } from "../../../review/gate/policy-folder.ts";
import { folder, waiver } from "./folder.ts";

/** Folders of a policy, and the changes of the reviewed revision in them. */

/** Returns the sentences about the differences between two folders. */
function changes(base: Record<string, string | object>, head: typeof base): string[] {
  return policyChanges(readPolicyFolder(folder("base", base)), readPolicyFolder(folder("head", head)));
}

test("an equal policy with another format has no changes", () => {
  const policy = { waivers: [waiver], profiles: { prod: { failOn: "high", manyDeletes: 3 } } };
  const { rule, ...rest } = waiver;
  const other = { profiles: { prod: { manyDeletes: 3, failOn: "high" } }, waivers: [{ ...rest, rule }] };
  expect(
    changes(
      { "kcloud-review.json": policy, "rules/a.js": "1" },
      { "kcloud-review.json": JSON.stringify(other, null, 3), "rules/a.js": "1" },
    ),
  ).toEqual([]);
});

test("every change of waivers, profiles and rules is a sentence", () => {
  expect(
    changes(
      {
        "kcloud-review.json": {
          waivers: [waiver],
          profiles: { prod: { failOn: "high" }, gone: {}, same: {} },
        },
        "rules/a.js": "1",
        "rules/gone.ts": "1",
      },
      {
        "kcloud-review.json": {
          waivers: [{ ...waiver, address: "kcloud_*", plan: "net", until: "2099-01-01" }],
          profiles: {
            prod: { failOn: "none", severity: { "NET-01": "off" } },
            same: {},
            more: { manyDeletes: 9 },
          },
        },
        "rules/a.js": "2",
        "rules/new.mjs": "1",
      },
    ),
  ).toEqual([
    'Adds a waiver of DATA-01 for "kcloud_*" of "net" by "ann" until 2099-01-01: "empty".',
    'Removes the waiver of DATA-01 for "kcloud_volume.a".',
    'Removes the profile "gone".',
    'Adds the profile "more": {"manyDeletes":9}.',
    'Changes failOn of the profile "prod" from "high" to "none".',
    'Changes severity of the profile "prod" from null to {"NET-01":"off"}.',
    'Changes the rule file "a.js".',
    'Removes the rule file "gone.ts".',
    'Adds the rule file "new.mjs".',
  ]);
});

test("a waiver cannot end on a day that does not exist", () => {
  for (const until of ["2027-02-30", "9999-99-99"])
    expect(() =>
      readPolicyFolder(folder("base", { "kcloud-review.json": { waivers: [{ ...waiver, until }] } })),
    ).toThrow("waivers.0.until: must be a date such as 2027-01-31");
});

test("names that every object inherits are not profiles", () => {
  expect(() => profileOf({ profiles: {} }, "constructor")).toThrow('unknown profile "constructor"');
  expect(
    changes(
      { "kcloud-review.json": {} },
      { "kcloud-review.json": { profiles: { constructor: { failOn: "none" } } } },
    ),
  ).toEqual(['Adds the profile "constructor": {"failOn":"none"}.']);
});
