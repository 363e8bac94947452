import { productOf } from "../model/change.ts";
import type { ReportRehearsal } from "../report/report.ts";
import { counted } from "../rule/fact.ts";
import { codeElement, escapedHtml, listOf, markOf } from "./markup.ts";
import { type Bar, hasFailed, type Timeline, type TimelineRow, timelineOf } from "./timeline.ts";

const outcomeTexts: { readonly [O in ReportRehearsal["outcome"]]: string } = {
  fails: "the apply fails",
  "does not converge": "the change applies, but a second plan is not empty",
  applies: "the change applies, and a second plan is empty",
};

/** Returns a rehearsal in two sentences, without its findings. */
export function rehearsalText(rehearsal: ReportRehearsal): string {
  const { plan, outcome, engine, engineVersion, untouched, assumed, unknown, drill } = rehearsal;
  const facts = [
    ...(untouched === 0 ? [] : [`${counted(untouched, "object")} untouched`]),
    ...(drill === undefined ? [] : [`${counted(drill.runs, "run")} with a fault`]),
    `${counted(assumed.length, "fact")} assumed`,
    ...(unknown.length === 0 ? [] : [`${counted(unknown.length, "part")} of the cloud not known`]),
  ];
  return `${plan}: ${outcomeTexts[outcome]}. Rehearsed with ${productOf[engine]} ${engineVersion}; ${facts.join(", ")}.`;
}

/** Returns the markup of an address of a plan. */
type Addresses = (plan: string, address: string) => string;

/** Returns a rehearsal as markup: the timeline of its objects as a table with bars, and lists. */
export function rehearsalContent(rehearsal: ReportRehearsal, shown: Addresses): string {
  const { plan, objects, absent, secondPlan, assumed, unknown, unconfined } = rehearsal;
  const interrupted = objects.filter(({ isInterrupted }) => isInterrupted).map(({ address }) => address);
  const lists = [
    { title: "Interrupted machines", lines: interrupted },
    { title: "Absent during a part of the apply", lines: absent },
    { title: "Changed again by a second plan", lines: secondPlan },
    { title: "Not known to the emulator", lines: unknown },
    { title: "Assumed, since no state has it", lines: assumed },
  ].filter(({ lines }) => lines.length > 0);
  return `<div class="rehearsal"><h3>${escapedHtml(rehearsalText(rehearsal))}</h3>
${unconfined === undefined ? "" : `<p class="soft">Not confined: ${escapedHtml(unconfined)}.</p>`}
${objects.length === 0 ? "" : timelineTable(timelineOf(rehearsal), plan, shown)}
${lists.map(({ title, lines }) => `<h4>${title} <span class="count">${lines.length}</span></h4>${listOf(cut(lines))}`).join("\n")}</div>`;
}

/** Maximum number of items in a list, and of names in a row. */
const [mostItems, mostNames] = [100, 3];

const cut = (lines: readonly string[]): string[] =>
  lines.length <= mostItems
    ? [...lines]
    : [...lines.slice(0, mostItems), `and ${lines.length - mostItems} more, which the JSON report has`];

function timelineTable(timeline: Timeline, plan: string, shown: Addresses): string {
  const { unit, last, rows } = timeline;
  const sharesRows = rows.some(({ objects }) => objects.length > 1);
  const notes = [
    unit === "seconds"
      ? "The durations are those of the table of measured times; the order is that of the rehearsal."
      : "Start and end are positions in the order of the rehearsal, not times.",
    "A filled bar is on the longest path, a dashed one failed.",
    ...(sharesRows ? ["Objects that are alike share a row."] : []),
  ];
  const titles = ["Object", "Outcome", `Start to end, of ${lengthOf(last, unit)}`, "Bar"];
  return `<table class="timeline"><thead><tr>${titles.map((title) => `<th scope="col">${title}</th>`).join("")}</tr></thead>
<tbody>${rows.map((row) => rowElement(row, timeline, (address) => shown(plan, address))).join("\n")}</tbody></table>
<p class="soft">${notes.join(" ")}</p>`;
}

const lengthOf = (length: number, unit: Timeline["unit"]): string =>
  `${Number(length.toFixed(1))}${unit === "seconds" ? " s" : ""}`;

type Effect = NonNullable<ReportRehearsal["objects"][number]["class"]>;

/** Signs and classes of the style. */
const effects: { readonly [E in Effect]: { readonly sign: string; readonly style: string } } = {
  created: { sign: "+", style: "create" },
  changed: { sign: "~", style: "update" },
  replaced: { sign: "±", style: "replace" },
  destroyed: { sign: "−", style: "delete" },
  failed: { sign: "✕", style: "delete" },
  "not reached": { sign: "·", style: "none" },
  untouched: { sign: "·", style: "none" },
};

function rowElement(row: TimelineRow, timeline: Timeline, shown: (address: string) => string): string {
  const { objects, bars } = row;
  const [first] = objects;
  const isOnPath = objects.some(({ isOnLongestPath }) => isOnLongestPath);
  const isFailed = objects.some(hasFailed);
  const effect = first.class ?? (isFailed ? "failed" : "changed");
  const { sign, style } = effects[effect];
  const assumptions = [...new Set(objects.flatMap((object) => object.assumptions))];
  const rest = objects.length - mostNames;
  const names = objects.slice(0, mostNames).map(({ address }) => shown(address));
  const kinds = new Set(objects.map(({ kind = "" }) => kind));
  const title =
    objects.length === 1
      ? names.join("")
      : `${objects.length} × ${kinds.size === 1 ? codeElement([...kinds].join("")) : "others"}: ${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  const notes = [
    ...(isFailed && effect !== "failed" ? ["failed"] : []),
    ...(objects.some(({ isInterrupted }) => isInterrupted) ? ["interrupted"] : []),
    ...(isOnPath ? ["longest path"] : []),
    ...(assumptions.length > 0 ? [`assumes ${assumptions.join(", ")}`] : []),
  ];
  const outcomes = new Set(objects.map((object) => object.class ?? effect));
  const outcome = outcomes.size === 1 ? effect : "different";
  return `<tr><td>${title}</td><td><span class="action ${style}">${markOf(sign)}${outcome}</span>${notes.length === 0 ? "" : ` <span class="soft">${escapedHtml(notes.join("; "))}</span>`}</td><td>${bars.length === 0 ? "no step" : bars.map((bar) => spanText(bar, bars.length > 1)).join("<br>")}</td><td>${barsElement(bars, timeline, `${style}${isOnPath ? " longest" : ""}`)}</td></tr>`;
}

/** Returns the start and the end of a step, after its action if the object has several. */
const spanText = ({ action, isFailed, from, to }: Bar, isNamed: boolean): string =>
  `${isNamed && action !== undefined ? `${action} ` : ""}${Number(from.toFixed(1))} to ${Number(to.toFixed(1))}${isFailed ? ", failed" : ""}`;

/** Width of the bars in units of their own, and the least width of one. */
const [width, leastWidth] = [1000, 8];

/** Returns the bars of a row as a drawing, which repeats the numbers of the row. */
function barsElement(bars: readonly Bar[], { first, last }: Timeline, style: string): string {
  const scale = width / Math.max(1, last - first);
  const shapes = bars.map(({ from, to, isFailed }) => {
    const length = Math.max(leastWidth, (to - from) * scale);
    const x = Math.min((from - first) * scale, width - length);
    return `<rect${isFailed ? ' class="failed"' : ""} x="${x.toFixed(0)}" y="2" width="${length.toFixed(0)}" height="12"/>`;
  });
  return shapes.length === 0
    ? ""
    : `<svg class="bars ${style}" viewBox="0 0 ${width} 16" preserveAspectRatio="none" aria-hidden="true">${shapes.join("")}</svg>`;
}
