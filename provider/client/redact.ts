/** Takes secrets out of texts, those it was made with and those it learns later. */
export interface Redactor {
  redact(text: string): string;
  learn(secret: string): void;
}

/** What is shorter stands in any text by chance. */
const shortest = 6;

/** A redactor that begins with these secrets. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const known = new Set(secrets);
  /** Made when a text asks for it: most sessions learn secrets, and few show a text. */
  let redact: ((text: string) => string) | undefined;
  return {
    redact(text) {
      redact ??= redactor([...known]);
      return redact(text);
    },
    learn(secret) {
      if (secret.length < shortest) return;
      known.add(secret);
      redact = undefined;
    },
  };
}

/**
 * Takes secrets out of texts: as they are, and in every form in which a text of the cloud or of a library may
 * quote one (in an address, in JSON, in base64).
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.flatMap(formsOf))].toSorted((a, b) => b.length - a.length);
  return (text) => forms.reduce((clean, form) => clean.replaceAll(form, "***"), text);
}

function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret);
  const form = new URLSearchParams({ "": secret }).toString().slice(1);
  const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const encoded = [0, 1, 2].map((shift) => base64Core(secret, shift));
  const safe = encoded.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  // Shorter pieces of base64 stand in any text by chance.
  const telling = [...encoded, ...safe].filter((text) => text.length >= 6);
  return [secret, json, url, lower(url), form, lower(form), ...telling].filter((text) => text !== "");
}

/** The part of a base64 text that the secret alone decides when `shift` bytes (mod 3) stand before it. */
function base64Core(secret: string, shift: number): string {
  const bytes = Buffer.from(secret, "utf8");
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
  const whole = Math.floor(((shift + bytes.length) * 8) / 6);
  return text.slice(Math.ceil((shift * 8) / 6), whole);
}
