/**
 * Identifiers of the cloud (docs/contract.md#1.4): `krn:<service>:<region>:<account>:<customer>:<type>:<uuid>`, or a
 * compact layout whose last part is `<type>/<uuid>`. Anything else is an opaque id and passes.
 */

/** The type a KRN names, or undefined for an id that names none. */
export function kindOf(id: string): string | undefined {
  if (!id.startsWith("krn:")) return undefined;
  const parts = id.split(":");
  const last = parts.at(-1) ?? "";
  return last.includes("/") ? last.split("/")[0] : parts.at(-2);
}

/** Types that the cloud writes short (docs/contract.md#1.4), by the nouns that they stand for. */
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

const withArticle = (kind: string): string => `${/^([aeio]|ssh)/.test(kind) ? "an" : "a"} ${kind}`;

/** The region a KRN names; older ones use short forms, so it is a hint and never a rule. */
export const regionOf = (id: string): string | undefined =>
  id.startsWith("krn:") ? id.split(":", 3)[2] : undefined;

/** A part was blanked out by a listing; the API answers such an id with an opaque refusal (docs/contract.md#17.1). */
export const isMasked = (id: string): boolean => id.includes("***");

/** An id that names an object; undefined for none, and for one of which a part is blanked out. */
export const completeId = (id: string | undefined): string | undefined =>
  id === undefined || id === "" || isMasked(id) ? undefined : id;

const isEndOf = (bare: string, id: string): boolean =>
  !/[:/]/.test(bare) && (id.endsWith(`:${bare}`) || id.endsWith(`/${bare}`));

/** Whether both name one object: equal, or one is the bare end of the other (docs/contract.md#17.3). */
export const sameId = (a: string, b: string): boolean => a === b || isEndOf(a, b) || isEndOf(b, a);

/** Whether a listed id can be this one: alike, or equal but for the parts that the listing blanked out. */
export function matchesMasked(listed: string, id: string): boolean {
  if (sameId(listed, id)) return true;
  const parts = id.split(":");
  const shown = listed.split(":");
  return shown.length === parts.length && shown.every((part, at) => part === "***" || part === parts[at]);
}

/** Whether two ids can be one, whichever of them a listing gave. */
export const mayBeSameId = (a: string, b: string): boolean => matchesMasked(a, b) || matchesMasked(b, a);

/** Why an id cannot be one of `kind`, as the end of a sentence about it; undefined when it can. */
export function idProblem(id: string, kind: string): string | undefined {
  if (id === "") return "must not be empty";
  if (isMasked(id)) return "is masked (***); the full id is needed";
  // Ids travel in headers and paths; what those cannot carry is nobody's id.
  if (/[^\x21-\x7e]/.test(id)) return "holds a space or a character that no id has";
  if (id === "." || id === "..") return "is not an id";
  const actual = kindOf(id);
  if (actual === undefined || kindName(actual) === kindName(kind)) return undefined;
  const [found, due] = [actual, kind].map((type) => withArticle(kindName(type).replaceAll("-", " ")));
  return `is the id of ${found}, where that of ${due} is due`;
}

/** Whether an id plainly names another region than the one asked for; an older short form names none. */
export function inOtherRegion(id: string, region: string): boolean {
  const named = regionOf(id);
  return (
    named !== undefined && /^in-[a-z]{5,}-\d$/i.test(named) && named.toLowerCase() !== region.toLowerCase()
  );
}

/** Whether two ids can be of one region and account, as far as they tell. */
export function sameRegionAndAccount(a: string, b: string): boolean {
  const [one, other] = [a, b].map((id) => id.split(":"));
  const full = one?.length === 7 && other?.length === 7;
  return !full || (!inOtherRegion(a, regionOf(b) ?? "") && one[3] === other[3] && one[4] === other[4]);
}
