import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import * as z from "zod";
import { bytesOf, fitted, itemOf, restLine } from "../render/budget.ts";
import { codeSpan, renderMarkdown } from "../render/markdown.ts";
import { type SymbolStyle, verdictMark, verdictWord } from "../render/symbol.ts";
import type { Report } from "../report/report.ts";
import { onOneLine } from "../report/value.ts";
import { counted } from "../rule/fact.ts";

/**
 * Comment of a report. Its first line is a hidden marker with a digest of the stack, its last line a hidden state, with which the
 * next report is compared. Only these two lines are read, and both are written last, so that no text of a report can forge them.
 */

/** Finding in the state: the start of its fingerprint, the start of a digest of its content, and its name unless names do not fit. */
const finding = z.tuple([z.string(), z.string(), z.string().optional()]);

/** Findings of a revision; undefined if they do not fit. */
const findings = z.array(finding).optional();

const stateSchema = z.object({
  revision: z.string(),
  code: z.number(),
  /** Exit code of the review, in a report after the apply. */
  reviewCode: z.number().optional(),
  findings,
  /** The report of the revision before, with which this one is compared. */
  base: z.object({ revision: z.string(), findings }).optional(),
  /** Verdicts of the revisions, the newest first; `applied` is set for that of an apply. */
  history: z.array(z.object({ revision: z.string(), code: z.number(), applied: z.literal(true).optional() })),
});

export type CommentState = z.infer<typeof stateSchema>;
type StateFinding = z.infer<typeof finding>;

/** Comment of a report, and its state. */
export interface CommentText {
  readonly body: string;
  readonly state: CommentState;
}

export interface CommentOptions {
  readonly stack: string;
  readonly revision: string;
  /** Maximum size in bytes. */
  readonly budget: number;
  readonly reportUrl?: string | undefined;
  readonly symbols: SymbolStyle;
  /** Revision of the head of the request, if the report is of another one. */
  readonly newerHead?: string | undefined;
}

/** Number of verdicts in the list. */
const mostVerdicts = 10;

/** Maximum shares of the budget. */
const shares = { state: 1 / 4, since: 1 / 10 } as const;

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Returns the hidden marker of a stack, with which its comments begin. */
export const markerOf = (stack: string): string => `<!-- kcloud-review ${digestOf(stack).slice(0, 32)} -->`;

const anyMarker = /^<!-- kcloud-review [0-9a-f]{32} -->/;

/** Returns true for a text that begins with the marker of any stack. */
export const hasMarker = (body: string): boolean => anyMarker.test(body);

/** Returns true for the state of a comment about an apply. */
export const isOfApply = (state: CommentState | undefined): boolean => state?.reviewCode !== undefined;

/** Returns the comment of a report; `previous` is the state of the comment that it replaces. */
export function commentOf(
  report: Report,
  options: CommentOptions,
  previous: CommentState | undefined,
): CommentText {
  const { stack, revision, budget, symbols, reportUrl, newerHead } = options;
  const all = report.findings.map((one): StateFinding => {
    const { fingerprint, severity, text, waiver, rule, plan, address } = one;
    const content = digestOf(JSON.stringify([severity, text, waiver])).slice(0, 6);
    return [
      fingerprint.slice(0, 10),
      content,
      `${plan}: ${rule}${address === undefined ? "" : ` ${address}`}`,
    ];
  });
  const { applied } = report;
  const isAgain = previous?.revision === revision && isOfApply(previous) === (applied !== undefined);
  const before = isAgain
    ? previous.base
    : previous && { revision: previous.revision, findings: previous.findings };
  const { code } = report.verdict;
  // Another apply of the same revision is another entry, as after one that is not complete.
  const isRepeated = isAgain && (applied === undefined || previous.code === code);
  const older = isRepeated ? previous.history.slice(1) : (previous?.history ?? []);
  // Two lists of findings; the history needs less than the rest.
  const bytes = (budget * shares.state) / 2;
  const base = before && { ...before, findings: fittedFindings(before.findings, bytes) };
  const state: CommentState = {
    revision,
    code,
    ...(applied === undefined ? {} : { reviewCode: applied.review.code }),
    findings: fittedFindings(all, bytes),
    base,
    history: [
      { revision, code, ...(applied === undefined ? {} : { applied: true as const }) },
      ...older,
    ].slice(0, mostVerdicts),
  };
  const line = stateLine(state);
  const outdated =
    newerHead === undefined
      ? []
      : [
          `**Outdated**: this report is of ${revisionText(revision)}, and the head of the request is ${revisionText(newerHead)}.`,
          "",
        ];
  // The findings are those of the applied report.
  const since =
    base === undefined || applied !== undefined
      ? []
      : sinceLines(base, all, { budget: budget * shares.since, symbols });
  const history = historyLines(state.history, symbols);
  const marker = markerOf(stack);
  const title = `Stack ${codeSpan(onOneLine(stack).slice(0, 200))}${applied === undefined ? "" : ", applied"} at ${revisionText(revision)}.`;
  const bodyWithin = (room: number): string => {
    const [heading = "", ...rest] = renderMarkdown(report, { budget: room, reportUrl, symbols }).split("\n");
    return [marker, "", heading, "", title, "", ...outdated, ...since, ...rest, ...history, line].join("\n");
  };
  let room = budget - bytesOf([marker, "", title, "", ...outdated, ...since, ...history, line]);
  let body = bodyWithin(room);
  // The report may exceed its room by a few bytes, or by a name that it cannot omit.
  for (let rounds = 0; rounds < 3 && Buffer.byteLength(body) > budget; rounds++) {
    room -= Buffer.byteLength(body) - budget + 50;
    body = bodyWithin(room);
  }
  if (Buffer.byteLength(body) > budget)
    body = [
      ...[
        marker,
        "",
        `## ${verdictMark(code, symbols)}${verdictWord(code, applied !== undefined)}`,
        "",
        title,
        "",
        ...outdated,
      ],
      ...["The report does not fit a comment: open the full report.", "", line],
    ].join("\n");
  return { body, state };
}

const revisionText = (revision: string): string => codeSpan(revision.slice(0, 12));

/** Returns the lines about new, gone and kept findings. */
function sinceLines(
  base: NonNullable<CommentState["base"]>,
  current: readonly StateFinding[],
  { budget, symbols }: { budget: number; symbols: SymbolStyle },
): string[] {
  const heading = `### Findings since the report of ${revisionText(base.revision)}`;
  if (base.findings === undefined)
    return [heading, "", "That report has too many findings to compare them.", ""];
  const before = new Map(base.findings.map((one) => [one[0], one]));
  const after = new Map(current.map((one) => [one[0], one]));
  const added = [...after.values()].filter(([id]) => !before.has(id));
  const gone = [...before.values()].filter(([id]) => !after.has(id));
  const remaining = [...after.values()].filter(([id]) => before.has(id));
  const changed = remaining.filter(([id, content]) => before.get(id)?.[1] !== content);
  const line = `${added.length} new, ${gone.length} gone, ${remaining.length} kept${changed.length === 0 ? "" : `, of which ${changed.length} changed`}.`;
  const entries = (word: string, list: readonly StateFinding[]) =>
    list.flatMap(([, , name]) =>
      name === undefined
        ? []
        : [itemOf(`- ${word}: ${codeSpan(onOneLine(name).slice(0, 300).toWellFormed())}`, word)],
    );
  const items = [...entries("new", added), ...entries("gone", gone), ...entries("changed", changed)];
  const lists =
    items.length === 0 ? [""] : ["", ...fitted({ heading: [], items, rest: restLine(symbols) }, budget)];
  return [heading, "", line, ...lists];
}

/** Returns the verdicts of earlier revisions as a folded list; empty if there is only one. */
function historyLines(history: CommentState["history"], symbols: SymbolStyle): string[] {
  if (history.length < 2) return [];
  return [
    `<details><summary>Last ${counted(history.length, "verdict")}</summary>`,
    "",
    ...history.map(
      ({ revision, code, applied = false }) =>
        `- ${verdictMark(code, symbols)}${verdictWord(code, applied)} at ${revisionText(revision)}`,
    ),
    "",
    "</details>",
    "",
  ];
}

/**
 * Returns findings within this many bytes of a state: with their names, with their digests only, or undefined. Each list is
 * fitted alone, so that a state that is read and written again stays the same.
 */
function fittedFindings(list: CommentState["findings"], bytes: number): CommentState["findings"] {
  const forms = [list, list?.map(([id, content]): StateFinding => [id, content])];
  return forms.find((form) => form !== undefined && encoded(form).length <= bytes);
}

const encoded = (value: unknown): string => deflateRawSync(JSON.stringify(value)).toString("base64");

// Base64 has neither "-" nor ">", so that no state ends the HTML comment.
const stateLine = (state: CommentState): string => `<!-- kcloud-review-state ${encoded(state)} -->`;

const lastLine = /(?:^|\n)<!-- kcloud-review-state ([A-Za-z0-9+/=]+) -->\s*$/;

/** Maximum size of a state that is read, in bytes. */
const largestState = 16_000_000;

/** Returns the state of a comment; undefined if it has none that can be read, as after somebody edited it. */
export function stateIn(body: string): CommentState | undefined {
  const base64 = lastLine.exec(body)?.[1];
  if (base64 === undefined) return undefined;
  try {
    const text = inflateRawSync(Buffer.from(base64, "base64"), { maxOutputLength: largestState }).toString();
    return stateSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Returns true if two comments have the same text: hosts change line breaks and the space at the ends. */
export const isSameText = (one: string, other: string): boolean => normalized(one) === normalized(other);

const normalized = (text: string): string => text.replace(/\r\n?/g, "\n").trim();
