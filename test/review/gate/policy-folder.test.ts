import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { PolicyError } from "../../../review/gate/policy.ts";
import { readPolicyFolder } from "../../../review/gate/policy-folder.ts";
import { folder, waiver } from "./folder.ts";

test("files of rules are JavaScript and TypeScript, without declarations and tests, by name", () => {
  const names = ["b.mjs", "a.ts", "c.js", "a.test.ts", "types.d.ts", "README.md"];
  const path = folder("p", Object.fromEntries(names.map((name) => [`rules/${name}`, name])));
  expect(readPolicyFolder(path).rules.map(({ text }) => text)).toEqual(["a.ts", "b.mjs", "c.js"]);
});

/** Invalid folders, each with the message. */
const wrong: readonly (readonly [string, (path: string) => void, RegExp])[] = [
  ["that is missing", (path) => rmSync(path, { recursive: true }), /p cannot be read: .*ENOENT/],
  [
    "without a policy",
    (path) => rmSync(join(path, "rules"), { recursive: true }),
    /p contains neither kcloud-review.json nor rules\/$/,
  ],
  [
    "with an unknown field",
    (path) => writeFileSync(join(path, "kcloud-review.json"), '{"waiver":[]}'),
    /Unrecognized key: "waiver"/,
  ],
  [
    "with a waiver without an owner",
    (path) =>
      writeFileSync(
        join(path, "kcloud-review.json"),
        JSON.stringify({ waivers: [{ ...waiver, owner: "" }] }),
      ),
    /waivers\.0\.owner/,
  ],
  [
    "with a waiver without a valid end",
    (path) =>
      writeFileSync(
        join(path, "kcloud-review.json"),
        JSON.stringify({ waivers: [{ ...waiver, until: "never" }] }),
      ),
    /waivers\.0\.until: must be a date such as 2027-01-31/,
  ],
  [
    "whose rule is a link",
    (path) => symlinkSync("/dev/zero", join(path, "rules/a.js")),
    /a\.js is not a regular file$/,
  ],
  [
    "with a rule file that is too large",
    (path) => writeFileSync(join(path, "rules/a.js"), "1".repeat(1024 * 1024 + 1)),
    /a\.js has more than 1048576 bytes$/,
  ],
];

test.each(wrong)("a folder %s is rejected", (_, damage, message) => {
  const path = folder("p", {});
  damage(path);
  expect(() => readPolicyFolder(path)).toThrow(PolicyError);
  expect(() => readPolicyFolder(path)).toThrow(message);
});

test("the error about an invalid policy file does not quote it", () => {
  const path = folder("p", { "kcloud-review.json": "root:x:0:0" });
  expect(() => readPolicyFolder(path)).toThrow(/kcloud-review.json is not JSON$/);
});

test.each(["a.cjs", "a.mts", "a.cts", "A.JS", "a.tsx"])(
  "a rule in the file %s is rejected, because it would not run",
  (name) => {
    const path = folder("base", { [`rules/${name}`]: "export default []" });
    expect(() => readPolicyFolder(path)).toThrow(
      new PolicyError(`${join(path, "rules", name)}: the name of a rule file must end with .js, .mjs or .ts`),
    );
  },
);

test("a link instead of the folder of rules is not followed", () => {
  const other = folder("other", { "rules/secret.js": "1" });
  const path = join(other, "../head");
  mkdirSync(path);
  symlinkSync(join(other, "rules"), join(path, "rules"));
  expect(() => readPolicyFolder(path)).toThrow(`${join(path, "rules")} is a symbolic link`);
});
