/** Redaction of secrets in texts. `learn` adds a secret to those known at creation. */
export interface Redactor {
  redact(text: string): string;
  learn(secret: string): void;
}

/** Minimum length of a learned secret: shorter texts also occur where no secret is meant. */
const shortest = 6;

/** Creates a redactor that knows these secrets. */
export function createRedactor(secrets: readonly string[]): Redactor {
  /** Secrets whose forms are not computed yet: the next redaction computes them, and most sessions need none. */
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
 * Returns a function that replaces secrets in a text with `***`: as they are, and in every form in which the API or a
 * library may quote them (in a URL, in JSON, in base64).
 */
export const redactor = (secrets: readonly string[]): ((text: string) => string) =>
  without(new Set(secrets.flatMap(formsOf)));

/** Returns a function that replaces these forms, longest first: a shorter form may be part of a longer one. */
function without(forms: ReadonlySet<string>): (text: string) => string {
  const sorted = [...forms].toSorted((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const form of sorted) if (clean.includes(form)) clean = clean.replaceAll(form, "***");
    return clean;
  };
}

function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret);
  const form = new URLSearchParams({ "": secret }).toString().slice(1);
  const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const encoded = [0, 1, 2].map((shift) => base64Core(secret, shift));
  const safe = encoded.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  // Shorter pieces of base64 also occur in unrelated text.
  const telling = [...encoded, ...safe].filter((text) => text.length >= 6);
  return [secret, json, url, lower(url), form, lower(form), ...telling].filter((text) => text !== "");
}

/** Returns the part of a base64 text that depends on the secret alone when `shift` bytes (mod 3) precede the secret. */
function base64Core(secret: string, shift: number): string {
  const bytes = Buffer.from(secret, "utf8");
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
  const whole = Math.floor(((shift + bytes.length) * 8) / 6);
  return text.slice(Math.ceil((shift * 8) / 6), whole);
}
