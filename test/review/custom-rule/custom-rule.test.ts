import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { inAllWords } from "../../../provider/core/wording.ts";
import { contextJson } from "../../../review/custom-rule/context.ts";
import { describeCustomRules, runCustomRules } from "../../../review/custom-rule/custom-rule.ts";
import { decide } from "../../../review/gate/gate.ts";
import { PolicyError, settingsOf } from "../../../review/gate/policy.ts";
import { runRules } from "../../../review/gate/run.ts";
import { textOf } from "../../../review/model/sentence.ts";
import { readPlan } from "../../../review/read/read.ts";
import { renderHtml } from "../../../review/render/html.ts";
import { renderMarkdown } from "../../../review/render/markdown.ts";
import { renderText } from "../../../review/render/text.ts";
import { makeReport } from "../../../review/report/make.ts";
import { canary } from "../change.ts";

/** Rules of a policy, each file in a separate process. */

const fixture = (name: string): string => readFileSync(join(import.meta.dirname, "../fixture", name), "utf8");
const terraform = readPlan("tf", fixture("terraform-1.16.0.json"));
const pulumi = readPlan("pulumi", fixture("pulumi.json"));
const settings = settingsOf({});

const run = (text: string, limit?: number, path = "rules/acme.js") =>
  runCustomRules([{ path, text }], [terraform, pulumi], settings, limit);

/** Returns the text of a rule file whose one rule has this body of `check`. */
const rule = (body: string, other = ""): string => `import * as review from "@kcloud/iac/review";
export default { id: "ACME-01", title: "Title", severity: "high", confidence: "proven", about: "About.", remedy: "Remedy.", ${other}
  check(context) { ${body} } };`;

test("one TypeScript rule finds the same change in a plan of Terraform and in one of Pulumi", async () => {
  const text = `
import { type Change, defineRule, differencesOf } from "@kcloud/iac/review";
const grows = (change: Change): boolean => differencesOf(change).some(({ path }) => path[0] === "sizeGb");
export default defineRule({
  id: "ACME-01", title: "A volume grows", severity: "low", confidence: "proven", about: "It costs more.", remedy: "Ask for the budget.",
  check: ({ changes }) => changes.filter((change) => change.kind === "volume" && change.action === "update" && grows(change))
    .map((change) => ({ change, path: ["sizeGb"], text: \`It grows to \${change.after?.sizeGb} GB.\` })),
});`;
  const [found] = await run(text, undefined, "rules/acme.ts");
  const hits = found?.hits ?? [];
  expect(hits.map(({ change, text: found }) => [change?.plan, change?.name, textOf(found)])).toEqual([
    ["tf", "archive", "It grows to 30 GB."],
    ["pulumi", "archive", "It grows to 30 GB."],
  ]);
});

test("a rule gets plans, relations and settings, and only the existence of sensitive values", async () => {
  const [found] = await run(
    rule(`
    const machine = context.changes.find(({ plan, name }) => plan === "tf" && name === "machine");
    const shop = context.changes.find(({ plan, name }) => plan === "tf" && name === "orders");
    const isHidden = machine.after.userData === review.SENSITIVE;
    const unknown = shop.after.id === review.UNKNOWN;
    return [{ plan: "tf", text: JSON.stringify([context.plans.length, isHidden, unknown, machine.action, shop.action,
      review.destroys(shop), review.creates(shop), review.severities, context.settings.manyDeletes]) }];`),
  );
  const [hit] = found?.hits ?? [];
  const [plans, isHidden, unknown, ...rest] = JSON.parse(
    hit === undefined ? "[]" : inAllWords(textOf(hit.text)),
  );
  expect([plans, isHidden, unknown]).toEqual([2, true, true]);
  expect(rest.slice(0, 6)).toEqual([
    "replace",
    "replace",
    true,
    true,
    ["critical", "high", "medium", "low"],
    settings.manyDeletes,
  ]);
  const json = contextJson([terraform, pulumi], settings);
  expect(json).toContain("userData");
  expect(json).not.toContain(canary);
});

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

test("an endless rule is stopped, and the error names it", async () => {
  await expect(run(rule("for (;;) ;"), 1_000)).rejects.toThrow(
    "rules/acme.js: ACME-01 did not finish within 1 s",
  );
  await expect(run("for (;;) ;", 1_000)).rejects.toThrow("rules/acme.js did not finish within 1 s");
});

test("a rule that exceeds the memory limit is stopped, and the error names it", async () => {
  const fill = "const all = []; for (;;) all.push(new Array(100000).fill(0).map(() => ({})));";
  await expect(run(rule(fill), 60_000)).rejects.toThrow(/^rules\/acme\.js: ACME-01 needs more than \d+ MB$/);
});

/** Rules that exceed a limit, each with the error after the name of the file. */
const excessive: readonly (readonly [string, string, RegExp])[] = [
  [
    "fills buffers, which are outside of the heap",
    rule("const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1));"),
    /^: ACME-01 needs more than \d+ MB$/,
  ],
  [
    "makes the runtime allocate memory",
    rule('JSON.parse("[".repeat(3e8)); return []'),
    /^: ACME-01 (needs more than \d+ MB|did not finish within 10 s)$/,
  ],
  [
    "generates hits without an end",
    rule('for (;;) yield { plan: "tf", text: "x" };').replace("check(", "*check("),
    /^: ACME-01: check returned more than 100000 hits$/,
  ],
  [
    "returns too many hits",
    rule('return Array.from({ length: 100_001 }, () => ({ plan: "tf", text: "x" }))'),
    /^: ACME-01: check returned more than 100000 hits$/,
  ],
  [
    "returns too many hits, and removes the limit of its own context",
    `${rule("return []")} JSON.stringify = (one) => Array.isArray(one) && one.length === 0 ? "[" + Array(100_001).fill('{"plan":"tf","text":"x"}') + "]"
       : '[{"id":"ACME-01","title":"T","severity":"low","confidence":"proven","about":"A.","remedy":"R."}]'`,
    /^: ACME-01 must return rules and hits: 0\.hits: Too big/,
  ],
  [
    "returns a text of 2,001 characters",
    rule('return [{ plan: "tf", text: "x".repeat(2_001) }]'),
    /^: ACME-01 must return rules and hits: 0\.hits\.0\.text: Too big/,
  ],
  [
    "returns a text of 100 MB",
    rule('return [{ plan: "tf", text: "x".repeat(1e8) }]'),
    /^: ACME-01 (wrote more than 67108864 bytes|needs more than \d+ MB)$/,
  ],
  [
    "returns a path of a million steps",
    rule('return [{ plan: "tf", text: "x", path: Array(1e6).fill("a") }]'),
    /^: ACME-01 must return rules and hits: 0\.hits\.0\.path: Too big/,
  ],
  [
    "returns thousands of invalid hits",
    rule("return Array(50_000).fill({})"),
    /^: ACME-01 must return rules and hits: (0\.hits\.\d\.text: [^;]+; ){3}and 49997 more$/,
  ],
  [
    "has an id of 100 MB",
    rule("return []").replace('"ACME-01"', '"X".repeat(1e8)'),
    /^(: X{64})? (wrote|needs) more than/,
  ],
  ["throws a text of 200 MB", rule('throw "x".repeat(2e8)'), /^: ACME-01 (wrote|needs) more than/],
  [
    "throws an error whose message never ends",
    rule("throw { toString() { for (;;); } }"),
    /^: ACME-01 did not finish/,
  ],
  [
    "rejects a promise",
    rule('Promise.reject(new TypeError("late")); return []'),
    /^: ACME-01: TypeError: late$/,
  ],
  [
    "continues after its result",
    rule("const next = () => Promise.resolve().then(next); next(); return []"),
    /^: ACME-01 (did not finish within 10 s|needs more than \d+ MB)$/,
  ],
];

test.each(excessive)(
  "the error about a rule that %s names file and rule",
  async (_, text, message) => {
    const failed = await run(text, 10_000).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(PolicyError);
    const said = (failed as Error).message;
    expect(said.slice(0, 13)).toBe("rules/acme.js");
    expect(said.slice(13)).toMatch(message);
    expect(said.length).toBeLessThan(1_000);
  },
  60_000,
);

test("a rule reaches no clock, no shared memory and nothing of the garbage collector by any property", async () => {
  const [found] = await run(
    rule(`const seen = new Set();
    const queue = [globalThis, review, context, async function () {}, function* () {}, async function* () {}, [].values(), /a/[Symbol.matchAll]("a")];
    for (const one of queue) {
      if (one === null || !/object|function/.test(typeof one) || seen.has(one)) continue;
      seen.add(one);
      queue.push(Reflect.getPrototypeOf(one));
      for (const key of Reflect.ownKeys(one)) {
        const { value, get, set } = Reflect.getOwnPropertyDescriptor(one, key);
        queue.push(value, get, set);
      }
    }
    const names = [...seen].filter((one) => typeof one === "function").map(({ name }) => name);
    const wrong = /^(Date|now|random|Shared|Atomics|WeakRef|Finalization|Intl|Temporal|WebAssembly|Worker|process|require|fetch)/;
    return [{ plan: "tf", text: JSON.stringify([names.length, names.filter((name) => wrong.test(name))]) }];`),
  );
  const [count, wrong] = JSON.parse(inAllWords(textOf(found?.hits[0]?.text ?? { parts: [] })));
  expect(count).toBeGreaterThan(300);
  expect(wrong).toEqual([]);
});

test("100,000 hits are within the limit", async () => {
  const [found] = await run(rule('return Array(100_000).fill({ plan: "tf", text: "x" })'));
  expect(found?.hits.length).toBe(100_000);
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

test("one file does not affect the next one", async () => {
  const files = [
    {
      path: "a.js",
      text: `Array.prototype.map = () => []; Object.prototype.plan = "x"; ${rule("return []")}`,
    },
    { path: "b.js", text: rule('return [{ plan: "tf", text: "b" }]').replace("ACME-01", "ACME-02") },
  ];
  const second = (await runCustomRules(files, [terraform], settings)).at(-1);
  const found = (second?.hits ?? []).map(({ plan, text }) => [plan, textOf(text)]);
  expect(found).toEqual([["tf", "b"]]);
});

test("texts of a rule are escaped in every output", async () => {
  const hostile = "<script>\\u001b[31m @someone #12 ``` | </details> \\u202e";
  const text = `export default { id: "ACME-01", title: "${hostile}", severity: "high", confidence: "proven", about: "${hostile}", remedy: "${hostile}",
    check: () => [{ plan: "tf", text: "${hostile}" }] };`;
  const custom = await run(text);
  const plans = [terraform];
  const draft = makeReport(plans, { results: runRules(plans, settings, custom) });
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
