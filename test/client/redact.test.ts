import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { quoted } from "../../provider/client/quote.ts";
import { createRedactor, redactor } from "../../provider/client/redact.ts";
import { key } from "./key.ts";

test("a secret in clear text is redacted", () => {
  expect(redactor(["emulator-key"])("Bearer emulator-key was refused")).toBe("Bearer *** was refused");
});

test("a text without the secret passes unchanged", () => {
  fc.assert(
    fc.property(key, fc.string(), (secret, text) => {
      // A text that ends with the beginning of the secret may be a truncated secret.
      fc.pre(!text.includes(secret.slice(0, 6)));
      return redactor([secret])(text) === text;
    }),
  );
});

test("every form of a secret is redacted in any context", () => {
  const forms: ((text: string) => string)[] = [
    (text) => text,
    (text) => JSON.stringify(text).slice(1, -1),
    encodeURIComponent,
    (text) => new URLSearchParams({ a: text }).toString().slice(2),
  ];
  fc.assert(
    fc.property(key, fc.string(), fc.string(), fc.nat(forms.length - 1), (secret, before, after, at) => {
      // The context may complete an escape with the first characters of a secret, which takes up to 8 of them.
      fc.pre(secret.length >= 14);
      const form = (forms[at] as (text: string) => string)(secret);
      const clean = redactor([secret])(`${before}${form}${after}`);
      return !clean.includes(form) && !clean.includes(secret);
    }),
  );
});

test("a secret is redacted whose first or last characters complete an escape of the text around it", () => {
  expect(redactor(["0!!!!!!!!"])("key=%00%21%21%21%21%21%21%21%21")).toBe("key=***");
  expect(redactor(["42canary"])("key=\\u004%34%32canary")).toBe("key=\\u004%34***");
  expect(redactor(["canary=%"])("key=canary%3d%2541")).toBe("key=***%2541");
});

test("a secret of eight characters is redacted within a word, although fewer of them are compared", () => {
  expect(redactor(["'6[p@+++"])("PUi'6[p@+++Su")).toBe("PUi***Su");
});

test("a secret in lower-case percent encoding is redacted in a URL and in a form", () => {
  const clean = redactor(["canary/one=two~"]);
  expect(clean("GET /things?key=canary%2fone%3dtwo~&a=1")).toBe("GET /things?key=***&a=1");
  expect(clean("key=canary%2fone%3dtwo%7e&a=1")).toBe("key=***&a=1");
});

test("a secret that is added later is redacted from then on, in addition to earlier ones", () => {
  const { redact, learn } = createRedactor(["canary-password"]);
  const text = "canary-password canary-token-1 canary-token-2";
  expect(redact(text)).toBe("*** canary-token-1 canary-token-2");
  learn("canary-token-1");
  learn("canary-token-2");
  expect(redact(text)).toBe("*** *** ***");
});

test("a password of six digits is redacted, a shorter secret as a whole word, and its base64 not", () => {
  const { redact, learn } = createRedactor([]);
  learn("493817");
  learn("12345");
  expect(redact("the password 493817 or 12345, of 912345")).toBe("the password *** or ***, of 912345");
  expect(redactor(["key"])("order a2V5 is open")).toBe("order a2V5 is open");
});

test("a secret that only begins like base64 redacts no other word", () => {
  const begin = Buffer.from("network").toString("base64");
  const clean = redactor([`${begin}-and-more`]);
  expect(clean(`the network refused ${begin}-and-more`)).toBe("the network refused ***");
});

test("a word that begins like a secret and ends a sentence is not redacted", () => {
  const clean = redactor(["canary-secret-of-some-length"]);
  expect(clean("This is a canary. It sings")).toBe("This is a canary. It sings");
  expect(clean("The key is canary...")).toBe("The key is ***...");
});

test.each([
  ["a%2Fb%26c%3Dcanary", "a/b&c=canary"],
  [Buffer.from("canary:one-two").toString("base64"), "canary:one-two"],
  [Buffer.from("canary?>one-two").toString("base64url"), "canary?>one-two"],
  ["canary\\u0026one", "canary&one"],
  ["canary&amp;one", "canary&one"],
  ["canary+one%21two", "canary one!two"],
])("the decoded form of an encoded secret is redacted: %s", (secret, decoded) => {
  expect(redactor([secret])(`refused: ${decoded}.`)).toBe("refused: ***.");
  expect(redactor([secret])(`refused: ${secret}.`)).toBe("refused: ***.");
});

test("the beginning of a secret is redacted where a text was truncated", () => {
  const clean = redactor(["canary-0123&456789-secret"]);
  expect(quoted("the key canary-0", clean)).toBe("the key ***");
  expect(quoted('{"message":"the key canary-0', clean)).toBe('{"message":"the key ***');
  expect(quoted("the key 'canary-0'.", clean)).toBe("the key '***'.");
  expect(quoted("the key canary-0123\\u00", clean)).toBe("the key ***");
  expect(clean("the name of a canary")).toBe("the name of a canary");
  expect(clean("the key canary-01... is wrong")).toBe("the key ***... is wrong");
  expect(clean("the key canary-01… is wrong")).toBe("the key ***… is wrong");
  expect(clean("the key 'canary-0123&456' is wrong")).toBe("the key '***' is wrong");
  expect(clean("a canary sings")).toBe("a canary sings");
});

test("the end of a secret is redacted where a text was truncated before it", () => {
  const clean = redactor(["canary-0123&456789-secret"]);
  expect(clean("input_value='canary-0123&4...789-secret', input_type=str")).toBe(
    "input_value='***...***', input_type=str",
  );
  expect(clean("{'name': 'a', 'password'...6789-secret'}")).toBe("{'name': 'a', 'password'...***'}");
  expect(clean("it ends in […]56789-secret")).toBe("it ends in […]***");
  expect(clean("it ends in ...secret")).toBe("it ends in ...***");
  expect(clean("it has no ...crets")).toBe("it has no ...crets");
  expect(clean("the key canary-01 (truncated)")).toBe("the key *** (truncated)");
  expect(clean("the key canary-01[...]")).toBe("the key ***[...]");
});

/** Counts the calls of built-in methods during a task: its steps, without regard to the machine. */
function stepsOf(task: () => void): number {
  let steps = 0;
  const counted: (() => void)[] = [];
  const count = (of: object, name: string) => {
    const original = Reflect.get(of, name) as (...args: unknown[]) => unknown;
    Reflect.set(of, name, function (this: unknown, ...args: unknown[]) {
      steps += 1;
      return Reflect.apply(original, this, args);
    });
    counted.push(() => Reflect.set(of, name, original));
  };
  for (const name of ["get", "set", "has"]) count(Map.prototype, name);
  for (const name of ["push", "at", "slice"]) count(Array.prototype, name);
  for (const name of ["exec", "test"]) count(RegExp.prototype, name);
  for (const name of ["charCodeAt", "charAt"]) count(String.prototype, name);
  try {
    task();
  } finally {
    for (const restore of counted) restore();
  }
  return steps;
}

test.each([
  ["percent signs", "%"],
  ["escaped percent signs", "%25"],
  ["backslashes", "\\"],
  ["escaped backslashes", "\\u005c"],
  ["escaped ampersands", "&#38;#38;"],
  ["letters of base64", "TWFuVVVV"],
  ["digits", "0123456789abcdef"],
  ["words", "The quick brown fox "],
  ["beginnings of secrets", "canary-canary-01 "],
  ["one letter of a secret", "a"],
])("the steps to redact grow with the length of a text of %s, not with more or longer secrets", (_, part) => {
  const secretsOf = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) => `canary-${"a".repeat(length)}\nexport T=${at * 7919}&b\n`);
  const text = part.repeat(400 / part.length);
  const redactText = (secrets: readonly string[], times: number) => {
    const { redact } = createRedactor(secrets);
    redact("");
    return stepsOf(() => void redact(text.repeat(times)));
  };
  const once = redactText(secretsOf(20, 20), 1);
  expect(redactText(secretsOf(20, 20), 4) / once).toBeLessThan(4.4);
  expect(redactText(secretsOf(100, 20), 1) / once).toBeLessThan(1.5);
  expect(redactText(secretsOf(20, 200), 1) / once).toBeLessThan(1.5);
  const learn = (secrets: readonly string[]) => stepsOf(() => void createRedactor(secrets).redact(""));
  expect(learn(secretsOf(40, 50)) / learn(secretsOf(10, 50))).toBeLessThan(4.4);
  expect(learn(secretsOf(2, 2_000)) / learn(secretsOf(2, 500))).toBeLessThan(4.4);
});

test("of two secrets with the same beginning, the longer one is redacted completely", () => {
  for (const secrets of [
    ["canary-one", "canary-one-two"],
    ["canary-one-two", "canary-one"],
  ])
    expect(redactor(secrets)("refused: canary-one-two.")).toBe("refused: ***.");
});

test("a single line of a multi-line secret is redacted", () => {
  const secret = "-----BEGIN KEY-----\ncanary one of letters\ncanary two of letters\n-----END KEY-----\n";
  expect(redactor([secret])("wrong line: canary two of letters.")).toBe("wrong line: ***.");
});

test("a secret that ends with a line break is redacted without the line break", () => {
  expect(redactor(["canary-secret\n"])("wrong: canary-secret.")).toBe("wrong: ***.");
});

test("a secret of 1 MiB is redacted", () => {
  const secret = "0123456789abcde\n".repeat(64 * 1024);
  expect(redactor([secret])(`refused: ${secret.slice(0, 10_000)}...`)).toBe("refused: ***...");
});

test("a secret that begins with a character of two code units is redacted", () => {
  expect(redactor(["😀canary-one"])("😀 refused: 😀canary-one.")).toBe("😀 refused: ***.");
});

test("of the lines of a secret, those that are no common words are redacted alone, short ones too", () => {
  const script = "#!/bin/sh\nset -e\nPASS=x9y8\nif true\nthen\n  reboot\nfi\n\nexport A=1\napt update\n";
  const clean = redactor([script]);
  for (const line of ["PASS=x9y8", "  PASS=x9y8", "export A=1", "apt update"])
    expect(clean(`bad line: ${line}; stopped`)).toMatch(/^bad line: +\*\*\*; stopped$/);
  for (const text of ["fi", "then reboot", "#!/bin/sh", "set -e", "I will reboot the machine"])
    expect(clean(text)).toBe(text);
  expect(clean(`it ran ${script}`)).toBe("it ran ***\n");
  expect(clean(`it ran ${script.slice(0, 25)}…`)).toBe("it ran ***…");
});

test("a text without the secret passes unchanged, also one that takes long to decode", () => {
  const clean = redactor(["canary-0123&456789-secret", "#!/bin/sh\nexport TOKEN=quizzical\n"]);
  const base = "The quick brown fox";
  let nested = base;
  for (let level = 0; level < 6; level++) nested = Buffer.from(nested).toString("base64");
  for (const text of [
    "%".repeat(100_000),
    "%25".repeat(33_000),
    "\\".repeat(100_000),
    "\\u005c".repeat(16_000),
    "&amp;".repeat(20_000),
    "&#38;#38;".repeat(11_000),
    "QUJDREVGabcdefgh".repeat(6_000),
    "TWFu".repeat(25_000),
    "0123456789abcdef".repeat(6_000),
    `${base} `.repeat(5_000),
    nested,
  ])
    expect(clean(text) === text).toBe(true);
});

test.each([
  { form: "one after another", separator: "" },
  { form: "with blanks", separator: " " },
  { form: "with colons", separator: ":" },
  { form: "with hyphens", separator: "-" },
  { form: "as a list", separator: ", " },
  { form: "on lines", separator: "\n" },
  { form: "with prefixes", separator: ", 0x" },
  { form: "with escapes", separator: "\\x" },
])("a secret in hexadecimal digits is redacted: $form", ({ separator }) => {
  const secret = "canary-Passw0rd/ä";
  const digits = [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, "0"));
  for (const text of [digits, digits.map((pair) => pair.toUpperCase())].map((all) => all.join(separator))) {
    const shown = redactor([secret])(`the value ${text} is refused`);
    expect(shown).toMatch(/^the value \S*\*\*\*/);
    expect(shown.replaceAll(/[^\da-fA-F]/g, "").toLowerCase()).not.toContain(digits.slice(1, 4).join(""));
  }
});

test("the beginning of a secret is redacted where a text was truncated after a blank in it", () => {
  const redact = redactor(["correct horse battery staple"]);
  for (const cut of ["correct ", "correct horse ", "correct horse battery "])
    for (const sign of ["…", "...", "[truncated]", "(…)"])
      expect(redact(`refused: ${cut}${sign}`)).not.toContain("correct");
});

test("a token in a line of a script is redacted, and in parts too", () => {
  const script = `#!/bin/bash
export DB_PASS=hunter2-Zebra!
echo "tok: 9f8e7d6c5b4a" > /etc/x
mysql -uroot -pTopfSecret42 -e "select 1"
`;
  const redact = redactor([script]);
  expect(redact("the value 9f8e7d6c5b4a is a token")).toBe("the value *** is a token");
  expect(redact("command -pTopfSecret42 failed")).toBe("command *** failed");
  expect(redact('unexpected token near "nter2-Zebra"')).toBe('unexpected token near "***"');
  expect(redact("the password hunter2-Zebra! is weak")).toBe("the password *** is weak");
  expect(redact("mysql refused the connection of root")).toBe("mysql refused the connection of root");
});
