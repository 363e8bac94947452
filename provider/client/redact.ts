import { isUtf8 } from "node:buffer";

/** Redaction of secrets in texts. `learn` adds a secret. */
export interface Redactor {
  redact(text: string): string;
  learn(secret: string): void;
}

/**
 * Minimum length in characters of a learned secret, of a decoded form and of a truncated one: shorter texts are often
 * ordinary words.
 */
const shortest = 6;

/** Creates a redactor of these secrets. */
export function createRedactor(secrets: readonly string[]): Redactor {
  /** Secrets whose forms are not computed yet: the next redaction computes them. Most sessions have no redaction. */
  const fresh = new Set(secrets);
  const forms = new Set<string>();
  let redact = without(forms);
  return {
    redact(text) {
      if (fresh.size > 0) {
        for (const secret of fresh) for (const form of formsOf(secret)) forms.add(form);
        fresh.clear();
        redact = without(forms);
      }
      return redact(text);
    },
    learn(secret) {
      if (secret.length >= shortest) fresh.add(secret);
    },
  };
}

/**
 * Returns a function that replaces secrets in a text with `***`: unchanged ones, and every form in which the API or a
 * library may quote them (in a URL, in JSON, in HTML, in base64 or hexadecimal digits, decoded, truncated).
 */
export const redactor = (secrets: readonly string[]): ((text: string) => string) =>
  without(new Set(secrets.flatMap(formsOf)));

/** Control characters, line separators and direction marks, which a terminal would interpret. */
const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Maximum length in characters of a text of the API before redaction, whose time grows with the length. */
const mostRead = 16_384;

/** Returns a text that may quote the API: redacted, then reduced to one line without control characters, then truncated. */
export const cleaned = (text: string, redact: (text: string) => string, longest: number): string =>
  redact(text).replace(controls, " ").trim().slice(0, longest).toWellFormed();

/**
 * Returns a text of the API for users, cleaned. Every text of the API has to pass this function unchanged: redaction does
 * not find a secret in a text that was truncated or cleaned before. The API may have truncated the text, so its end counts
 * as truncated.
 */
export const quoted = (words: string, redact: (text: string) => string, longest = 300): string =>
  cleaned(words, (text) => redact(`${text.slice(0, mostRead)}…`).slice(0, -1), longest);

/**
 * Returns a function that replaces these forms, longest first: a shorter form may be part of a longer one. Beginnings
 * and endings of forms are replaced last, as several secrets may have the same beginning.
 */
function without(forms: ReadonlySet<string>): (text: string) => string {
  const sorted = [...forms].toSorted((a, b) => b.length - a.length);
  const find = finderOf(sorted);
  return (text) => {
    const found = find(text);
    const whole = found.reduce((clean, form) => masked(clean, form, startOf(form), endOfForm), text);
    const ended = found.reduce((clean, form) => masked(clean, form, startOf(form), endOfBeginning), whole);
    return found.reduce((clean, form) => masked(clean, form, afterCut, endOfEnding), ended);
  };
}

/** Replaces each occurrence of a form by `***`: from a match of `start` to the end that `endOf` returns. */
function masked(text: string, form: string, start: RegExp, endOf: typeof endOfForm): string {
  let clean = "";
  let from = 0;
  start.lastIndex = 0;
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    const end = endOf(text, found.index, form);
    // Skips a whole surrogate pair.
    start.lastIndex = end ?? found.index + characterAt(text, found.index).length;
    if (end === undefined) continue;
    clean += `${text.slice(from, found.index)}***`;
    from = end;
  }
  return clean + text.slice(from);
}

/** Minimum length of a line of a secret that is redacted separately. */
const shortestLine = 16;

/** Maximum length of a secret whose lines and base64 forms of escaped text are redacted too. */
const longestSplit = 64 * 1024;

/** Returns the forms of a secret that are not encodings of its single characters. */
function formsOf(secret: string): string[] {
  const lines = secret.length > longestSplit ? [] : secret.split(/[\r\n]+/);
  const long = lines.map((text) => text.trim()).filter((text) => text.length >= shortestLine);
  return [secret, ...decoded(secret)]
    .flatMap((text) => [text.trim(), ...[...spellings(text)].flatMap(inBase64), ...inHex(text)])
    .concat(long)
    .filter((text) => text !== "");
}

/** Returns the variants of a text that may be encoded in base64: unchanged, as a JSON string, with only line feeds. */
const spellings = (text: string): ReadonlySet<string> =>
  text.length > longestSplit
    ? new Set([text])
    : new Set([text, JSON.stringify(text).slice(1, -1), text.replaceAll("\r\n", "\n")]);

/** Returns the `base64Core` of a text at every offset and in both alphabets. */
function inBase64(text: string): string[] {
  const encoded = [0, 1, 2].map((shift) => base64Core(text, shift));
  const safe = encoded.map((core) => core.replaceAll("+", "-").replaceAll("/", "_"));
  return [...encoded, ...safe].filter((core) => core.length >= shortest);
}

/** Returns a text in hexadecimal digits of either case. */
function inHex(text: string): string[] {
  const digits = Buffer.from(text.trim(), "utf8").toString("hex");
  return digits.length < 2 * shortest ? [] : [digits, digits.toUpperCase()];
}

/** Returns the part of a base64 text that depends only on the secret, if `shift` bytes (mod 3) precede the secret. */
function base64Core(secret: string, shift: number): string {
  const bytes = Buffer.from(secret, "utf8");
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
  const whole = Math.floor(((shift + bytes.length) * 8) / 6);
  return text.slice(Math.ceil((shift * 8) / 6), whole);
}

/** Returns the decoded texts of a secret that is itself encoded: the API may quote the decoded text. */
function decoded(secret: string): string[] {
  const decoders: readonly (() => string | undefined)[] = [
    () => decodeURIComponent(secret),
    () => decodeURIComponent(secret.replaceAll("+", " ")),
    () => String(JSON.parse(`"${secret}"`)),
    () => secret.replace(/&(?:amp|lt|gt|quot|apos);/g, (name) => characters[name] ?? name),
    () => (/^[\w+/-]+={0,2}\s*$/.test(secret) ? textOf(Buffer.from(secret, "base64")) : undefined),
  ];
  return decoders.flatMap((decode) => {
    try {
      const text = decode();
      return text === undefined || text === secret || text.length < shortest ? [] : [text];
    } catch (error) {
      // The secret is not encoded in this way.
      if (error instanceof URIError || error instanceof SyntaxError) return [];
      throw error;
    }
  });
}

const textOf = (bytes: Buffer): string | undefined => (isUtf8(bytes) ? bytes.toString("utf8") : undefined);

/** Characters with a name in HTML. */
const characters: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
};

/** Expressions for one character in each of its encodings. */
interface Encodings {
  /** Sticky expressions, which match an encoding at `lastIndex`. */
  readonly sticky: readonly RegExp[];
  /** Expression that finds the next encoding in a text. */
  readonly search: RegExp;
  /** Sources of the expressions. */
  readonly sources: readonly string[];
}

/** Encodings by character; the key of all blanks is a space. */
const encodings = new Map<string, Encodings>();

function encodingsOf(character: string): Encodings {
  const key = /\s|\p{Cc}/u.test(character) ? " " : character;
  const known = encodings.get(key);
  if (known !== undefined) return known;
  const sources = key === " " ? blank : sourcesOf(key);
  const made = {
    sources,
    sticky: sources.map((source) => new RegExp(source, "yu")),
    search: new RegExp(sources.join("|"), "gu"),
  };
  encodings.set(key, made);
  return made;
}

/** Backslashes before an escape: each level of quoting doubles them. */
const slash = String.raw`(?:\\|%(?:25)*5[cC])`;
const slashes = `${slash}{0,16}`;

/** Parts of an HTML entity, which JSON and a URL escape too. */
const ampersand = `${slashes}(?:&|u0026|%(?:25)*26)(?:amp;)*`;
const semicolon = "(?:;|%(?:25)*3[bB])";
const numberSign = "(?:#|%(?:25)*23)";
/** Any named entity: libraries use some of the two thousand names of HTML. */
const anyName = `${ampersand}[A-Za-z][A-Za-z0-9]{1,31}${semicolon}`;

/** Start of the escape of a UTF-16 unit, which the JavaScript function `escape` writes with a percent sign. */
const unitStart = `(?:${slashes}|%(?:25)*)u`;

/** White space or a control character: programs that quote a text may replace, join or remove them. */
const blank = [
  "",
  String.raw`[\s\p{Cc}]+`,
  String.raw`\+`,
  `${slash}{1,16}[nrtbfv]`,
  `${unitStart}00(?:[01][0-9a-fA-F]|20)`,
  `${slash}{1,16}x(?:[01][0-9a-fA-F]|20)`,
  "%(?:25)*(?:[01][0-9a-fA-F]|20)",
  `${ampersand}${numberSign}(?:0*(?:[12]?[0-9]|3[0-2])|[xX]0*(?:[01]?[0-9a-fA-F]|20))${semicolon}`,
];

/**
 * Returns the expressions for a character: unescaped, and escaped once or more in JSON, JavaScript, Python, HTML and a URL.
 */
function sourcesOf(character: string): string[] {
  const literal = /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
  if (/[A-Za-z0-9]/.test(character)) return [literal];
  const code = character.codePointAt(0) ?? 0;
  const bytes = [...Buffer.from(character, "utf8")];
  const units = character.split("").map((unit) => `${unitStart}${anyCase(unit.charCodeAt(0), 4)}`);
  const names = Object.entries(characters).filter(([, named]) => named === character);
  // Each level of escapes doubles a backslash; before any other character there can be any number of them.
  const escaped =
    character === "\\" ? [1, 2, 4, 8].map((levels) => `${slash}{${levels}}`) : [`${slashes}${literal}`];
  return [
    ...escaped,
    slashes + bytes.map((byte) => `%(?:25)*${anyCase(byte, 2)}`).join(""),
    units.join(""),
    `${slash}{1,16}U${anyCase(code, 8)}`,
    `${slash}{1,16}u\\{0*${anyCase(code, 1)}\\}`,
    bytes.map((byte) => `${slash}{1,16}x${anyCase(byte, 2)}`).join(""),
    bytes.map((byte) => `${slash}{1,16}0*${byte.toString(8)}`).join(""),
    ...(code < 256 ? [`${slash}{1,16}x${anyCase(code, 2)}`] : []),
    `${ampersand}${numberSign}(?:0*${code}|[xX]0*${anyCase(code, 1)})${semicolon}`,
    ...names.map(([name]) => `${ampersand}${name.slice(1, -1)}${semicolon}`),
    anyName,
  ];
}

/** Codes of the first characters of line breaks. */
const breaks: ReadonlySet<number> = new Set([..."\r\n\\%"].map((character) => character.charCodeAt(0)));

/** Line break inside a form: base64 is often split into lines of 64 or 76 characters. */
const lineBreak = new RegExp(
  String.raw`(?:\r?\n|\r|(?:${slash}{1,16}[rn])+|(?:%(?:25)*0[aAdD])+)[ \t]*`,
  "yu",
);

/** Returns an expression for a number in hexadecimal digits of either case. */
const anyCase = (number: number, digits: number): string =>
  number
    .toString(16)
    .padStart(digits, "0")
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** Returns an expression for the first character of a form. */
const startOf = (form: string): RegExp => encodingsOf(characterAt(form, 0)).search;

/** Minimum length of the beginning of a form that is redacted alone: in characters, and as a share of the form. */
const beginning = { characters: 12, share: 1 / 2 };

const longBeginning = (form: string): number => Math.max(beginning.characters, form.length * beginning.share);

/** End of a truncated text: an incomplete escape, then closing marks and an ellipsis. */
const cut = /([\\%&][\w#;\\]{0,8})?\s*(?:[[(<]*(?:\.{2}|…|truncated)|["')\]}>.]*…)/uy;

/** Position after the ellipsis in a text that was truncated in its middle or at its beginning. */
const afterCut = /(?<=(?:\.{2}|…)[\])>]?)(?![.…\])>\s])/gu;

/** Maximum length of the ending of a form that is searched after an ellipsis. */
const longestEnding = 256;

const endingOf = (form: string): string => form.slice(-longestEnding).toWellFormed();

/**
 * Matches a form at a position of the text, each character in any of its encodings. Returns the end in the text, the index
 * in the form, and the number of matched characters.
 */
function match(text: string, at: number, form: string): { end: number; index: number; units: number } {
  let ends = [at];
  let units = 0;
  let index = 0;
  while (index < form.length) {
    const character = characterAt(form, index);
    const starts = index === 0 ? ends : pastBreaks(text, ends);
    const next = endsAfter(text, starts, encodingsOf(character));
    if (next.length === 0) break;
    ends = next;
    index += character.length;
    units += 1;
  }
  return { end: Math.max(...ends), index, units };
}

/** Returns these positions, and those after a line break that starts at one of them. */
function pastBreaks(text: string, ends: readonly number[]): readonly number[] {
  const broken = ends.filter((end) => breaks.has(text.charCodeAt(end)));
  return broken.length === 0 ? ends : [...ends, ...endsAfter(text, broken, { sticky: [lineBreak] })];
}

/** Returns the end of a whole form at this position of the text; otherwise undefined. */
function endOfForm(text: string, at: number, form: string): number | undefined {
  const { end, index } = match(text, at, form);
  return index === form.length ? end : undefined;
}

/** Returns the end of the beginning of a form, if the text is truncated there or the beginning is long; else undefined. */
function endOfBeginning(text: string, at: number, form: string): number | undefined {
  const { end, index, units } = match(text, at, form);
  if (index >= longBeginning(form)) return end;
  cut.lastIndex = end;
  const rest = units < shortest ? null : cut.exec(text);
  return rest === null ? undefined : end + (rest[1] ?? "").length;
}

/** Returns the end of the longest ending of a form at this position, after an ellipsis; otherwise undefined. */
function endOfEnding(text: string, at: number, form: string): number | undefined {
  const characters = [...endingOf(form)];
  for (let first = 0; characters.length - first >= shortest; first += 1) {
    const end = endOfForm(text, at, characters.slice(first).join(""));
    if (end !== undefined) return end;
  }
  return undefined;
}

/** Returns the positions after an encoded character that starts at one of these positions. */
function endsAfter(text: string, starts: readonly number[], { sticky }: Pick<Encodings, "sticky">): number[] {
  const ends = new Set<number>();
  for (const start of starts)
    for (const expression of sticky) {
      expression.lastIndex = start;
      if (expression.test(text)) ends.add(expression.lastIndex);
    }
  return [...ends];
}

const characterAt = (form: string, index: number): string =>
  String.fromCodePoint(form.codePointAt(index) ?? 0);

/** Forms with the same first characters. */
interface Branch {
  /** Length of these characters in UTF-16 units. */
  readonly length: number;
  /** Forms, longest first. */
  readonly forms: readonly string[];
  /** The longest form of which these characters are a long beginning. */
  readonly long?: string | undefined;
  /** Branches by the next character; computed when a text matches this branch. */
  next?: Branches;
}

interface Branches {
  /** By a letter or a digit, which no encoding changes. */
  readonly plain: ReadonlyMap<string, Branch>;
  /** By any other character. */
  readonly encoded: readonly (readonly [string, Branch])[];
}

const isPlain = ([character]: readonly [string, Branch]): boolean => /^[A-Za-z0-9]$/.test(character);

function branchesOf(branch: Branch): Branches {
  if (branch.next !== undefined) return branch.next;
  const longer = branch.forms.filter((form) => form.length > branch.length);
  const all = [...Map.groupBy(longer, (form) => characterAt(form, branch.length))].map(
    ([character, forms]) => {
      const length = branch.length + character.length;
      const long = forms.find((form) => length >= longBeginning(form));
      return [character, { length, forms, long } as Branch] as const;
    },
  );
  branch.next = { plain: new Map(all.filter(isPlain)), encoded: all.filter((one) => !isPlain(one)) };
  return branch.next;
}

/** Match of a branch in a text. */
interface Reached {
  readonly branch: Branch;
  readonly ends: readonly number[];
  readonly units: number;
}

/** Returns the matches of the branches that extend this one by the next character, at one of these positions. */
function following(text: string, branch: Branch, starts: readonly number[], units: number): Reached[] {
  const { plain, encoded } = branchesOf(branch);
  const next = [...new Set(starts.map((start) => text.charAt(start)))].flatMap((character) => {
    const found = plain.get(character);
    return found === undefined ? [] : [[character, found] as const];
  });
  return [...next, ...encoded]
    .map(([character, inner]) => ({
      branch: inner,
      ends: endsAfter(text, starts, encodingsOf(character)),
      units: units + 1,
    }))
    .filter(({ ends }) => ends.length > 0);
}

/**
 * Returns a function that visits the matches of branches at any position of a text. It scans a text once for any number of
 * forms, and stops after a few characters in a form that shares its beginning with no other.
 */
function searchIn(forms: readonly string[]): (text: string, visit: (reached: Reached) => void) => void {
  const root: Branch = { length: 0, forms };
  const { plain, encoded } = branchesOf(root);
  const sources = new Set(encoded.flatMap(([character]) => encodingsOf(character).sources));
  const start = new RegExp([...sources, ...plain.keys()].join("|") || "(?!)", "gu");
  return (text, visit) => {
    start.lastIndex = 0;
    for (let found = start.exec(text); found !== null; found = start.exec(text)) {
      start.lastIndex = found.index + characterAt(text, found.index).length;
      // Encodings precede plain characters in the expression, so none of them matched at a plain character.
      const only = plain.get(found[0]);
      const queue: Reached[] =
        only === undefined
          ? following(text, root, [found.index], 0)
          : [{ branch: only, ends: [found.index + 1], units: 1 }];
      for (let reached = queue.pop(); reached !== undefined; reached = queue.pop()) {
        visit(reached);
        const { branch, ends, units } = reached;
        if (branch.forms.length > 1 || units < shortest)
          queue.push(...following(text, branch, pastBreaks(text, ends), units));
      }
    }
  };
}

/**
 * Returns a function that finds all forms to replace in a text, longest first, and possibly some more. Of forms that match
 * the same characters only the longest is found.
 */
function finderOf(forms: readonly string[]): (text: string) => readonly string[] {
  const order = new Map(forms.map((form, at) => [form, at]));
  const searchBeginnings = searchIn(forms);
  const byEnding = new Map(forms.toReversed().map((form) => [endingOf(form), form]));
  const byTail = Map.groupBy(byEnding.values(), (form) => [...endingOf(form)].slice(-shortest).join(""));
  const searchTails = searchIn([...byTail.keys()]);
  return (text) => {
    const found = new Set<string>();
    searchBeginnings(text, ({ branch, ends, units }) => {
      const { length, forms: begun, long } = branch;
      const [first = ""] = begun;
      const whole = begun.at(-1) ?? "";
      if (whole.length === length) found.add(whole);
      if (long !== undefined) found.add(long);
      cut.lastIndex = Math.max(...ends);
      if (units >= shortest && (begun.length === 1 || cut.test(text))) found.add(first);
    });
    if (hasCut(text))
      searchTails(
        text,
        ({
          branch: {
            length,
            forms: [tail = ""],
          },
        }) => {
          if (tail.length === length) for (const form of byTail.get(tail) ?? []) found.add(form);
        },
      );
    return [...found].toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  };
}

const hasCut = (text: string): boolean => text.search(afterCut) >= 0;
