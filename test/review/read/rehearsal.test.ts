import { expect, test } from "@jest/globals";
import { parseRehearsal, withoutSecrets } from "../../../review/read/rehearsal.ts";
import { changeOf, planOf } from "../change-of.ts";
import { rehearsalOf } from "../rehearsal-of.ts";

const whole = rehearsalOf(planOf([changeOf("ssh-key", undefined, { name: "k" })]));
const [step] = whole.steps;
const textOf = (more: object): string => JSON.stringify({ ...whole, ...more });

test("a rehearsal is read as it was written, also with a byte-order mark", () => {
  expect(parseRehearsal(`\uFEFF${textOf({})}`)).toEqual(whole);
});

test.each([
  ["a text", "The change applies.", "is not JSON, or is truncated"],
  ["a truncated file", textOf({}).slice(0, -1), "is not JSON, or is truncated"],
  ["a list", "[]", "is not a rehearsal: kcloud rehearse --out writes one"],
  ["a plan", '{"format_version":"1.2"}', "is not a rehearsal: kcloud rehearse --out writes one"],
  [
    "another version",
    textOf({ version: 2 }),
    "is a rehearsal of version 2; this version of kcloud reads version 1",
  ],
  ["a missing part", textOf({ errors: undefined }), /^is a damaged rehearsal: errors: Invalid input/],
  ["a part that is not known", textOf({ more: 1 }), /^is a damaged rehearsal: the file: Unrecognized key/],
  [
    "several damages",
    textOf({ errors: 1, steps: [1] }),
    /^is a damaged rehearsal: steps\.0: .* \(and 1 more\)$/,
  ],
  [
    "a step that ends before it starts",
    textOf({ steps: [{ ...step, start: 2, end: 1 }] }),
    "is a damaged rehearsal: steps.0: it ends before it starts",
  ],
  [
    "a path without its step",
    textOf({ longestPath: ["x"] }),
    "is a damaged rehearsal: longestPath.0: there is no such step",
  ],
] as const)("%s is refused with its reason", (_name, text, message) => {
  expect(() => parseRehearsal(text)).toThrow(message);
});

test("credentials in texts and in addresses of no plan are removed, and long texts are cut", () => {
  const token = `ghp_${"a".repeat(36)}`;
  const texts = {
    errors: [{ address: `x["${token}"]`, text: `401 for ${token}` }],
    absent: [token],
    secondPlan: [`k["${token}"]`],
    differences: ["x".repeat(3_000)],
    drill: { seed: 1, runs: [{ request: "r", fault: "f", problem: token }] },
  };
  const clean = withoutSecrets({ ...whole, ...texts }, new Set([`k["${token}"]`]));
  expect(clean).toEqual({
    ...whole,
    errors: [{ address: 'x["***"]', text: "401 for ***" }],
    absent: ["***"],
    secondPlan: [`k["${token}"]`],
    differences: [`${"x".repeat(2_000)}… (3000 characters)`],
    drill: { seed: 1, runs: [{ request: "r", fault: "f", problem: "***" }] },
  });
});
