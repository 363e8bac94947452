import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { createRedactor, redactor } from "../../provider/client/redact.ts";
import { key } from "./key.ts";

test("a secret inside base64 is redacted at every offset", () => {
  fc.assert(
    fc.property(key, fc.string({ maxLength: 5 }), fc.nat(3), fc.boolean(), (secret, before, cut, url) => {
      const encoding = url ? "base64url" : "base64";
      // The rest of a text whose beginning was cut begins with any of four digits.
      const encoded = Buffer.from(`log: ${before}${secret}:x`).toString(encoding).slice(cut);
      const clean = redactor([secret])(encoded);
      const decoded = [0, 1, 2, 3].map((at) => Buffer.from(clean.slice(at), encoding).toString("latin1"));
      return clean.includes("***") && !decoded.some((text) => text.includes(secret));
    }),
  );
});

/** Secrets with every kind of character that an encoding changes, and with line breaks. */
const anySecret = fc
  .string({
    unit: fc.constantFrom(..."abcXYZ019-_.~&<>\"'/\\+=%#;:?! é\u{1F511}\n\r\t"),
    minLength: 8,
    maxLength: 40,
  })
  .map((text) => text.trim())
  .filter((text) => text.replace(/\s+/g, "").length >= 8);

const html = (code: (text: string) => string) => (text: string) =>
  text.replace(/[^\w\s]/gu, (character) => code(character));

const hex = (character: string) => character.codePointAt(0)?.toString(16);

const named: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Entity names that some libraries use in addition to those of XML. */
const allNamed: Readonly<Record<string, string>> = {
  ...named,
  "/": "&sol;",
  "+": "&plus;",
  "=": "&equals;",
  "%": "&percnt;",
  "#": "&num;",
  é: "&eacute;",
};

/** Forms in which an API, a proxy or a library quotes a text. */
const encodings: Readonly<Record<string, (text: string) => string>> = {
  unchanged: (text) => text,
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  "JSON with escapes for HTML": (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[<>&'/]/g, (character) => `\\u00${hex(character)?.padStart(2, "0")}`),
  "JSON in ASCII": (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`,
      ),
  "JSON with escaped slashes": (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  "JSON in JSON": (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  "HTML names": html((character) => named[character] ?? character),
  "HTML names of all characters": html((character) => allNamed[character] ?? character),
  "HTML numbers": html((character) => `&#${character.codePointAt(0)};`),
  "HTML numbers with zeros": html((character) => `&#0${character.codePointAt(0)};`),
  "HTML hexadecimal": html((character) => `&#x${hex(character)};`),
  "HTML twice": (text) => {
    const once = html((character) => named[character] ?? character);
    return once(text).replaceAll("&", "&amp;");
  },
  URL: encodeURIComponent,
  "URL twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  "URL in lower case": (text) =>
    encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  form: (text) => new URLSearchParams({ a: text }).toString().slice(2),
  "JSON in a URL": (text) => encodeURIComponent(JSON.stringify(text).slice(1, -1)),
  "JSON in HTML": (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[&<>"']/g, (character) => named[character] ?? character),
  "HTML in JSON with escapes for HTML": (text) =>
    JSON.stringify(html((character) => named[character] ?? character)(text))
      .slice(1, -1)
      .replaceAll("&", "\\u0026"),
  "Python in ASCII": (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(
        /[^\0-\x7f]/gu,
        (character) =>
          (character > "\xff" ? "\\U" : "\\x") +
          (hex(character) ?? "").padStart(character > "\xff" ? 8 : 2, "0"),
      ),
  "bytes of Python": (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[^\0-\x7f]/gu, (character) => encodeURIComponent(character).replaceAll("%", "\\x")),
  "escapes of code points": (text) => text.replace(/[^\w\s]/gu, (character) => `\\u{${hex(character)}}`),
  "escapes of JavaScript in a URL": (text) =>
    text.replace(/[^\w\s]/g, (unit) => `%u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "octal bytes": (text) =>
    text.replace(/[^\w\s]/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join(""),
    ),
  "lines of 20 characters": (text) => (text.match(/[\s\S]{1,20}/gu) ?? []).join("\r\n"),
  "one line": (text) => text.replace(/\s+/g, " "),
};

test.each(Object.keys(encodings))("a secret quoted in this form is redacted: %s", (name) => {
  fc.assert(
    fc.property(anySecret, (secret) => {
      const form = encodings[name]?.(secret) ?? "";
      expect(redactor([secret])(`before (${form}) after`)).toBe("before (***) after");
    }),
  );
});

test("a secret in base64 with line breaks is redacted", () => {
  const secret = "canary-0123456789-".repeat(8);
  for (const length of [64, 76])
    for (const end of ["\n", "\r\n", "\\n", "%0A"]) {
      const encoded = Buffer.from(`user:${secret}`).toString("base64");
      const lines = encoded.replace(new RegExp(`.{${length}}`, "g"), `$&${end}`);
      expect(redactor([secret])(`refused: ${lines}`)).toMatch(/^refused: .{6,7}\*\*\*.{0,3}$/);
    }
});

test("a secret with quotes and line breaks is redacted in base64-encoded JSON", () => {
  const secret = `canary "one"\r\ntwo`;
  for (const text of [JSON.stringify({ a: secret }), secret.replaceAll("\r", "")])
    expect(redactor([secret])(Buffer.from(text).toString("base64"))).toMatch(/^.{0,8}\*\*\*.{0,6}$/);
});

test("the decoded form of a base64 secret that ends with a line break is redacted", () => {
  const secret = `${Buffer.from("canary:one-two").toString("base64")}\n`;
  expect(redactor([secret])("refused: canary:one-two.")).toBe("refused: ***.");
});

test("the decoded form of a secret is redacted, with fewer than six characters as a whole word", () => {
  expect(redactor(["passw%21"])("said passw! to all")).toBe("said *** to all");
  expect(redactor(["pass%21"])("said pass! to all, not compass!")).toBe("said *** to all, not compass!");
});

/** Encodings of whole texts. */
const whole: Readonly<Record<string, (text: string) => string>> = {
  ...encodings,
  "base64 of JSON": (text) => Buffer.from(JSON.stringify({ a: text })).toString("base64"),
  "base64, second alignment": (text) => Buffer.from(`x${text}y`).toString("base64"),
  "base64, third alignment": (text) => Buffer.from(`xy${text}`).toString("base64url"),
  "base64 in lines": (text) => Buffer.from(text).toString("base64").replace(/.{20}/g, "$&\r\n"),
  "base64 in a URL": (text) => encodeURIComponent(Buffer.from(text).toString("base64")),
  "base64 of base64": (text) => Buffer.from(Buffer.from(text).toString("base64")).toString("base64"),
  "base64 of UTF-16": (text) => Buffer.from(text, "utf16le").toString("base64"),
  "lower-case hexadecimal digits": (text) => Buffer.from(text).toString("hex"),
  "upper-case hexadecimal digits": (text) => Buffer.from(text).toString("hex").toUpperCase(),
  "hexadecimal digits in JSON in base64": (text) =>
    Buffer.from(JSON.stringify(Buffer.from(text).toString("hex"))).toString("base64"),
  "unicode escapes of all characters": (text) =>
    text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "percent escapes of all bytes": (text) => Buffer.from(text).toString("hex").replace(/../g, "%$&"),
  "shell quotes": (text) => text.replaceAll("'", "'\\''"),
  "shell quotes in JSON": (text) => JSON.stringify(text.replaceAll("'", `'"'"'`)).slice(1, -1),
  "shell continuation lines": (text) => text.replace(/ /g, " \\\n"),
  "decomposed Unicode": (text) => text.normalize("NFD"),
  "compatible Unicode": (text) => text.normalize("NFKC"),
  "carriage returns": (text) => text.replace(/\r?\n/g, "\r\n"),
};

/** Text of letters and digits that a decoder of any kind finds in a text. */
const tokens = fc.string({
  unit: fc.constantFrom(..."bcdfghjkmpqwxyz23456789"),
  minLength: 10,
  maxLength: 30,
});

test.each(Object.keys(whole))(
  "no part of a secret remains that is quoted whole, cut, or by the line: %s",
  (name) => {
    const form = whole[name] ?? String;
    fc.assert(
      fc.property(tokens, tokens, tokens, fc.nat(20), (one, two, three, at) => {
        const secret = `#!/bin/sh\nTOKEN='${one}' é\nP=${two.slice(0, 4)}\nexport T="${three}"\nfi`;
        const clean = redactor([secret]);
        const quotedWhole = form(secret);
        const cut = Math.floor((quotedWhole.length * (10 + at)) / 31);
        const quotes = [
          `it said (${quotedWhole}) twice`,
          `it said ${quotedWhole.slice(0, cut)}…`,
          `it said …${quotedWhole.slice(-cut)} twice`,
          `the line ${form(`TOKEN='${one}' é`)} is wrong`,
          `the line ${form(`export T="${three}"`)} is wrong`,
        ];
        const shown = quotes.map(clean);
        expect(shown.every((text) => text.includes("***"))).toBe(true);
        for (const part of [one, three])
          for (let from = 0; from + 6 <= part.length; from++)
            for (const text of [part.slice(from, from + 6)])
              expect(shown.filter((each) => each.includes(form(text)) || each.includes(text))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  },
);

test("a text whose encodings in encodings are too many to search is withheld", () => {
  let nested = "The quick brown fox jumps over the lazy dog. ".repeat(10);
  for (let level = 0; level < 3; level++) nested = Buffer.from(nested).toString("base64");
  expect(createRedactor(["canary-one"], 2).redact(nested)).toBe(
    "the API's message quotes a credential and is not shown",
  );
  expect(redactor(["canary-one"])(nested)).toBe(nested);
});

test("a secret whose accents the API decomposes or composes is redacted", () => {
  const secret = "Grüße-aus-Zürich-été";
  for (const form of ["NFC", "NFD", "NFKC", "NFKD"] as const)
    expect(redactor([secret.normalize("NFD")])(`got ${secret.normalize(form)} instead`)).toBe(
      "got *** instead",
    );
});
