import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { createRedactor, redactor } from "../../provider/client/redact.ts";

/** Any API key of printable ASCII characters, except `*`, of which the mask consists. */
const key = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 8,
    maxLength: 60,
  })
  .filter((text) => !text.includes("*"));

test("a secret is taken out as it is", () => {
  expect(redactor(["emulator-key"])("Bearer emulator-key was refused")).toBe("Bearer *** was refused");
});

test("a text without the secret passes unchanged", () => {
  fc.assert(
    fc.property(key, fc.string(), (secret, text) => {
      fc.pre(!text.includes(secret));
      return redactor([secret])(text) === text;
    }),
  );
});

test("no form of a secret comes through, whatever stands around it", () => {
  const forms: ((text: string) => string)[] = [
    (text) => text,
    (text) => JSON.stringify(text).slice(1, -1),
    encodeURIComponent,
    (text) => new URLSearchParams({ a: text }).toString().slice(2),
  ];
  fc.assert(
    fc.property(key, fc.string(), fc.string(), fc.nat(forms.length - 1), (secret, before, after, at) => {
      const form = (forms[at] as (text: string) => string)(secret);
      const clean = redactor([secret])(`${before}${form}${after}`);
      return !clean.includes(form) && !clean.includes(secret);
    }),
  );
});

test("a secret in a percent code of small letters is taken out, of an address and of a form", () => {
  const clean = redactor(["canary/one=two~"]);
  expect(clean("GET /things?key=canary%2fone%3dtwo~&a=1")).toBe("GET /things?key=***&a=1");
  expect(clean("key=canary%2fone%3dtwo%7e&a=1")).toBe("key=***&a=1");
});

test("a secret inside of base64 is taken out at every offset", () => {
  fc.assert(
    fc.property(key, fc.string({ maxLength: 5 }), fc.boolean(), (secret, before, url) => {
      const encoded = Buffer.from(`${before}${secret}:x`).toString(url ? "base64url" : "base64");
      const clean = redactor([secret])(encoded);
      const decoded = Buffer.from(clean, url ? "base64url" : "base64").toString("latin1");
      return clean.includes("***") && !decoded.includes(secret);
    }),
  );
});

test("a secret that is learnt later is taken out from then on, and so are those from before", () => {
  const { redact, learn } = createRedactor(["canary-password"]);
  const text = "canary-password canary-token-1 canary-token-2";
  expect(redact(text)).toBe("*** canary-token-1 canary-token-2");
  learn("canary-token-1");
  learn("canary-token-2");
  expect(redact(text)).toBe("*** *** ***");
});
