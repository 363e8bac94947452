import { expect, test } from "@jest/globals";
import { inAllWords } from "../../../provider/core/wording.ts";
import { PolicyError } from "../../../review/gate/policy.ts";
import { textOf } from "../../../review/model/sentence.ts";
import { rule, run } from "./rule-file.ts";

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
