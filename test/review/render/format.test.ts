import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "@jest/globals";
import { DOMParser, type Element } from "@xmldom/xmldom";
import Ajv from "ajv-draft-04";
import fc from "fast-check";
import { marked, type Token } from "marked";
import { readPlan } from "../../../review/read/read.ts";
import { renderText } from "../../../review/render/text.ts";
import type { Report } from "../../../review/report/report.ts";
import { rehearsalOf } from "../rehearsal-of.ts";
import { outputsOf, reportOf } from "./outputs.ts";

/** Every format is well formed, and its structure does not depend on the names and values in a plan. */

const fixtures = [
  "terraform-1.16.0.json",
  "terraform-errored.json",
  "terraform-actions.json",
  "opentofu-drift.json",
  "pulumi.json",
  "dynamic/events.jsonl",
];

const read = (name: string): string => readFileSync(new URL(`../fixture/${name}`, import.meta.url), "utf8");

const reportIn = (name: string, text = read(name)): Report => reportOf([readPlan(name, text)]);

const schemaFile = createRequire(import.meta.url).resolve(
  "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json",
);

const ajv = new Ajv.default({ strict: false, validateFormats: false, unicodeRegExp: false });

const isSarif = ajv.compile(JSON.parse(readFileSync(schemaFile, "utf8")) as object);

/** Returns the elements of an XML document, each with the names of its attributes. Throws if it is not well formed. */
function elementsOf(xml: string): string[] {
  const onError = (level: string, message: string) => {
    throw new Error(`${level}: ${message}`);
  };
  const root = new DOMParser({ onError }).parseFromString(xml, "text/xml").documentElement;
  if (root === null) throw new Error("no element");
  const walk = (element: Element): string[] => [
    [element.tagName, ...[...element.attributes].map(({ name }) => name)].join(" "),
    ...[...element.childNodes].filter((node) => node.nodeType === 1).flatMap((node) => walk(node as Element)),
  ];
  return walk(root);
}

/** Returns the blocks and spans in a block or span of Markdown. */
const within = (token: Token): readonly Token[] => [
  ...("tokens" in token ? (token.tokens ?? []) : []),
  ...("items" in token ? (token.items as Token[]) : []),
  ...(token.type === "table" ? ([token.header, ...token.rows].flat() as Token[]) : []),
];

/** Returns the kinds of blocks and spans of Markdown, without plain text. */
const structureOf = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) => {
    if (token.type === "html") return [`html ${token.raw.trim()}`];
    const inner = structureOf(within(token));
    return token.type === "text" ? inner : [token.type ?? "cell", ...inner];
  });

/** Returns the plain text of Markdown, without code and links. */
const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      const inner = token.type === "link" ? [] : within(token);
      return inner.length > 0 ? plainText(inner) : token.type === "text" ? token.text : "";
    })
    .join("\n");

const count = (text: string, part: string): number => text.split(part).length - 1;

/** Control characters of a terminal, and characters that look like nothing or like a common space. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{NChar}\u2800]|(?! )\p{Zs}/u;

/** Returns the structure of every output. */
function shapesOf(report: Report): Record<string, unknown> {
  const shapes = Object.entries(outputsOf(report)).map(([format, text]) => {
    if (format.startsWith("Markdown")) {
      const tokens = marked.lexer(text);
      expect(plainText(tokens)).not.toMatch(/@\w|(?<!&)#\d|\bGH-\d|https?:\/\/|www\./i);
      return [format, structureOf(tokens)];
    }
    if (format === "html") return [format, count(text, "<")];
    if (format === "junit") return [format, elementsOf(text)];
    if (format === "annotations") return [format, text.split("\n").map((line) => /^::\w+ /.exec(line)?.[0])];
    if (format.endsWith("text")) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences of colours are control characters
      expect(text.replaceAll(/\x1b\[[\d;]*m|\n/g, "")).not.toMatch(invisible);
      return [format, undefined];
    }
    const json: unknown = JSON.parse(text);
    if (format === "sarif" && !isSarif(json)) throw new Error(ajv.errorsText(isSarif.errors));
    return [format, undefined];
  });
  return Object.fromEntries(shapes);
}

test.each(fixtures)("every output of %s is well formed", (name) => {
  const report = reportIn(name);
  const { junit = [] } = shapesOf(report) as { junit?: string[] };
  const open = report.findings.filter(({ waiver }) => waiver === undefined);
  expect(junit.filter((element) => element.startsWith("failure"))).toHaveLength(open.length);
});

const hostile = fc.oneof(
  fc.constantFrom(
    "</details></script><script>alert(1)</script>",
    "@everyone and #1, GH-2, see https://evil.example or www.evil.example",
    "![x](https://evil.example/p.png) [click](javascript:alert(1)) <https://evil.example>",
    "```\n# heading\n```\n| a | b |\n|---|---|\n`x` ``y`` $`z`$",
    "\u001b]0;title\u0007\u001b[2J\r\n::error::forged\n::set-output name=x::y",
    "]]> <!-- --> &lt; &#64; \" ' \\",
    "\u202eevil\u2066 \u200b\ufeff\u0000\ufffe\uffff\ud800",
    "\u3164\u115f\u034f\ufe0f\u{e0100}\u00a0\u3000\u2800\udc00",
    "- [ ] item\n1. item\n> quote\n---\n<b>x</b>",
  ),
  fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(..."`*_[]()<>#|@!\\\n\"'&{}~$: ax1"), minLength: 1 }),
);

test.each(["terraform-1.16.0.json", "pulumi.json"])(
  "no name or value of %s changes the structure of an output",
  (name) => {
    const withTexts = (text: string) =>
      read(name)
        .replaceAll('"cold"', () => JSON.stringify(text))
        .replaceAll(/"name": ?"orders"/g, () => `"name":${JSON.stringify(text)}`)
        .replaceAll(/kcloud_volume\.orders(?=")/g, () =>
          JSON.stringify(`kcloud_volume.orders[${JSON.stringify(text)}]`).slice(1, -1),
        );
    const expected = shapesOf(reportIn(name, withTexts("plain")));
    fc.assert(
      fc.property(hostile, (text) => {
        expect(shapesOf(reportIn(name, withTexts(text)))).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  },
  60_000,
);

test("no text of a rehearsal changes the structure of an output, or is a command of a CI system", () => {
  const name = "terraform-1.16.0.json";
  const plan = readPlan(name, read(name));
  const whole = rehearsalOf(plan);
  const [object, step] = [whole.objects[0], whole.steps[0]];
  if (object === undefined || step === undefined) throw new Error("the plan changes nothing");
  const withTexts = (text: string): Report => {
    const rehearsal = {
      ...whole,
      ...{ isComplete: false, unconfined: text, longestPath: [`a ${text}`], absent: [text] },
      ...{ assumed: [text], unknown: [text], differences: [text], secondPlan: [`a ${text}`] },
      engine: { name: "opentofu" as const, version: text },
      steps: [...whole.steps, { ...step, address: `a ${text}` }],
      objects: [
        { ...object, isInterrupted: true, assumptions: [text, "b"] },
        { ...object, address: `a ${text}`, kind: text, class: "not reached" as const },
      ],
      errors: [{ text }, { text, address: object.address }, { text, address: `a ${text}` }],
      drill: { seed: 1, runs: [{ request: text, fault: text, problem: text }] },
    };
    return reportOf([plan], undefined, [{ plan: name, rehearsal }]);
  };
  // A text in quotes is a name, which Markdown shows as code.
  const shapesIn = (report: Report) =>
    Object.entries(shapesOf(report)).map(([format, shape]) => [
      format,
      Array.isArray(shape) ? shape.filter((one) => one !== "codespan") : shape,
    ]);
  const expected = shapesIn(withTexts("plain"));
  fc.assert(
    fc.property(hostile, (text) => {
      const report = withTexts(text);
      expect(shapesIn(report)).toEqual(expected);
      expect(textsIn(report).filter((one) => invisible.test(one) || commands.test(one))).toEqual([]);
    }),
    { numRuns: 30 },
  );
}, 60_000);

/** Yields the paths of texts in JSON; of paths that differ only in the index of a list, only the first. */
function* placesOf(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value === "string") yield path;
  if (typeof value !== "object" || value === null) return;
  const seen = new Set<string>();
  for (const [name, part] of Object.entries(value))
    for (const place of placesOf(part, [...path, name])) {
      const shape = place.filter((step) => !/^\d+$/.test(step)).join("\0");
      if (!seen.has(shape)) yield place;
      seen.add(shape);
    }
}

/** Returns JSON with a text appended to the one at a path. */
function withText(json: unknown, [name = "", ...rest]: readonly string[], text: string): unknown {
  const at = json as Readonly<Record<string, unknown>>;
  const part = rest.length === 0 ? `${at[name]}${text}` : withText(at[name], rest, text);
  return Array.isArray(json) ? json.with(Number(name), part) : { ...at, [name]: part };
}

/** Commands that CI systems run if a line of a log begins with them or contains them. */
const commands = /^\s*::[a-z-]+.*::|##\w*\[/im;

// Checks the texts of the report, from which every output is made, and the output that CI systems show in their logs.
test.each([
  "terraform-1.16.0.json",
  "terraform-actions.json",
  "terraform-moved.json",
  "opentofu-drift.json",
  "pulumi.json",
  "pulumi-options.json",
])("no text in %s adds a control character or a command to a report", (name) => {
  const { planned_values, prior_state, ...json } = JSON.parse(read(name));
  const text = `\u001b[2J\u009b\u202e ${"x".repeat(100)} ::set-output name=a::0 ##[add-path]/tmp ##vso[task.complete]`;
  for (const place of placesOf(json)) {
    if (place[0] === "format_version") continue;
    const plan = { planned_values, prior_state, ...(withText(json, place, text) as object) };
    const report = reportIn(name, JSON.stringify(plan));
    const shown = [...renderText(report, { colour: false, symbols: "letter", width: 100 })].join("");
    const texts = textsIn(report);
    const hidden = [shown.replaceAll("\n", ""), ...texts].find((one) => invisible.test(one));
    const run = [shown, ...texts].find((one) => commands.test(one));
    expect([place.join("."), hidden, run]).toEqual([place.join("."), undefined, undefined]);
  }
});

/** Returns every text in JSON. */
const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

test("a name with private-use characters is shown completely", () => {
  const name = "\u{E000}tiny\u{E001}orders\u{E002}";
  for (const written of [JSON.stringify(name), '"\\ue000tiny\\ue001orders\\ue002"']) {
    const text = read("terraform-1.16.0.json").replaceAll(/"name": ?"orders"/g, () => `"name":${written}`);
    const first = reportIn("terraform-1.16.0.json", text).findings.find(
      ({ rule, address }) => rule === "DATA-01" && address === "kcloud_volume.orders",
    );
    expect(first?.text).toContain("\u{E000}tiny\u{E001}orders\u{E002}");
  }
});

test("each level of annotations has at most ten, the maximum that GitHub shows, the last with the number of the others", () => {
  const { findings, ...report } = reportIn("terraform-1.16.0.json");
  const many = Array.from({ length: 4 }, () => findings).flat();
  const lines = outputsOf({ ...report, findings: many }).annotations?.split("\n") ?? [];
  const byLevel = Map.groupBy(lines, (line) => line.split(" ")[0] ?? "");
  const open = (severity: string) => many.filter((one) => one.severity === severity).length;
  expect([open("critical") + open("high"), open("medium")]).toEqual([48, 24]);
  expect(byLevel.get("::error")?.length).toBe(10);
  expect(byLevel.get("::error")?.at(-1)).toMatch(/^::error title=39 more::(\d+ critical, )?\d+ high$/);
  expect(byLevel.get("::warning")?.length).toBe(10);
  expect(byLevel.get("::warning")?.at(-1)).toBe("::warning title=15 more::15 medium");
});

test("the name of an unknown part of an input is escaped", () => {
  const plan = { ...JSON.parse(read("terraform-1.16.0.json")), "a\u001b[2J\n\n# @everyone": 1 };
  const outputs = outputsOf(reportOf([readPlan("net", JSON.stringify(plan))]));
  expect(outputs.text).not.toContain("\u001b");
  expect(outputs["Markdown for github"]).not.toMatch(/^# /m);
});
