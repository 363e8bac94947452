import { createHash } from "node:crypto";
import type { Report, ReportChange, ReportFinding, ReportSecurityGroup } from "../report/report.ts";
import { severities } from "../rule/rule.ts";
import { appliedContent } from "./applied.ts";
import { coverageNotes } from "./approval.ts";
import {
  effectText,
  formatsOf,
  innerLines,
  messagesOf,
  nothing,
  partsOf,
  placeOf,
  providerText,
  relocated,
  shownText,
  sinceEntries,
  unchangedSince,
  unknownParts,
  unknownPartsOf,
} from "./fold.ts";
import { changeParts, listParts } from "./json.ts";
import { codeElement, escapedHtml, listOf, markOf } from "./markup.ts";
import { constants } from "./page/constant.ts";
import type { PageChange, PageData, PageFinding } from "./page/data.ts";
import { rehearsalContent } from "./rehearsal.ts";
import { openingOf, partialNote, ruleSigns } from "./rule-table.ts";
import { actionMark, signsOf, verdictWord } from "./symbol.ts";

/**
 * Returns the report as one HTML file, in parts. The file loads nothing: its content-security policy allows only its inline
 * style and script. The markup contains the verdict, the findings and the destroyed objects; the script renders the changes
 * from JSON. Severities and actions are always words with letters as marks, without emoji.
 */
export function* renderHtml(report: Report): Generator<string> {
  const { verdict, applied } = report;
  const title = applied === undefined ? "Review of planned changes" : "Report after the apply";
  const { script, style } = pageTexts();
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`;
  const sections = pageSections(report);
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapedHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${verdictWord(verdict.code, applied !== undefined)}: ${title.toLowerCase()}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${title}</h1>
${verdictBlock(report)}
${factList(report)}
<nav aria-label="Sections">${sections.map(({ id, title, count }) => `<span><a href="#${id}">${title}</a>${countOf(count)}</span>`).join("\n")}</nav>
</header>
<main>
${sections.map(sectionOf).join("\n")}
</main>
<div id="copy-status" class="copy-status" role="status"></div>
<script type="application/json" id="report">`;
  // Escapes `<`, so that the data cannot close the script element.
  for (const part of dataOf(report)) yield part.replaceAll("<", "\\u003c");
  yield `</script>
<script>${script}</script>
</body>
</html>
`;
}

let texts: ReturnType<typeof constants> | undefined;

/** Returns the script and the style of the page. */
const pageTexts = (): ReturnType<typeof constants> => {
  texts ??= constants();
  return texts;
};

/** Returns a sentence with names as they are, in quotes. */
const plainNames = (sentence: string): string =>
  sentence.includes("\\")
    ? partsOf(sentence)
        .map(({ text, isName }) => (isName ? `"${text}"` : text))
        .join("")
    : sentence;
const countOf = (count: number | undefined): string =>
  count === undefined ? "" : ` <span class="count">${count}</span>`;

/** Collapsible section of the page. */
interface PageSection {
  /** Fragment of links to the section. */
  readonly id: string;
  readonly title: string;
  readonly count?: number;
  /** Markup; a section with empty content is omitted. */
  readonly content: string;
  readonly isFolded?: boolean;
}

const sectionOf = ({ id, title, count, content, isFolded }: PageSection): string =>
  `<details class="section" id="${id}"${isFolded ? "" : " open"}><summary><h2>${title}${countOf(count)}</h2></summary>
${content}
</details>`;

function pageSections(report: Report): PageSection[] {
  const { policyChanges, findings, changes, drift, outputs, invocations, plans } = report;
  const since = sinceEntries(report);
  const moved = relocated(report);
  const { shown, quiet } = messagesOf(report);
  const messages = [
    ...shown.map(({ plan, level, text }) => `${level} of ${plan}: ${text}`),
    ...(quiet === 0 ? [] : [`${quiet} more of level info`]),
  ];
  const destroyed = changes.filter(({ action }) => action === "delete" || action === "replace");
  const list = (id: string, title: string, lines: readonly string[]): PageSection => ({
    id,
    title,
    count: lines.length,
    content: listOf(lines),
  });
  return [
    {
      id: "applied",
      title: "Apply",
      content: report.applied === undefined ? "" : appliedContent(report.applied, addressesIn(report)),
    },
    { id: "policy", title: "This revision changes the policy", content: policyContent(policyChanges) },
    {
      id: "since",
      title: "Since the last report",
      content:
        since?.length === 0
          ? `<p>${unchangedSince}</p>`
          : listOf((since ?? []).map(({ word, name }) => `${word}: ${name}`)),
    },
    { id: "findings", title: "Findings", count: findings.length, content: findingContent(report) },
    {
      id: "rehearsal",
      title: "Rehearsal",
      content: (report.rehearsals ?? []).map((one) => rehearsalContent(one, addressesIn(report))).join("\n"),
    },
    {
      id: "destroyed",
      title: "Deleted and replaced",
      count: destroyed.length,
      content: destroyedContent(destroyed, addressesIn(report)),
      isFolded: destroyed.length > mostOpen,
    },
    {
      id: "security-groups",
      title: "Rules of security groups",
      content: ruleContent(report),
      isFolded: (report.securityGroups ?? []).length > mostOpenGroups,
    },
    { id: "planned", title: "Changes", count: changes.length, content: changeContent(report) },
    {
      id: "references",
      title: "References between objects",
      content: pictureContent(report),
      isFolded: true,
    },
    list(
      "moved",
      "Moved and imported",
      moved.map(({ address, previousAddress, importedId }) =>
        previousAddress === undefined
          ? `${address} imported from ${importedId}`
          : `${previousAddress} → ${address}`,
      ),
    ),
    list(
      "drift",
      "Drift",
      drift.map(({ plan, kind, name, count, guess }) => `${plan}: ${count} × ${kind} ${name}. ${guess}`),
    ),
    list(
      "outputs",
      "Outputs",
      outputs.map(({ plan, name, before, after, inner }) =>
        inner === undefined
          ? `${plan} ${name}: ${shownText(before)} → ${shownText(after)}`
          : [`${plan} ${name}${formatsOf(inner)}:`, ...innerLines(inner, signsOf("letter"), shownText)].join(
              "\n",
            ),
      ),
    ),
    list("effects", "Other effects of the apply", invocations.map(effectText)),
    list("providers", "Providers", (report.providers ?? []).map(providerText)),
    list("messages", "Messages of the engine", messages),
    list("unknown", unknownParts, unknownPartsOf(plans)),
    { id: "plans", title: "Plans", count: plans.length, content: planContent(report), isFolded: true },
    { id: "approval", title: "Approval", content: approvalContent(report) },
  ].filter(({ content }) => content !== "");
}

function verdictBlock({ verdict: { code, line, reasons }, applied }: Report): string {
  const kind = code === 0 ? "passed" : code === 3 || code === 7 ? "blocked" : "unreviewable";
  // The section about the apply has what to do next.
  const shown = applied === undefined ? reasons : applied.plans.flatMap(({ problems }) => problems);
  return `<div class="verdict ${kind}"><strong>${verdictWord(code, applied !== undefined)}</strong>${escapedHtml(line)}${listOf(shown)}</div>`;
}

/** Returns the counts of actions and findings, each as a link that filters the changes. */
function factList({ counts, findings, changes }: Report): string {
  const chip = (kind: string, field: string, count: number) =>
    `<a class="chip ${kind}" href="#${field}=${kind}"><b>${count}</b>${kind}</a>`;
  const actions = (["create", "update", "replace", "delete", "forget"] as const).filter(
    (name) => counts[name] > 0,
  );
  const found = severities
    .map((severity) => ({ severity, count: findings.filter((one) => one.severity === severity).length }))
    .filter(({ count }) => count > 0);
  const fact = (title: string, chips: readonly string[]) =>
    chips.length === 0 ? "" : `<div><dt>${title}</dt><dd>${chips.join("")}</dd></div>`;
  const facts = [
    fact(
      "Changes by action",
      actions.map((name) => chip(name, "action", counts[name])),
    ),
    fact(
      "Findings by severity",
      changes.length === 0 ? [] : found.map(({ severity, count }) => chip(severity, "finding", count)),
    ),
  ].join("");
  return facts === "" ? "" : `<dl class="facts">${facts}</dl>`;
}

const policyContent = ({ trusted, lines }: Report["policyChanges"]): string =>
  lines.length === 0
    ? ""
    : `<p>${trusted ? "The changes apply." : "The changes do not apply until they are merged."}</p>${listOf(lines)}`;

/** Maximum number of objects in the markup of one rule, and of destroyed objects; the filter finds the others. */
const [mostHits, mostDestroyed] = [100, 2_000];
/** Numbers of destroyed objects and of security groups above which their section is initially closed. */
const [mostOpen, mostOpenGroups] = [20, 5];

/** Returns the findings by rule, each with its objects. */
function findingContent(report: Report): string {
  const { findings } = report;
  const shown = addressesIn(report);
  const groups = Map.groupBy(findings, ({ rule, severity, title, confidence }) =>
    JSON.stringify([rule, severity, title, confidence]),
  );
  return [...groups.values()].map((group) => groupOf(group, shown)).join("\n");
}

function groupOf(group: readonly ReportFinding[], shown: Addresses): string {
  const [first] = group;
  if (first === undefined) return "";
  const { rule, severity, title, confidence } = first;
  const certainty = confidence === "proven" ? "" : ` <span class="soft">${confidence}</span>`;
  const remedies = new Set(group.map(({ remedy }) => remedy));
  const isCommon = remedies.size === 1;
  const rest = group.length - mostHits;
  const hits = group.slice(0, mostHits).map((finding) => hitOf(finding, shown, isCommon));
  const more =
    rest > 0
      ? `<li><a href="#${new URLSearchParams({ finding: rule })}">and ${rest} more</a>; filter the changes to find them</li>`
      : "";
  return `<div class="group">
<h3><span class="badge ${severity}">${severity}</span><span class="soft">${escapedHtml(rule)}</span>${escapedHtml(title)}${certainty}${group.length > 1 ? countOf(group.length) : ""}</h3>
<ul>${hits.join("\n")}${more}</ul>
${isCommon ? `<p class="remedy">${escapedHtml(first.remedy)}</p>` : ""}
<details class="fold" data-rule="${escapedHtml(rule)}"><summary>Commands</summary>${command(`kcloud review explain ${rule}`)}</details>
</div>`;
}

function hitOf(finding: ReportFinding, shown: Addresses, isCommon: boolean): string {
  const { plan, address, text, source, waiver, remedy } = finding;
  const subject = address === undefined || address === plan ? "" : shown(plan, address);
  const where = source === undefined ? "" : codeElement(`${source.file}:${source.line}`);
  const lead = subject === "" && where === "" ? "" : `<div>${subject} ${where}</div>`;
  const waived =
    waiver === undefined
      ? ""
      : ` <span class="soft">Waived by ${escapedHtml(waiver.owner)} until ${escapedHtml(waiver.until)}: ${escapedHtml(waiver.reason)}</span>`;
  const advice = isCommon ? "" : ` <span class="soft">${escapedHtml(remedy)}</span>`;
  return `<li>${lead}<div>${escapedHtml(plainNames(text))}${advice}${waived}</div></li>`;
}

/** Returns the markup of an address of a plan. */
type Addresses = (plan: string, address: string) => string;

/**
 * Returns a function that formats an address as a link to its change, if there is one, with the name of its plan if there are
 * several.
 */
function addressesIn({ plans, changes }: Report): Addresses {
  let linked: ReadonlySet<string> | undefined;
  return (plan, address) => {
    linked ??= new Set(changes.map((change) => `${change.plan} ${change.address}`));
    const label = plans.length > 1 ? placeOf(plan, address) : address;
    const target = new URLSearchParams({ plan, change: address }).toString();
    return linked.has(`${plan} ${address}`)
      ? `<a class="code" href="#${escapedHtml(target)}">${escapedHtml(label)}</a>`
      : codeElement(label);
  };
}

/** Returns a command in a container, to which the script adds a copy button. */
const command = (text: string): string => `<div class="command">${codeElement(text)}</div>`;

function destroyedContent(destroyed: readonly ReportChange[], shown: Addresses): string {
  if (destroyed.length === 0) return "";
  const rest = destroyed.length - mostDestroyed;
  const rows = destroyed
    .slice(0, mostDestroyed)
    .map(
      ({ plan, action, kind, name, id, address }) =>
        `<tr><td class="action ${action}">${markOf(actionMark(action, "letter"))}${action}</td><td>${shown(plan, address)}</td><td>${escapedHtml(kind)}${name === undefined ? "" : ` ${codeElement(name)}`}${id === undefined ? "" : `<br><code class="soft">${escapedHtml(id)}</code>`}</td></tr>`,
    );
  return `<table class="destroyed"><thead><tr><th scope="col">Action</th><th scope="col">Address</th><th scope="col">Object</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table>${rest > 0 ? `<p>and ${rest} more; filter the changes to find them</p>` : ""}`;
}

const select = (name: string, title: string): string =>
  `<label>${title}<select name="${name}"><option value="">all</option></select></label>`;

const changeContent = ({ changes }: Report): string =>
  changes.length === 0
    ? `<p>${nothing}</p>${changeControls(true)}`
    : `${changeControls(false)}
<noscript><p>Enable JavaScript to show the changes.</p></noscript>`;

const changeControls = (isHidden: boolean): string =>
  `<div${isHidden ? " hidden" : ""}>
<form id="filter"><label>Search in names and values<input name="search" type="search" autocomplete="off"></label>${select("action", "Action")}${select("finding", "Finding")}${select("kind", "Kind")}${select("plan", "Plan")}<button type="reset">Reset</button></form>
<div class="bar"><p id="status" role="status" class="soft"></p><button id="all" type="button">Open or close all</button></div>
<div id="changes"></div>
<div class="bar"><button id="more" type="button" hidden>Show more</button></div>
</div>`;

/** Maximum number of shown rules of one security group. */
const mostRules = 500;

const ruleContent = (report: Report): string => {
  const shown = addressesIn(report);
  return (report.securityGroups ?? []).map((table) => ruleTableElement(table, shown)).join("\n");
};

/** Returns the rank of a rule in a table that is cut: rules that open the group, other changes, kept rules. */
const rankOf = (rule: ReportSecurityGroup["rules"][number]): number =>
  openingOf(rule) !== "" ? 0 : rule.effect === "kept" ? 2 : 1;

function ruleTableElement({ plan, group, isPartial, rules }: ReportSecurityGroup, shown: Addresses): string {
  const addressText = (address: string): string => shown(plan, address);
  const titles = ["Effect", "Direction", "Protocol", "Ports", "Range", "Rule"];
  const ranked = rules.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, mostRules);
  const shownRules = new Set(ranked);
  const rows = rules
    .filter((rule) => shownRules.has(rule))
    .map((rule) => {
      const { effect, direction, protocol, ports, range, addresses } = rule;
      const opens = openingOf(rule);
      const badge = opens === "" ? "" : ` <strong class="critical">${escapedHtml(opens)}</strong>`;
      return `<tr class="${effect}"><td>${markOf(ruleSigns[effect])}${effect}</td>${[
        direction,
        protocol,
        ports,
      ]
        .map((text) => `<td>${escapedHtml(text)}</td>`)
        .join(
          "",
        )}<td>${codeElement(range)}${badge}</td><td>${addresses.map(addressText).join(" ")}</td></tr>`;
    });
  const rest = rules.length - rows.length;
  return `<div class="rules"><h3>${addressText(group)}</h3>
<div class="wide" tabindex="0" role="group" aria-label="Rules of ${escapedHtml(group)}"><table><thead><tr>${titles.map((title) => `<th scope="col">${title}</th>`).join("")}</tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>${rest > 0 ? `<p>and ${rest} more</p>` : ""}${isPartial ? `<p class="soft">${partialNote}</p>` : ""}</div>`;
}

/** Maximum number of objects in the diagram of all references. */
const mostPictured = 60;

function pictureContent({ graph }: Report): string {
  if (graph === undefined || graph.edges.length === 0) return "";
  const count = new Set(graph.edges.flat()).size;
  if (graph.omitted > 0)
    return `<p>${graph.edges.length} references, ${graph.omitted} more are not in this report.</p>`;
  return count > mostPictured
    ? `<p>${count} objects refer to each other: too many for one diagram. Each change shows its related objects.</p>`
    : `<div id="map"></div><p class="soft">An object refers to objects on its left; references that follow from others are not drawn. Objects with a dashed border do not change.</p>`;
}

const planContent = ({ plans }: Report): string =>
  `<table class="plans"><thead><tr>${["Plan", "Engine", "Objects", "State"].map((title) => `<th scope="col">${title}</th>`).join("")}</tr></thead>
<tbody>${plans
    .map(({ name, engine, engineVersion = "", purpose, objects, gaps, prior }) => {
      const state = [
        ...(prior.serial === undefined ? [] : [`serial ${prior.serial}`]),
        ...(prior.lineage === undefined ? [] : [`lineage ${prior.lineage}`]),
        ...(prior.plannedAt === undefined ? [] : [`planned at ${prior.plannedAt}`]),
      ];
      const about = `${purpose === "drift" ? " (drift)" : ""}${gaps.length > 0 ? `: ${gaps.join("; ")}` : ""}`;
      return `<tr><td>${escapedHtml(name)}${escapedHtml(about)}</td><td>${escapedHtml(`${engine} ${engineVersion}`)}</td><td>${objects}</td><td>${escapedHtml(state.length === 0 ? "unknown" : state.join(", "))}</td></tr>`;
    })
    .join("\n")}</tbody></table>`;

const approvalContent = ({ approval }: Report): string =>
  `<p>Verify the digest right before the apply. It covers every planned value.</p>
${listOf(coverageNotes(approval))}${command(`kcloud review verify --in PLAN --approved ${approval.digest}`)}`;

/** Returns the data of the script (`PageData`) as JSON, in parts. */
function* dataOf({ findings, changes, graph, plans }: Report): Generator<string> {
  const rules = Object.fromEntries(findings.map(({ rule, title }) => [rule, title]));
  const known = new Map<ReportChange["differences"], PageChange["differences"]>();
  const short = (differences: ReportChange["differences"]): PageChange["differences"] => {
    const shortened = known.get(differences) ?? differences.map(({ path, ...difference }) => difference);
    known.set(differences, shortened);
    return shortened;
  };
  yield `{"hasSeveralPlans":${plans.length > 1},"rules":${JSON.stringify(rules)},"findings":`;
  yield* listParts(
    findings,
    ({ plan, address, severity, rule, text, waiver }): PageFinding => ({
      plan,
      address,
      severity,
      rule,
      text: plainNames(text),
      ...(waiver === undefined ? {} : { waived: true }),
    }),
  );
  yield `,"changes":`;
  yield* changeParts(
    changes,
    ({ engine, type, differences, ...change }): PageChange => ({
      ...change,
      differences: short(differences),
    }),
  );
  const references: PageData["graph"] = graph ?? { unchanged: [], edges: [], omitted: 0 };
  yield `,"graph":${JSON.stringify(references)}}`;
}
