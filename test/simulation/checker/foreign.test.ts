import { expect, test } from "@jest/globals";
import type { Warning } from "../../../provider/core/warning.ts";
import type { Item } from "../item.ts";
import { equalInputs, isAdopted, isAskedFor, rivalInputs } from "../rival.ts";

const bucket = (inputs: Item["inputs"]): Item => ({ address: "bucket.1", resource: "bucket", inputs });
const idOf = () => undefined;

test("an object of another user equals an item whose later inputs ask for it", () => {
  const theirs = equalInputs(bucket({ name: "logs", versioning: false }), idOf) ?? {};
  const isAsked = (inputs: Item["inputs"]) => isAskedFor(bucket({ name: "logs", ...inputs }), theirs, idOf);
  expect(isAsked({ versioning: true })).toBe(false);
  expect(isAsked({ versioning: false })).toBe(true);
  expect(isAsked({})).toBe(true);
  // The API shows no description.
  expect(isAsked({ description: "of May" })).toBe(true);
  expect(isAsked({ tags: { tier: "gold" } })).toBe(false);
});

test("a policy of another user has the KRN of ours, or one that no earlier policy of ours can have had", () => {
  const krn = "krn:iam:In-Bangalore-1:default:default:policy:own-9";
  const inputs = { name: "ours-2", statements: "[]", conditions: "{}", policyKrn: krn };
  const item = { address: "account-policy.2", resource: "account-policy", inputs };
  const all = Array.from({ length: 40 }, (_, seed) => rivalInputs(item, String(seed), idOf)?.policyKrn);
  const others = all.filter((one) => one !== undefined && one !== krn);
  expect(others.length).toBeGreaterThan(0);
  expect(others.filter((one) => !/-theirs$/.test(String(one)))).toEqual([]);
});

test("an object of another user counts as adopted if it equals an item and a warning names it as the created one", () => {
  const item = bucket({ name: "logs", versioning: false });
  const theirs = equalInputs(item, idOf) ?? {};
  const other = equalInputs(bucket({ name: "logs", versioning: true }), idOf) ?? {};
  const found = { code: "found-by-search", subject: "the bucket", id: "own-1" } as const;
  const adopts = (inputs: typeof theirs | undefined, warning: Warning = found) =>
    isAdopted({ warnings: [{ address: item.address, warning }], stack: [item], idOf }, "krn:bucket:own-1", {
      foreignInputs: () => inputs,
    });
  expect(adopts(theirs)).toBe(true);
  expect(adopts(other)).toBe(false);
  expect(adopts(undefined)).toBe(false);
  expect(adopts(theirs, { ...found, id: "own-2" })).toBe(false);
  expect(adopts(theirs, { ...found, code: "adopted" })).toBe(false);
});
