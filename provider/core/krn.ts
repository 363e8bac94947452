import { capital, term } from "./name.ts";
import { equalsIgnoreCase } from "./string.ts";

/**
 * Identifiers of the API (docs/contract.md#1.4): `krn:<service>:<region>:<account>:<customer>:<type>:<uuid>`, or a
 * compact layout whose last part is `<type>/<uuid>`. Any other text counts as an opaque id and is accepted.
 */

/** Returns the type in a KRN; undefined for an id without a type. */
export function kindOf(id: string): string | undefined {
  if (!id.startsWith("krn:")) return undefined;
  const parts = id.split(":");
  const last = parts.at(-1) ?? "";
  return last.includes("/") ? last.split("/")[0] : parts.at(-2);
}

/** Resource kinds by the abbreviated type that the API writes in KRNs (docs/contract.md#1.4). */
const kindNames: { readonly [type: string]: string | undefined } = {
  sg: "security-group",
  sgr: "security-group-rule",
  sshkey: "ssh-key",
  template: "instance-template",
  kpod: "ai-pod",
  floatingip: "floating-ip",
  policy: "account-policy",
};

const kindName = (type: string): string => kindNames[type.toLowerCase()] ?? type.toLowerCase();

const withArticle = (kind: string): string => `${/^([aeio]|ssh)/i.test(kind) ? "an" : "a"} ${kind}`;

/** Returns the region in a KRN. Older KRNs contain a short form, so the region is only a hint. */
export const regionOf = (id: string): string | undefined =>
  id.startsWith("krn:") ? id.split(":", 3)[2] : undefined;

/** Returns the account in a KRN of either layout; undefined if it contains none. */
export const accountOf = (id: string): string | undefined =>
  id.startsWith("krn:")
    ? id
        .split(":", 5)
        .slice(3)
        .find((part) => /^\d+$/.test(part))
    : undefined;

/**
 * Returns true if a listing masked a part of the id. The API rejects such an id with an opaque error
 * (docs/contract.md#17.1).
 */
export const isMasked = (id: string): boolean => id.includes("***");

/** Returns the id; undefined if it is missing, empty or masked. */
export const completeId = (id: string | undefined): string | undefined =>
  id === undefined || id === "" || isMasked(id) ? undefined : id;

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns true for a UUID, in any case. */
export const isUuid = (text: string): boolean => uuid.test(text);

/** Returns the last part of an id, after the last colon or slash. */
export const lastPart = (id: string): string =>
  id.slice(Math.max(id.lastIndexOf(":"), id.lastIndexOf("/")) + 1);

/** Returns the UUID of an object from its id, in lower case; undefined for any other id. */
export function uuidOf(id: string): string | undefined {
  const last = lastPart(id);
  return isUuid(last) ? last.toLowerCase() : undefined;
}

/** Returns the UUID in a KRN, or the id itself if it is a UUID, in lower case; undefined for any other id. */
export const uuidIn = (id: string): string | undefined =>
  isUuid(id) || /^krn:/i.test(id) ? uuidOf(id) : undefined;

/**
 * Returns the last part of a KRN in either layout, with a UUID in lower case: all spellings of an id have it. Any other id,
 * and a KRN whose last part is masked, is returned unchanged.
 */
export function plainId(id: string): string {
  const last = /^krn:/i.test(id) ? lastPart(id) : id;
  if (isMasked(last)) return id;
  return isUuid(last) ? last.toLowerCase() : last;
}

/**
 * Returns an id in the spelling by which ids are compared. The case has no meaning in the parts of a KRN, such as the region,
 * except in a last part that is not a UUID, nor in a UUID. Any other id is compared as it is.
 */
export function comparable(id: string): string {
  if (isUuid(id)) return id.toLowerCase();
  return /^krn:/i.test(id) ? withPlainCase(id) : id;
}

/** Returns a KRN, masked or not, in lower case except for a last part that is not a UUID. */
function withPlainCase(id: string): string {
  const last = lastPart(id);
  const start = id.slice(0, id.length - last.length).toLowerCase();
  return `${start}${isUuid(last) ? last.toLowerCase() : last}`;
}

const isEndOf = (bare: string, id: string): boolean =>
  bare.length < id.length && !/[:/]/.test(bare) && comparable(lastPart(id)) === comparable(bare);

/** Returns true if the last characters of two ids can be equal: most comparisons of a long listing end here. */
const endsAlike = (a: string, b: string): boolean =>
  (a.charCodeAt(a.length - 1) | 32) === (b.charCodeAt(b.length - 1) | 32) &&
  (a.charCodeAt(a.length - 2) | 32) === (b.charCodeAt(b.length - 2) | 32);

/**
 * Returns true if both ids identify the same object: they are equal by their parts, or one is the last part of the other
 * (docs/contract.md#17.3).
 */
export function sameId(a: string, b: string): boolean {
  if (a === b) return true;
  if (!endsAlike(a, b)) return false;
  return a.length === b.length ? comparable(a) === comparable(b) : isEndOf(a, b) || isEndOf(b, a);
}

/** Returns true if a listed id can be `id`: the same id, or equal in every part that the listing did not mask. */
export function matchesMasked(listed: string, id: string): boolean {
  if (sameId(listed, id)) return true;
  if (!isMasked(listed)) return false;
  const [parts, shown] = [id, listed].map((each) => withPlainCase(each).split(":")) as [string[], string[]];
  return (
    shown.length === parts.length && shown.every((part, index) => part === "***" || part === parts[index])
  );
}

/** Returns true if two ids can identify the same object; either of them may be masked. */
export const mayBeSameId = (a: string, b: string): boolean => matchesMasked(a, b) || matchesMasked(b, a);

/** Returns the reason why `id` is not an id of the kind, as the end of a sentence about the id; undefined if it can be one. */
export function idProblem(id: string, kind: string): string | undefined {
  if (id === "") return "must not be empty";
  if (isMasked(id)) return "is masked (***); the full ID is required";
  // Ids are sent in headers and paths, which cannot contain other characters.
  if (/[^\x21-\x7e]/.test(id)) return "contains a space or a character that is not allowed in an ID";
  if (id === "." || id === "..") return "is not an ID";
  const actual = kindOf(id);
  if (actual === undefined || kindName(actual) === kindName(kind)) return undefined;
  const [found, required] = [actual, kind].map((type) => withArticle(term(kindName(type))));
  return `is the ID of ${found}, but the ID of ${required} is required`;
}

/** Returns true for the full name of a region, in any case. A short form, as in older ids, is none. */
const isFullRegion = (named: string): boolean => /^in-[a-z]{5,}-\d$/i.test(named);

/** Returns the full name of a region with the capitals of `In-Bangalore-1`; any other text unchanged. */
export const spellRegion = (named: string): string =>
  isFullRegion(named) ? `In-${capital(named.slice(3).toLowerCase())}` : named;

/** Returns true if the text is the full name of another region; ignores case. */
export const isOtherRegion = (named: string, region: string): boolean =>
  isFullRegion(named) && !equalsIgnoreCase(named, region);

/** Returns the region in a KRN, with the capitals of `In-Bangalore-1`; undefined unless the KRN has its full name. */
export function fullRegionOf(id: string): string | undefined {
  const named = regionOf(id) ?? "";
  return isFullRegion(named) ? spellRegion(named) : undefined;
}

/** Returns true if the id contains another region than `region`. */
export const inOtherRegion = (id: string, region: string): boolean =>
  isOtherRegion(regionOf(id) ?? "", region);

/** Returns false only if both ids are full KRNs with different regions, accounts or customers. */
export function sameRegionAndAccount(a: string, b: string): boolean {
  const [one, other] = [a, b].map((id) => id.split(":"));
  const full = one?.length === 7 && other?.length === 7;
  return !full || (!inOtherRegion(a, regionOf(b) ?? "") && one[3] === other[3] && one[4] === other[4]);
}
