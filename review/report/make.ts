import { createHash } from "node:crypto";
import { capital } from "../../provider/core/name.ts";
import { isRecord, type Value } from "../../provider/core/value.ts";
import { inWordsOf, type Text, withForms, wording } from "../../provider/core/wording.ts";
import { compareAddresses, compareText, withoutIndices } from "../model/address.ts";
import { canonical } from "../model/canonical.ts";
import { type Change, destroys, isEffective, kindOfChange, type Source, wordsOf } from "../model/change.ts";
import { cutText } from "../model/cut-text.ts";
import { differencesOf } from "../model/difference.ts";
import { driftOf } from "../model/drift.ts";
import { isOwnSource } from "../model/kind.ts";
import { type Plan, type ProviderUse, sortedPlans } from "../model/plan.ts";
import { redactionOf, sensitiveIn } from "../model/redaction.ts";
import { type Relations, relationsOf } from "../model/relation.ts";
import { nameOfObject, textOf } from "../model/sentence.ts";
import { type Hit, type RuleDescription, type RuleHits, type RuleResults, severities } from "../rule/rule.ts";
import { attributeName, reportDifferences } from "./difference.ts";
import { approvalOf } from "./digest.ts";
import { graphOf } from "./graph.ts";
import { shownSides } from "./inner.ts";
import { reasonsOf, reversalOf } from "./reason.ts";
import { reportRehearsal } from "./rehearsal.ts";
import {
  type Counts,
  type Report,
  type ReportChange,
  type ReportDifference,
  type ReportDrift,
  type ReportFinding,
  schemaVersion,
} from "./report.ts";
import { securityGroupsOf } from "./security-group.ts";
import { isMasked, keyed, onOneLine, show, type ValueOptions, visible } from "./value.ts";

/** Settings of a report. */
export interface ReportOptions {
  /** Hits of all rules in the plans of the report (`runRules`). */
  readonly results: RuleResults;
  /** Key of marks and digest, from `KCLOUD_REVIEW_KEY`. */
  readonly key?: string | undefined;
  readonly policyChanges?: Report["policyChanges"];
}

/** Report before the gate, without waivers and verdict. */
export type Draft = Omit<Report, "verdict" | "since">;

/** Number of parts of values from which on a report has only a few of each, which limits its memory. */
const mostParts = 500_000;

/** Makes the report of these plans. The result does not depend on the order of the plans and their parts. */
export function makeReport(input: readonly Plan[], { results, ...options }: ReportOptions): Draft {
  const redaction = redactionOf(input);
  const plans = sortedPlans(redaction.plans);
  const { judged } = results;
  const { rehearsals = [] } = judged;
  const { changes, relations } = isSameList(plans, judged.plans) ? judged : objectsIn(plans);
  const values: ValueOptions = { key: options.key, redact: redaction.redact, room: { parts: mostParts } };
  const differencesIn = reportDifferences(values);
  const findings = [
    ...builtInFindings(results, plans, redaction.redact, options.key),
    ...customFindings(results.custom, options.key),
  ].toSorted(byDangerOfFinding);
  const worst = new Map<string, number>();
  for (const { plan, address, severity } of findings) {
    const key = `${plan} ${address}`;
    worst.set(key, Math.min(worst.get(key) ?? severities.length, severities.indexOf(severity)));
  }
  const rank = (change: Change): number =>
    (worst.get(`${change.plan} ${change.address}`) ?? severities.length) * 10 +
    (actionRank[change.action] ?? 9);
  const effective = changes
    .filter(isEffective)
    .map((change) => ({ change, rank: rank(change) }))
    .toSorted((a, b) => a.rank - b.rank || byAddress(a.change, b.change));
  return {
    schemaVersion,
    counts: countsOf(changes),
    plans: plans.map(planOf),
    policyChanges: options.policyChanges ?? { trusted: false, lines: [] },
    findings,
    changes: effective.map(({ change }) => changeOf(change, relations, differencesIn)),
    ...(rehearsals.length === 0
      ? {}
      : { rehearsals: rehearsals.map((one) => reportRehearsal(one, redaction.redact)) }),
    graph: graphOf(
      effective.map(({ change }) => change),
      changes,
      relations,
    ),
    securityGroups: securityGroupsOf(plans),
    drift: plans.flatMap(driftRows),
    outputs: plans.flatMap(({ name: plan, outputs }) =>
      outputs
        .toSorted((a, b) => compareText(a.name, b.name))
        .map(({ name, action, before, after }) => ({
          plan,
          name: visible(name),
          action,
          ...shownSides(before, after, { isNew: action !== "update", isUnordered: false, ...values }),
        })),
    ),
    invocations: plans.flatMap(({ name: plan, invocations }) =>
      invocations
        .map(({ address, type, triggeredBy, values: configuration = null }) => ({
          plan,
          address: visible(address),
          type: visible(type),
          ...(configuration === null ? {} : { configuration: show(configuration, values) }),
          ...(triggeredBy === undefined ? {} : { triggeredBy: visible(triggeredBy) }),
        }))
        .toSorted((a, b) => compareText(a.address + a.type, b.address + b.type)),
    ),
    providers: plans.flatMap(({ name: plan, providers }) =>
      providers
        .filter(hasSettings)
        .map(({ name, source, values: configuration }) => ({
          plan,
          name: visible(name),
          source: visible(source),
          configuration: show(configuration, values),
        }))
        .toSorted((a, b) => compareText(a.name, b.name)),
    ),
    approval: approvalOf(input, options.key),
  };
}

/** Returns true unless a provider is that of this package, without settings. */
const hasSettings = ({ source, values: configuration }: ProviderUse): boolean =>
  !isOwnSource(source) || !isEmpty(configuration);

const isEmpty = (value: Value): boolean =>
  value === null || (isRecord(value) && Object.values(value).every(isEmpty));

const byAddress = (a: Change, b: Change): number =>
  compareText(a.plan, b.plan) || compareAddresses(a.address, b.address) || compareText(a.action, b.action);

const actionRank: { readonly [action: string]: number | undefined } = {
  replace: 0,
  delete: 1,
  forget: 2,
  update: 3,
  create: 4,
};

const byDangerOfFinding = (a: ReportFinding, b: ReportFinding): number =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
  compareText(a.rule, b.rule) ||
  compareText(a.plan, b.plan) ||
  compareAddresses(a.address ?? "", b.address ?? "") ||
  compareText(a.text, b.text);

/** Returns the objects of all plans, and their relations. */
function objectsIn(plans: readonly Plan[]): { changes: readonly Change[]; relations: Relations } {
  const changes = plans.flatMap((plan) => plan.changes);
  return { changes, relations: relationsOf(changes) };
}

const isSameList = (list: readonly unknown[], other: readonly unknown[]): boolean =>
  list.length === other.length && list.every((item, index) => item === other[index]);

/**
 * Returns the findings of the built-in rules. They judge the plans as read; only the texts of the findings are redacted.
 *
 * @param shown the judged plans, redacted
 */
function builtInFindings(
  { judged, builtIn }: RuleResults,
  shown: readonly Plan[],
  redact: (text: string) => string,
  key: string | undefined,
): ReportFinding[] {
  const shownAs = isSameList(judged.plans, shown) ? undefined : pairs(judged.plans, shown);
  const object = (change: Change): Change => shownAs?.get(change) ?? change;
  return builtIn.flatMap(({ rule, hits }) =>
    hits.map(({ change, text, path, address, ...hit }) => {
      const sides = [change?.asRead?.before, change?.asRead?.after].map(sensitiveIn);
      const quoted = (part: string): string =>
        sides.some((sensitive) => sensitive.has(part)) ? "(sensitive)" : redact(part);
      const redacted = {
        ...hit,
        ...(change === undefined ? {} : { change: object(change) }),
        ...(path && { path: path.map((step) => (typeof step === "string" ? redact(step) : step)) }),
        ...(address === undefined ? {} : { address: redact(address) }),
        text: textOf(text, { quoted, object }),
      };
      const finding = findingOf(rule, redacted, key);
      unredacted.set(finding, change?.address ?? address ?? finding.plan);
      return finding;
    }),
  );
}

/** Returns the changes of the second plans by those of the first ones, which have the same order. */
function pairs(plans: readonly Plan[], others: readonly Plan[]): ReadonlyMap<Change, Change> {
  const all = (these: readonly Plan[]) => these.flatMap(({ changes, drift }) => [...changes, ...drift]);
  const matching = all(others);
  return new Map(all(plans).map((change, index) => [change, matching[index] ?? change]));
}

/** Returns the findings of the rules of a policy, which see redacted plans only. */
const customFindings = (custom: readonly RuleHits[], key: string | undefined): ReportFinding[] =>
  custom.flatMap(({ rule, hits }) =>
    hits.map((hit) => findingOf(rule, { ...hit, text: textOf(hit.text) }, key)),
  );

/** Addresses of findings as the plan has them, for waivers; a finding has the redacted one. */
const unredacted = new WeakMap<ReportFinding, string>();

/** Returns the address of a finding as the plan has it. */
export const unredactedAddress = (finding: ReportFinding): string =>
  unredacted.get(finding) ?? finding.address ?? "";

function findingOf(
  rule: RuleDescription,
  hit: Omit<Hit, "text"> & { readonly text: Text },
  key: string | undefined,
): ReportFinding {
  const { change, path } = hit;
  const words = wordsOf(change?.engine);
  const plan = change?.plan ?? hit.plan ?? "";
  const address = change?.address ?? hit.address ?? plan;
  // Drift that the plan reverts needs no decision.
  const severity = hit.drift === "undone" ? "low" : (hit.severity ?? rule.severity);
  const identity = [
    rule.id,
    plan,
    change?.address ?? "",
    ...(path ?? []),
    change === undefined ? hashedText(hit.text) : "",
    ...(hit.drift === undefined ? [] : ["drift"]),
  ];
  return {
    fingerprint: createHash("sha256").update(JSON.stringify(identity)).digest("hex"),
    rule: rule.id,
    title: rule.title,
    severity,
    confidence: hit.confidence ?? rule.confidence,
    plan,
    address: visible(address),
    ...(change?.id === undefined ? {} : { id: visible(change.id) }),
    content: contentOf(rule.id, severity, hit, key),
    ...(change?.previousAddress === undefined ? {} : { isMoved: true as const }),
    ...(change === undefined ? {} : { kind: visible(kindOfChange(change)) }),
    ...(change?.name === undefined ? {} : { name: visible(change.name) }),
    ...(path === undefined
      ? {}
      : { path: path.map((step) => (typeof step === "string" ? visible(step) : step)) }),
    text: onOneLine(inWordsOf(words, wording`${hit.text}${driftTexts[hit.drift ?? ""] ?? ""}`)),
    remedy: onOneLine(inWordsOf(words, hit.remedy ?? rule.remedy)),
    ...sourceOf(change?.source),
    ...(hit.drift === undefined ? {} : { drift: hit.drift }),
  };
}

/**
 * Returns the digest of what a finding is about: another severity or another changed value of the object gives another one.
 * Undefined if a sensitive value changes that no key makes comparable.
 */
function contentOf(
  rule: string,
  severity: string,
  { change, path, text, values: effect = null }: Parameters<typeof findingOf>[1],
  key: string | undefined,
): string | undefined {
  let isHidden = false;
  const hide = (value: Value): string => {
    isHidden ||= key === undefined || isMasked(value);
    return JSON.stringify(key === undefined ? "sensitive" : keyed(key, canonical(value)));
  };
  const differences = change === undefined ? [] : differencesOf(change);
  const values = differences.map(({ path: differencePath, before, after }) => [
    ...[differencePath, canonical(before, hide), canonical(after, hide)],
  ]);
  const all = [...values, canonical(effect, hide)];
  if (isHidden) return undefined;
  const content = [rule, severity, path ?? [], change?.action ?? "", hashedText(text), all];
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

/** Returns a text in the form that fingerprints and digests contain. It never changes, because policies store digests. */
const hashedText = (text: Text): string =>
  withForms(text, ({ terraform, pulumi }) => `\u{E000}${terraform}\u{E001}${pulumi}\u{E002}`);

const driftTexts: { readonly [state: string]: string | undefined } = {
  undone: " The plan undoes it.",
  untouched: " The plan leaves it.",
};

const sourceOf = (source: Source | undefined): { source?: Source } =>
  source === undefined ? {} : { source: { ...source, file: visible(source.file) } };

function planOf(plan: Plan): Report["plans"][number] {
  const { name, engine, engineVersion, root, purpose, changes, gaps, unknownParts, messages, prior } = plan;
  return {
    name,
    engine,
    ...(engineVersion === undefined ? {} : { engineVersion: visible(engineVersion) }),
    ...(root === undefined ? {} : { root: visible(root) }),
    purpose,
    objects: changes.length,
    gaps: gaps.map(onOneLine),
    unknownParts: unknownParts.map(visible),
    messages: messages.map(({ level, text }) => ({
      level,
      text: cutText(onOneLine(text)),
    })),
    prior: {
      ...prior,
      ...(prior.lineage === undefined ? {} : { lineage: visible(prior.lineage) }),
      ...(prior.plannedAt === undefined ? {} : { plannedAt: visible(prior.plannedAt) }),
    },
  };
}

function countsOf(changes: readonly Change[]): Counts {
  const counts = { create: 0, update: 0, replace: 0, delete: 0, forget: 0, move: 0, import: 0 };
  for (const { action, previousAddress, importedId } of changes) {
    if (action !== "none" && action !== "read") counts[action] += 1;
    if (previousAddress !== undefined) counts.move += 1;
    if (importedId !== undefined) counts.import += 1;
  }
  return counts;
}

function changeOf(
  change: Change,
  relations: Relations,
  differencesIn: (change: Change) => ReportDifference[],
): ReportChange {
  const { plan, engine, address, type, action, order, cause, isDeposed } = change;
  const shown = (text: string | undefined) => (text === undefined ? undefined : visible(text));
  // All changes have the same members, which needs less memory; JSON omits undefined ones.
  return {
    plan,
    engine,
    address: visible(address),
    type: visible(type),
    kind: visible(kindOfChange(change)),
    name: shown(change.name),
    id: shown(change.id),
    action,
    order,
    cause,
    previousAddress: shown(change.previousAddress),
    importedId: shown(change.importedId),
    isDeposed,
    parents: change.parents.map(visible),
    source: sourceOf(change.source).source,
    differences: differencesIn(change),
    reasons: reasonsOf(change).map(visible),
    reversal: visible(reversalOf(change)),
    dependents: destroys(change) ? dependentsOf(change, relations) : noDependents,
  };
}

/** Returns each object of the cloud or the configuration once, without data sources and the old objects of replacements. */
const distinctObjects = (changes: readonly Change[]): Change[] => [
  ...new Map(
    changes
      .filter(({ action, isDeposed }) => action !== "read" && !isDeposed)
      .map((change) => [`${change.plan} ${change.address}`, change]),
  ).values(),
];

const noDependents: ReportChange["dependents"] = { direct: 0, total: 0, names: [] };

function dependentsOf(change: Change, relations: Relations): ReportChange["dependents"] {
  const { direct, all } = relations.dependentsOf(change);
  const [nearest, total] = [direct, all].map(distinctObjects) as [Change[], Change[]];
  const names = nearest.slice(0, 10).map((other) => visible(capital(nameOfObject(other))));
  return { direct: nearest.length, total: total.length, names };
}

/** Returns the addresses, without indices, of the objects to which others refer. */
const relatedTo = (changes: readonly Change[]): ReadonlySet<unknown> =>
  new Set(changes.flatMap(({ dependsOn }) => dependsOn));

/** Returns the drift of a plan, grouped by kind and attribute. */
function driftRows({ name: plan, drift, changes }: Plan): ReportDrift[] {
  const related = drift.length === 0 ? new Set() : relatedTo(changes);
  const rows = drift.flatMap((change) => {
    const kind = visible(kindOfChange(change));
    const address = visible(change.address);
    if (change.action === "delete") return [{ kind, name: "deleted", address, isNew: false }];
    const hasRelations = change.dependsOn.length > 0 || related.has(withoutIndices(change.address));
    return driftOf(change, hasRelations).map(({ path, before }) => ({
      kind,
      name: visible(attributeName(change, path.slice(0, 1))),
      address,
      isNew: before === null,
    }));
  });
  const groups = Map.groupBy(rows, ({ kind, name }) => `${kind} ${name}`);
  return [...groups.values()]
    .map((all) => {
      const [{ kind, name } = { kind: "", name: "" }] = all;
      const addresses = [...new Set(all.map(({ address }) => address))].toSorted();
      const isRead = all.every(({ isNew }) => isNew) && addresses.length > 1;
      const guess =
        name === "deleted"
          ? "Deleted outside the engine."
          : isRead
            ? "Probably read for the first time, as after an upgrade of the provider."
            : "Probably changed outside the engine.";
      return {
        plan,
        kind: visible(kind),
        name: visible(name),
        count: addresses.length,
        addresses: addresses.slice(0, 20).map(visible),
        guess,
      };
    })
    .toSorted((a, b) => compareText(a.kind, b.kind) || compareText(a.name, b.name));
}
