import { parseRange, rangeText } from "../../provider/core/ip-address.ts";
import { at, hasUnknown, isRecord, type Path, type Value } from "../../provider/core/value.ts";
import { attribute } from "../../provider/core/wording.ts";
import { type Change, creates, destroys } from "../model/change.ts";
import { assertedAfter } from "../model/decided.ts";
import { differencesOf } from "../model/difference.ts";
import { called, joined, say, word } from "../model/sentence.ts";
import { storesContent } from "./content.ts";
import {
  confidenceOfFlag,
  flagOf,
  hasSensitive,
  isOfNewObject,
  isUnreadable,
  mayStay,
  namesWithMeaning,
  parentOf,
  whyUnreadable,
  willBeSet,
  withMeaning,
} from "./fact.ts";
import { bitsOf, manyShare, mostShare, shareOf, spansOf, without } from "./public-share.ts";
import { type Confidence, changeRule, type Hit, type Rule, type RuleContext } from "./rule.ts";

/** Rules about content that everyone, or many addresses, can reach. */

/** Switch that makes content public, with the confidence that it is on after the change. */
interface Publication {
  readonly path: Path;
  readonly confidence: Confidence;
}

/** Returns the switches of a change that make content public and that were off before. */
const publicationsIn = (change: Change, context: RuleContext): readonly Publication[] =>
  withMeaning(change, "is public").flatMap((difference) => {
    const confidence = confidenceOfFlag(change, difference, true, context);
    return flagOf(difference.before) === true || confidence === undefined
      ? []
      : [{ path: difference.path, confidence }];
  });

const publicContent = changeRule(
  {
    id: "PUB-01",
    title: "Content becomes public",
    severity: "critical",
    confidence: "proven",
    about: "A bucket allows everyone to read its objects without credentials.",
    remedy: "Keep anonymous access off and share links that expire.",
  },
  (change, context) =>
    publicationsIn(change, context).map(({ path, confidence }) => ({
      ...{ change, path, confidence },
      text: say`Everyone ${word(confidence === "proven" ? "can" : "may be able to")} read the objects of ${called(change)} without credentials.`,
    })),
);

/** Names of buckets and objects whose content is rarely meant for everybody. */
const privateName = /state|backup|dump|log|secret|private|credential|key|audit|internal/i;

const publicPrivate = changeRule(
  {
    id: "PUB-02",
    title: "Content that is probably private becomes public",
    severity: "critical",
    confidence: "likely",
    about: "A bucket whose name suggests states, backups, logs or keys becomes public.",
    remedy: "Keep anonymous access off.",
  },
  (change, context) =>
    privateName.test(change.name ?? "")
      ? publicationsIn(change, context).map(({ path }) => ({
          ...{ change, path },
          text: say`The name of ${called(change)} suggests private content.`,
        }))
      : [],
);

/** Returns the addresses that a policy allows after the change and not before, as a share of all public ones. */
function newlyAllowed(change: Change): number {
  const names = namesWithMeaning(change, "allowed addresses");
  const before = textsIn(change.before, names);
  const after = textsIn(change.after, names);
  const shares = ([32, 128] as const).map((bits) => {
    const ofFamily = (hosts: readonly string[]) => spansOf(hosts.filter((host) => bitsOf(host) === bits));
    return shareOf(without(ofFamily(after), ofFamily(before)), bits);
  });
  return Math.max(...shares);
}

const textsIn = (values: Change["after"], names: readonly string[]): readonly string[] =>
  names.flatMap((name) => {
    const list = values?.[name] ?? null;
    return Array.isArray(list) ? list.flatMap((item) => (typeof item === "string" ? ofIpv4(item) : [])) : [];
  });

/** Returns the IPv4 range of a range of IPv4 addresses in the form of IPv6, such as `::ffff:0:0/96`; another one unchanged. */
function ofIpv4(range: string): string {
  const parsed = range.includes(":") ? parseRange(range) : undefined;
  if (parsed === undefined || parsed.prefix < 96 || parsed.first >> 32n !== 0xffffn) return range;
  return rangeText({ first: parsed.first & 0xffffffffn, prefix: parsed.prefix - 96, bits: 32 });
}

const policyOpened = changeRule(
  {
    id: "PUB-03",
    title: "A bucket policy allows every address",
    severity: "high",
    confidence: "proven",
    about:
      "A bucket policy newly allows at least half of all public addresses, or is deleted, so that it limits nothing. The severity is critical if the bucket has anonymous access, and medium from a sixteenth of all addresses on.",
    remedy: "Allow only the addresses of your network.",
  },
  (change, context) => {
    const names = namesWithMeaning(change, "allowed addresses");
    if (names.length === 0) return undefined;
    const bucket = parentOf(change, context);
    const isPublic = bucket !== undefined && willBeSet(bucket, "is public");
    const severity = isPublic ? { severity: "critical" as const } : {};
    const reach = word(isPublic ? ", and the bucket has anonymous access" : "");
    if (change.action === "delete")
      return bucket !== undefined && destroys(bucket)
        ? undefined
        : {
            ...severity,
            confidence: "likely" as const,
            text: say`${called(change)} is deleted: no policy limits the addresses that reach the bucket any more${reach}.`,
          };
    if (change.action !== "update" && !creates(change)) return undefined;
    const hidden = names.find((name) => isUnreadable(change, [name], context));
    if (hidden !== undefined)
      return {
        ...{ ...severity, path: [hidden], confidence: "likely" as const },
        text: say`${called(change)} may allow every address: ${attribute(hidden)} ${whyUnreadable(change, [hidden])}${reach}.`,
      };
    if (textsIn(change.before, names).length > 0 && textsIn(change.after, names).length === 0)
      return {
        ...{ ...severity, path: names.slice(0, 1), confidence: "likely" as const },
        text: say`${called(change)} names no addresses any more: it may then limit none${reach}.`,
      };
    const share = newlyAllowed(change);
    if (share < manyShare) return undefined;
    return {
      ...(share >= mostShare ? severity : { severity: isPublic ? ("high" as const) : ("medium" as const) }),
      path: names.slice(0, 1),
      text: hasSensitive(change)
        ? say`${called(change)} newly allows many or all public addresses; its values are sensitive${reach}.`
        : say`${called(change)} newly allows ${Math.floor(share * 100)} % of all public addresses${reach}.`,
    };
  },
);

const objectPublished: Rule = {
  id: "PUB-04",
  title: "An object is stored in a public bucket",
  severity: "medium",
  confidence: "proven",
  about:
    "An object is created or changed in a bucket that everyone can read, or moves to one. The severity is high if its key suggests states, backups, logs or keys. If no plan shows the bucket, the finding needs a live check.",
  remedy: "Store the object in a bucket without anonymous access.",
  *check(context) {
    const unshown = new Set<string>();
    for (const change of context.changes) {
      const stores = storing(change, context);
      if (stores === undefined) continue;
      const bucket = parentOf(change, context);
      if (bucket === undefined) yield* inUnshownBucket(change, unshown, context);
      // PUB-01 reports a bucket that becomes public.
      else if (willBeSet(bucket, "is public") && publicationsIn(bucket, context).length === 0)
        yield {
          change,
          ...(mayBePrivate(change, context) ? { severity: "high" as const } : {}),
          ...(stores === "likely" ? { confidence: stores } : {}),
          text: say`Everyone can read ${called(change)}: ${called(bucket)} has anonymous access.`,
        };
    }
  },
};

/** Returns true if the key of an object after the change suggests private content, or cannot be read. */
function mayBePrivate(change: Change, context: RuleContext): boolean {
  const name = change.resource?.idField ?? "name";
  const key = change.after?.[name] ?? change.name ?? "";
  return hasUnknown(key) ? isUnreadable(change, [name], context) : privateName.test(String(key));
}

/**
 * Returns the confidence that a change stores new content, or an object under a new key or in another bucket; undefined if it
 * does not.
 */
function storing(change: Change, context: RuleContext): Confidence | undefined {
  if (!storesContent(change)) return undefined;
  if (change.action !== "update") return mayStay(change, context) ? "likely" : "proven";
  const key = change.resource?.idField;
  const found = differencesOf(change).filter(
    ({ path, field }) =>
      path[0] === key || (field?.kind === "field" && field.options.meaning === "content digest"),
  );
  if (found.length === 0) return undefined;
  return found.every(({ after }) => hasUnknown(after)) ? "likely" : "proven";
}

/** Returns a hit for the first object of each bucket that no plan shows. */
function* inUnshownBucket(change: Change, known: Set<string>, { changes }: RuleContext): Generator<Hit> {
  const name = change.resource?.parents?.[0] ?? "";
  const id = change.after?.[name] ?? null;
  if (hasUnknown(id) && isOfNewObject(change, name, changes)) return;
  const key = `${change.plan} ${String(typeof id === "string" ? id : change.address)}`;
  if (known.has(key)) return;
  known.add(key);
  const isHidden = hasUnknown(id);
  yield {
    ...{ change, path: [name], confidence: isHidden ? "likely" : "needs a live check" },
    text: isHidden
      ? say`Everyone may be able to read ${called(change)}: ${attribute(name)} ${whyUnreadable(change, [name])}.`
      : say`${called(change)} is stored in a bucket that no plan shows, which may be public.`,
  };
}

/** Matches a wildcard for everything: `*`, `*:*`. */
const wildcard = /^[*:/.]*\*[*:/.]*$/;

/** Statement with a wildcard, by the member that holds it: "Action", "Principal". */
function* wildcardsIn(value: Value, name = ""): Generator<string> {
  if (typeof value === "string" && wildcard.test(value)) yield name.toLowerCase();
  else if (Array.isArray(value)) for (const item of value) yield* wildcardsIn(item, name);
  else if (isRecord(value) && !isDenied(value))
    for (const [member, part] of Object.entries(value)) {
      if (wildcard.test(member)) yield name.toLowerCase();
      yield* wildcardsIn(part, member);
    }
}

/** Returns true for a statement whose only effect is to deny, in any spelling of the name. */
function isDenied(statement: { readonly [name: string]: Value }): boolean {
  const effects = Object.entries(statement).filter(([name]) => name.toLowerCase() === "effect");
  return effects.length > 0 && effects.every(([, value]) => String(value).toLowerCase() === "deny");
}

/** Returns the members with wildcards in a JSON text; the worst ones for another text. */
function wildcards(text: Value | undefined): ReadonlySet<string> {
  if (typeof text !== "string") return new Set();
  try {
    return new Set(wildcardsIn(JSON.parse(text) as Value));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return new Set(["principal"]);
  }
}

/** Members that name who gets access. */
const isWho = (member: string): boolean => /principal|user|account|aws/.test(member);

const everythingAllowed = changeRule(
  {
    id: "SEC-07",
    title: "An account policy newly allows everything",
    severity: "high",
    confidence: "likely",
    about:
      "A statement of an account policy that does not deny newly contains the wildcard *. The severity is critical if the wildcard names who gets access. The format of statements is not documented, so that any wildcard counts.",
    remedy: "Name the actions and the resources that are needed.",
  },
  (change, context) =>
    change.action !== "update" && !creates(change)
      ? []
      : namesWithMeaning(change, "statements").flatMap((name): Hit[] => {
          const after = at(assertedAfter(change), [name]);
          if (hasUnknown(after))
            return isUnreadable(change, [name], context)
              ? [
                  {
                    ...{ change, path: [name], severity: "critical" },
                    text: say`${called(change)} may allow everything: ${attribute(name)} ${whyUnreadable(change, [name])}.`,
                  },
                ]
              : [];
          const known = at(change.before, [name]);
          const before = hasUnknown(known) ? new Set<string>() : wildcards(known);
          const added = [...wildcards(after)].filter((member) => !before.has(member));
          if (added.length === 0) return [];
          return [
            {
              ...{ change, path: [name] },
              ...(added.some(isWho) ? { severity: "critical" as const } : {}),
              text: say`${called(change)} newly contains the wildcard *${
                hasSensitive(change)
                  ? word("; its values are sensitive")
                  : say` in ${joined(
                      added.map((member) => say`${member === "" ? "a statement" : member}`),
                      ", ",
                    )}`
              }.`,
            },
          ];
        }),
);

export const publicationRules: readonly Rule[] = [
  publicContent,
  publicPrivate,
  policyOpened,
  objectPublished,
  everythingAllowed,
];
