import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { reviewCommand } from "../../../review/command/option.ts";
import { runCustomRules } from "../../../review/custom-rule/custom-rule.ts";
import { exitCodes } from "../../../review/gate/gate.ts";
import { parsePolicy, settingsOf } from "../../../review/gate/policy.ts";
import { readPolicyFolder } from "../../../review/gate/policy-folder.ts";
import { textOf } from "../../../review/model/sentence.ts";
import { readPlan } from "../../../review/read/read.ts";

/** The examples of docs/review.md and of examples/review. */

const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "docs/review.md"), "utf8");
const plan = readPlan("net", readFileSync(join(root, "test/review/fixture/terraform-1.16.0.json"), "utf8"));

/** Returns the first block of code of this language. */
const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "m").exec(page)?.[1] ?? "";

test("the policy of the page and that of the examples are valid", () => {
  expect(parsePolicy(block("json"), "page").waivers).toHaveLength(1);
  expect(Object.keys(readPolicyFolder(join(root, "examples/review/policy")).policy)).toContain("profiles");
});

test("the rule of the page finds the volumes that are created", async () => {
  const [rule] = await runCustomRules([{ path: "page.ts", text: block("ts") }], [plan], settingsOf({}));
  const names = (rule?.hits ?? []).map(({ change }) => change?.name);
  expect(names.toSorted()).toEqual(["orders", "queue"]);
});

test("the rule of the examples finds a volume that is too large, and no other", async () => {
  const { rules } = readPolicyFolder(join(root, "examples/review/policy"));
  const lowered = rules.map(({ path, text }) => ({ path, text: text.replace("1_000", "25") }));
  const hits = async (files: typeof rules) =>
    (await runCustomRules(files, [plan], settingsOf({}))).flatMap((rule) => rule.hits);
  expect((await hits(rules)).length).toBe(0);
  expect((await hits(lowered)).map(({ change, text }) => [change?.name, textOf(text)])).toEqual([
    ["archive", "It has 30 GB."],
  ]);
});

test("the table of the page names every exit code", () => {
  const named = [...page.matchAll(/^\| (\d) +\|/gm)].map(([, code]) => Number(code));
  expect(named).toEqual(Object.values(exitCodes));
});

test("every option on the page and in the examples is one of the command", () => {
  const texts = [
    ...["review.sh", "gitlab-ci.yml"],
    ...["pull-request.yml", "apply.yml", "action/action.yml"].map((name) => `github/${name}`),
  ].map((name) => readFileSync(join(root, "examples/review", name), "utf8"));
  const commands = [page, ...texts]
    .join("\n")
    .replaceAll("\\\n", "")
    .match(/kcloud"? review (?!--help).*/gi);
  const options = new Set(commands?.flatMap((command) => command.match(/--[a-z-]+/g) ?? []));
  expect(options.size).toBeGreaterThan(8);
  const { subcommands } = reviewCommand;
  const known = Object.keys({
    ...reviewCommand.options,
    ...subcommands.explain.options,
    ...subcommands.waive.options,
    ...subcommands.post.options,
    ...subcommands.applied.options,
  });
  expect([...options].filter((option) => !known.includes(option.slice(2)))).toEqual([]);
});
