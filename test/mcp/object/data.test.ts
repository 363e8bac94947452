import { expect, test } from "@jest/globals";
import { messageOf, sensitive, shownMessage, shownText, structured } from "../../../mcp/object/data.ts";
import { redactor } from "../../../provider/client/client.ts";
import { secret } from "../../../provider/core/value.ts";

test("invisible characters of a text are escaped, line breaks and tabs are not", () => {
  expect(shownText("a\u202eb\r\nc\td\u200b\u001b[0m\u{e0041}")).toBe(
    "a\\u{202e}b\nc\td\\u{200b}\\u{1b}[0m\\u{e0041}",
  );
});

test("a long text, a long list and a deep value are cut, with the length", () => {
  expect(shownText("x".repeat(5_000))).toBe(`${"x".repeat(4_000)}… (5000 characters)`);
  const { list, deep } = structured({
    list: Array.from({ length: 2_003 }, (_, index) => index),
    deep: JSON.parse(`${"[".repeat(40)}1${"]".repeat(40)}`),
  }) as { list: unknown[]; deep: unknown };
  expect(list.slice(-1)).toEqual(["(3 more)"]);
  expect(JSON.stringify(deep)).toContain("nested too deeply");
});

test("values that are or look like secrets are masked, and copies of the key are replaced", () => {
  const values = {
    marked: secret("x"),
    encrypted_secret_key: "abc",
    tags: { DB_PASSWORD: "hunter2", "key-1": "key-1!" },
    url: "https://user:hunter2pass@host/",
    pem: "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----",
    id: "krn:vpc:In-Bangalore-1:1:2:vpc:00000000-0000-4000-8000-000000000101",
  };
  expect(structured(values, redactor(["key-1"]))).toEqual({
    marked: sensitive,
    encrypted_secret_key: sensitive,
    tags: { DB_PASSWORD: sensitive, "***": "***!" },
    url: sensitive,
    pem: sensitive,
    id: values.id,
  });
});

test("credentials in messages and in names are masked", () => {
  expect(shownMessage("rejected: password: hunter2 at https://h/x?X-Amz-Signature=abcdef012345 \u202e")).toBe(
    "rejected: *** at https://h/x*** \\u{202e}",
  );
  expect(shownMessage("key-1 is wrong", redactor(["key-1"]))).toBe("*** is wrong");
  const { tags } = structured({ tags: { "https://h/x?sig=abcdef012345": "a" } }) as { tags: object };
  expect(Object.keys(tags)).toEqual(["https://h/x***"]);
});

test("the summary and the detail of an error keep the names of settings", () => {
  expect(messageOf(["Missing api_key", "api_key: the API key is missing"])).toBe(
    "Missing api_key: api_key: the API key is missing",
  );
  expect(messageOf(["Failed", "", "the API reports: password: hunter2"])).toBe(
    "Failed: the API reports: ***",
  );
});

test("a name like the prototype of objects is a name", () => {
  const values = structured({ tags: JSON.parse('{"__proto__": "x"}') });
  expect(JSON.stringify(values)).toBe('{"tags":{"__proto__":"x"}}');
});

test("a text is redacted once for a session, unless it is long", () => {
  let count = 0;
  const redact = (text: string) => {
    count += 1;
    return text.replace("key-1", "***");
  };
  for (const _ of [1, 2])
    expect(structured({ id: "a key-1", other: "a key-1" }, redact)).toEqual({ id: "a ***", other: "a ***" });
  expect(count).toBe(3);
  structured({ id: "x".repeat(300) }, redact);
  structured({ id: "x".repeat(300) }, redact);
  expect(count).toBe(5);
});
