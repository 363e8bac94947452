import {
  emptyRecord,
  isSecret,
  type Path,
  secret,
  type Value,
  type Values,
} from "../../provider/core/value.ts";

/** Recognizes unmarked secrets by their form. */

/** Matches a URL with a password. */
const passwordInAddress = /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^/\s:@]+:[^/\s@]{3,}@/i;

/** Formats of credentials; each matches a part of a text. */
const forms: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----|[\s\S]*)/,
  // Access keys and tokens of well-known services.
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{30,}\b|\bgithub_pat_\w{30,}\b|\bglpat-[\w-]{20,}/,
  /\bxox[abprs]-[\w-]{10,}/,
  /\bsk-[A-Za-z0-9_-]{20,}|\bsk_live_\w{16,}/,
  /\bAIza[\w-]{35}\b/,
  /\bhf_[A-Za-z0-9]{30,}\b/,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/,
  passwordInAddress,
  // An assignment in a text, or a member of JSON; the name may have words before it, as in AWS_SECRET_ACCESS_KEY.
  /(?:password|passwd|passphrase|(?<![a-z])pwd|secret|token|(?:api|access|private|secret)[_-]?key)\\?["']?\s*[=:]\s*(?:\\?"[^"$<{\\][^"]{5,}|'[^'$<{][^']{5,}|[^\s"'$<{\\][^\s"']{5,})/i,
  /\bauthorization\\?["']?\s*[=:]\s*\\?["']?(?:(?:basic|bearer|token|digest)\s+)?[^\s"'$<{]{6,}/i,
  /\bbearer\s+(?=\S*\d)[\w.~+/=-]{8,}/i,
  // The signature of a URL.
  /[?&](?:x-amz-(?:signature|credential|security-token)|signature|sig)=[^&\s"']{6,}/i,
];

/** Words of names whose value is a secret, at the end of the name: `DB_PWD`, `clientSecret`. */
const secretWord =
  /(?:^|[^a-z])(?:pwd|pass|secrets?|tokens?|credentials?)$|(?:password|passwd|passphrase|passcode|apikey|secretkey|privatekey)$/;

/** Words before "key" that make it a secret: `ENCRYPTION_KEY`. A public key, or the key of an object, is none. */
const secretKey =
  /(?:^|[^a-z])(?:api|access|account|auth|encryption|hmac|master|private|secret|session|shared|signing|storage)[^a-z]?key$/;

/** Returns true for the name of a value that is a secret. A longer name, such as `secret_name`, is a reference to one. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  return secretWord.test(words) || secretKey.test(words);
}

/** Returns true for a pair of a name and a value, such as an environment variable in a list, whose name is that of a secret. */
export const isSecretPair = ({ name, key = name, value }: { readonly [field: string]: unknown }): boolean =>
  typeof value === "string" && value !== "" && typeof key === "string" && isSecretName(key);

/** Matches names whose value is a digest, which looks random: `source_code_hash`, and the triggers of a replacement. */
const digestName = /hash|sha\d|md5|digest|checksum|etag|fingerprint|integrity|trigger|when_?changed|keepers/i;

/** Minimum length in characters of a text that can be a secret by its form. */
const shortest = 12;

/** Formats joined to one expression for each set of flags, which is faster than separate searches. */
const searches = [
  ...Map.groupBy(
    forms.filter((form) => form !== passwordInAddress),
    ({ flags }) => flags,
  ),
].map(([flags, all]) => new RegExp(all.map(({ source }) => source).join("|"), flags));

/** Returns true if a text contains a credential. */
const looksSecret = (text: string, isDigest: boolean): boolean =>
  text.length >= shortest && (hasForm(text) || (!isDigest && looksRandom(text)));

/** Returns true if a text matches a format. Searches for a URL only in texts with `://`, because that search is slow. */
const hasForm = (text: string): boolean =>
  searches.some((search) => search.test(text)) || (text.includes("://") && passwordInAddress.test(text));

/**
 * Returns true for one long word of mixed letters and digits without structure, such as a generated token. Ids, digests and
 * addresses have structure: separators, one case, or hexadecimal digits only.
 */
function looksRandom(text: string): boolean {
  if (text.length < 32 || text.length > 256 || !/^[A-Za-z0-9+/_=-]+$/.test(text)) return false;
  if (/^[0-9a-fA-F-]+$/.test(text) || text.split(/[-_/]/).length > 4) return false;
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d/.test(text)) return false;
  return entropy(text) >= 4;
}

/** Returns the Shannon entropy of a text, in bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => {
    const share = count / text.length;
    return sum - share * Math.log2(share);
  }, 0);
}

/** Values with their unmarked secrets marked, and the paths of these. */
export interface Hidden {
  readonly values: Values;
  readonly paths: readonly Path[];
}

/**
 * Marks values that look like a secret; judges a map entry also by its name, and so an attribute of another provider, which may
 * have lost the mark. Returns the same object if there is none. `harmless` are checked values without a secret: values that are
 * identical to them are skipped.
 */
export function hideSecrets(values: Values, isForeign = false, harmless?: Values): Hidden {
  const paths: Path[] = [];
  const mark = (value: string, step: string | number, outer: Place | undefined): Value => {
    paths.push(pathTo({ step, outer }));
    return secret(value);
  };
  const hide = (value: Value, step: string | number, outer: Place | undefined): Value => {
    if (typeof value === "string") {
      if (
        value === "" ||
        (!hasSecretName(step, outer, isForeign) && !looksSecret(value, isDigest(step, outer)))
      )
        return value;
      return mark(value, step, outer);
    }
    if (typeof value !== "object" || value === null || isSecret(value)) return value;
    return hideIn(value, { step, outer });
  };
  const hideIn = <T extends Value[] | Values>(value: T, place: Place | undefined, known?: Values): T => {
    if (Array.isArray(value)) {
      const items = value.map((item, step) => hide(item, step, place));
      return items.some((item, index) => item !== value[index]) ? (items as T) : value;
    }
    let changed: Values | undefined;
    for (const step in value) {
      const part = value[step] ?? null;
      if (part === null || part === known?.[step]) continue;
      const inner =
        step === "value" && typeof part === "string" && isSecretPair(value)
          ? mark(part, step, place)
          : hide(part, step, place);
      if (inner === part) continue;
      changed ??= Object.assign(emptyRecord(), value);
      changed[step] = inner;
    }
    return (changed as T | undefined) ?? value;
  };
  return { values: hideIn(values, undefined, harmless), paths };
}

/**
 * Position of a value: its name or index, and the position of its container. Builds no path, because only a secret needs one.
 */
interface Place {
  readonly step: string | number;
  readonly outer: Place | undefined;
}

const pathTo = ({ step, outer }: Place): (string | number)[] =>
  outer === undefined ? [step] : [...pathTo(outer), step];

/** Returns true for an entry, or an attribute of another provider, that is named as a secret. */
const hasSecretName = (step: string | number, outer: Place | undefined, isForeign: boolean): boolean =>
  typeof step === "string" && (outer !== undefined || isForeign) && isSecretName(step);

/** Returns true for a value that is named as a digest, or is in a container that is. */
const isDigest = (step: string | number, outer: Place | undefined): boolean =>
  digestName.test(String(step)) || (outer !== undefined && isDigest(outer.step, outer.outer));

/** Formats of credentials that match all occurrences. */
const allForms = forms.map((form) => new RegExp(form, `${form.flags}g`));

/** Replaces the credentials in a text of the engine by `***`. */
export function withoutCredentials(text: string): string {
  const clean = hasForm(text) ? allForms.reduce((rest, form) => rest.replace(form, "***"), text) : text;
  return clean.replace(/[A-Za-z0-9+/_=-]{32,256}/g, (word) => (looksRandom(word) ? "***" : word));
}
