import { expect, test } from "@jest/globals";
import type { Warning } from "../../../provider/core/warning.ts";
import type { Item } from "../item.ts";
import { equalInputs, isAskedFor, isTaken, rivalInputs } from "../rival.ts";

const bucket = (inputs: Item["inputs"]): Item => ({ address: "bucket.1", resource: "bucket", inputs });
const idOf = () => undefined;

test("a stranger's object equals an item whose later inputs ask for it", () => {
  const theirs = equalInputs(bucket({ name: "logs", versioning: false }), idOf) ?? {};
  const isAsked = (inputs: Item["inputs"]) => isAskedFor(bucket({ name: "logs", ...inputs }), theirs, idOf);
  expect(isAsked({ versioning: true })).toBe(false);
  expect(isAsked({ versioning: false })).toBe(true);
  expect(isAsked({})).toBe(true);
  // The API shows no description.
  expect(isAsked({ description: "of May" })).toBe(true);
  expect(isAsked({ tags: { tier: "gold" } })).toBe(false);
});

test("a stranger's policy has the KRN of ours, or one that no earlier policy of ours can have had", () => {
  const krn = "krn:iam:In-Bangalore-1:default:default:policy:own-9";
  const inputs = { name: "ours-2", statements: "[]", conditions: "{}", policyKrn: krn };
  const item = { address: "account-policy.2", resource: "account-policy", inputs };
  const all = Array.from({ length: 40 }, (_, seed) => rivalInputs(item, String(seed), idOf)?.policyKrn);
  const others = all.filter((one) => one !== undefined && one !== krn);
  expect(others.length).toBeGreaterThan(0);
  expect(others.filter((one) => !/-theirs$/.test(String(one)))).toEqual([]);
});

test("a stranger's object is taken if it equals an item, and a warning names it as the one just made", () => {
  const item = bucket({ name: "logs", versioning: false });
  const theirs = equalInputs(item, idOf) ?? {};
  const other = equalInputs(bucket({ name: "logs", versioning: true }), idOf) ?? {};
  const found = { code: "found-by-search", subject: "the bucket", id: "own-1" } as const;
  const takes = (inputs: typeof theirs | undefined, warning: Warning = found) =>
    isTaken({ warnings: [{ address: item.address, warning }], stack: [item], idOf }, "krn:bucket:own-1", {
      foreignInputs: () => inputs,
    });
  expect(takes(theirs)).toBe(true);
  expect(takes(other)).toBe(false);
  expect(takes(undefined)).toBe(false);
  expect(takes(theirs, { ...found, id: "own-2" })).toBe(false);
  expect(takes(theirs, { ...found, code: "adopted" })).toBe(false);
});
