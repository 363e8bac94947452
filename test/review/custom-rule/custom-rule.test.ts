import { expect, test } from "@jest/globals";
import { describeCustomRules, runCustomRules } from "../../../review/custom-rule/custom-rule.ts";
import { decide } from "../../../review/gate/gate.ts";
import { PolicyError } from "../../../review/gate/policy.ts";
import { runRules } from "../../../review/gate/run.ts";
import { renderHtml } from "../../../review/render/html.ts";
import { renderMarkdown } from "../../../review/render/markdown.ts";
import { renderText } from "../../../review/render/text.ts";
import { makeReport } from "../../../review/report/make.ts";
import { rule, run, settings, terraform } from "./rule-file.ts";

/** Rules of a policy, each file in a separate process. */

/** Invalid files, each with the error after the name of the file. */
const wrong: readonly (readonly [string, string, RegExp])[] = [
  ["is truncated", "export default {", /^: SyntaxError/],
  ["imports a module of Node", 'import "node:fs"; export default [];', /imports "node:fs"/],
  ["imports another file", 'import "./other.js"; export default [];', /imports ".\/other.js"/],
  ["imports dynamically", 'await import("node:fs"); export default [];', /imports "node:fs"/],
  ["throws while it is loaded", 'throw new Error("no")', /^: Error: no$/],
  ["throws a value without a message", "throw null", /^: null$/],
  ["has no rule", "export default 3", /must be a rule, or a list of rules/],
  ["has no default export", "export const x = 1", /must be a rule, or a list of rules/],
  ["never ends its top level", "await new Promise(() => {}); export default []", /ended without a result/],
  ["throws in a check", rule('throw new TypeError("bad")'), /^: ACME-01: TypeError: bad$/],
  ["returns a value that is not a list", rule("return 1"), /^: ACME-01: check must return a list of hits$/],
  ["returns a promise", rule("return Promise.resolve([])"), /^: ACME-01: check must return a list of hits$/],
  ["returns hits without text", rule('return [{ plan: "tf" }]'), /0\.hits\.0\.text/],
  [
    "returns a hit with an unknown field",
    rule('return [{ plan: "tf", text: "x", html: "y" }]'),
    /Unrecognized key: "html"/,
  ],
  ["names no plan", rule('return [{ text: "x" }]'), /neither a change nor the name of a plan/],
  [
    "names an unknown plan",
    rule('return [{ plan: "x", text: "x" }]'),
    /neither a change nor the name of a plan/,
  ],
  [
    "returns a change that is not in the context",
    rule('return [{ change: {}, text: "x" }]'),
    /not one of context.changes/,
  ],
  [
    "writes to a change",
    rule('context.changes[0].action = "none"; return []'),
    /^: ACME-01: TypeError: Cannot assign/,
  ],
  ["adds to the list", rule("context.changes.push(1); return []"), /^: ACME-01: TypeError: Cannot add/],
  ["reads the environment", rule("return [process.env]"), /process is not defined/],
  ["prints", rule("console.log(1); return []"), /console is not defined/],
  ["reads the time", rule("return [new Date()]"), /Date is not defined/],
  ["formats the time", rule("return [new Intl.DateTimeFormat().format()]"), /Intl is not defined/],
  ["draws a random number", rule("return [Math.random()]"), /Math.random is not a function/],
  ["sends a request", rule('fetch("http://127.0.0.1"); return []'), /fetch is not defined/],
  ["waits", rule("setTimeout(() => {}, 1); return []"), /setTimeout is not defined/],
  ["compiles code from a text", rule('return [eval("1")]'), /Code generation from strings disallowed/],
  [
    "compiles code through an error of an import",
    'try { await import("node:fs") } catch (error) { error.constructor.constructor("return process")() }',
    /Code generation from strings disallowed/,
  ],
  [
    "has an id of a built-in family",
    rule("return []").replace("ACME-01", "DATA-77"),
    /DATA-77 begins with DATA-/,
  ],
  ["has an invalid id", rule("return []").replace("ACME-01", "acme"), /must be capital letters/],
  ["has an unknown severity", rule("return []").replace('"high"', '"fatal"'), /0\.rule\.severity/],
  ["has unknown fields", rule("return []", "weight: 1,"), /Unrecognized key: "weight"/],
  ["has TypeScript in JavaScript", "const x: number = 1; export default []", /SyntaxError/],
];

test.each(wrong)("the error about a file that %s names the file", async (_, text, message) => {
  const failed = await run(text).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(PolicyError);
  const said = (failed as Error).message;
  expect(said.slice(0, 13)).toBe("rules/acme.js");
  expect(said.slice(13)).toMatch(message);
});

test("rules are described without a plan, and the error about an invalid file names the file", async () => {
  const text = rule("return [{ plan: context.plans[0].name, text: context.changes[0].address }]");
  const described = await describeCustomRules([{ path: "a.js", text }]);
  expect(described.map(({ rule: { id, title } }) => [id, title])).toEqual([["ACME-01", "Title"]]);
  await expect(describeCustomRules([{ path: "b.js", text: "throw 1" }])).rejects.toThrow("b.js: 1");
});

test("two files cannot have the same id", async () => {
  const files = ["a.js", "b.js"].map((path) => ({ path, text: rule("return []") }));
  await expect(runCustomRules(files, [terraform], settings)).rejects.toThrow(
    "b.js: ACME-01 is the id of another rule, in a.js",
  );
});

test("texts of a rule are escaped in every output", async () => {
  const hostile = "<script>\\u001b[31m @someone #12 ``` | </details> \\u202e";
  const text = `export default { id: "ACME-01", title: "${hostile}", severity: "high", confidence: "proven", about: "${hostile}", remedy: "${hostile}",
    check: () => [{ plan: "tf", text: "${hostile}" }] };`;
  const custom = await run(text);
  const plans = [terraform];
  const draft = makeReport(plans, { results: runRules(plans, settings, { custom }) });
  const report = decide(draft, { policy: {}, profile: {}, failOn: "critical", today: "2027-01-01" });
  expect(report.findings.filter(({ rule: id }) => id === "ACME-01")).toHaveLength(1);
  const outputs = [
    [...renderText(report, { colour: false, symbols: "letter", width: 100 })].join(""),
    renderMarkdown(report, { budget: 60_000, reportUrl: undefined, symbols: "letter" }),
    [...renderHtml(report)].join(""),
  ];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not occur.
  for (const output of outputs) expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  for (const output of outputs.slice(1)) expect(output).not.toMatch(/<script> |<script>\\/);
  expect(outputs[1]).not.toMatch(/<script>|<\/details> |@someone|[^&]#12/);
  // A fence of the report itself is the only text of its line.
  expect(outputs[1]).not.toMatch(/[^\n]```|```(?!diff$|$)/m);
});
