import { expect, test } from "@jest/globals";
import fc from "fast-check";
import * as z from "zod/mini";
import { redactor } from "../../provider/client/redact.ts";
import { classifyResponse, parseRetryAfter } from "../../provider/client/response.ts";
import { parseHttpDate } from "../../provider/core/time.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { endpoint } from "../../provider/definition/endpoint.ts";
import type { Reply } from "../../provider/platform/ports.ts";
import { answer, create, now } from "./reply.ts";

const remove = endpoint("delete", "DELETE /things/{thing}");

const kind = (reply: Reply, of: Parameters<typeof classifyResponse>[0] = create) =>
  classifyResponse(of, reply, now).kind;

const said = (reply: Reply, redact?: (text: string) => string) => {
  const outcome = classifyResponse(create, reply, now, redact);
  return outcome.kind === "executed" ? "" : outcome.reason;
};

test.each([
  [101, "ambiguous"],
  [200, "executed"],
  [201, "executed"],
  [202, "executed"],
  [301, "ambiguous"],
  [303, "ambiguous"],
  [307, "ambiguous"],
  [400, "rejected"],
  [401, "auth"],
  [403, "rejected"],
  [404, "rejected"],
  [405, "rejected"],
  [408, "ambiguous"],
  [409, "conflict"],
  [412, "conflict"],
  [413, "rejected"],
  [415, "rejected"],
  [418, "ambiguous"],
  [422, "rejected"],
  [429, "throttled"],
  [500, "ambiguous"],
  [502, "ambiguous"],
  [503, "ambiguous"],
  [504, "ambiguous"],
] as const)("a %i with a body of the API is %s", (status, expected) => {
  expect(kind(answer(status, { id: "a", message: "no" }))).toBe(expected);
});

test("a 429 without Retry-After that is not JSON is throttled, and ambiguous for a metered request", () => {
  const metered = endpoint("metered", "POST /answers", z.object({ id: z.string() }));
  expect(kind(answer(429, "slow down"))).toBe("throttled");
  expect(kind(answer(429, "slow down"), metered)).toBe("ambiguous");
  expect(kind(answer(429, "slow down", { headers: { "retry-after": "1" } }), metered)).toBe("throttled");
});

test("a request that was never sent is unsent, one without a response is ambiguous", () => {
  expect(kind({ kind: "unsent", reason: "the host api.example refused the connection" })).toBe("unsent");
  expect(kind({ kind: "lost", reason: "the connection broke" })).toBe("ambiguous");
});

test.each([
  ["a truncated body", answer(200, { id: "a" }, { cut: true }), "the response ended early"],
  ["a truncated document", answer(200, '{"id": "a'), "the response is not JSON"],
  ["an empty body", answer(200, ""), "the response is empty"],
  ["a web page", answer(200, "<!doctype html><p>"), "the response is a web page: base_url may be wrong"],
  [
    "an XML page",
    answer(200, "\n<?xml version='1.0'?>"),
    "the response is a web page: base_url may be wrong",
  ],
  ["a wrong type", answer(200, { id: 5 }), "the response has an unexpected format (the field id)"],
  ["a missing field", answer(200, {}), "the response has an unexpected format (the field id)"],
  ["a list", answer(200, []), "the response has an unexpected format (its body)"],
  [
    "an error in a 200",
    answer(200, { error: { message: "quota reached", code: 500 } }),
    "the response has an unexpected format (the field id); it contains: quota reached",
  ],
  ["broken text", answer(200, '\uFFFD{"id": "a"}'), "the response is not JSON"],
])("%s in a 200 is an unreadable response, and the reason is reported", (_, reply, text) => {
  expect(kind(reply)).toBe("unreadable");
  expect(inWordsOf("terraform", said(reply) ?? "")).toBe(text);
});

test("JSON is recognized by its content, also after a byte-order mark", () => {
  const headers = { "content-type": "text/plain" };
  expect(classifyResponse(create, answer(200, '\uFEFF{"id": "a", "more": [1]}', { headers }), now)).toEqual({
    kind: "executed",
    answer: { id: "a" },
  });
});

test("a response whose body is not needed counts as executed, unless it is a web page", () => {
  expect(kind(answer(202, "anything"), remove)).toBe("executed");
  expect(kind(answer(204, ""), remove)).toBe("executed");
  expect(kind(answer(200, "<html>sign in</html>"), remove)).toBe("unreadable");
});

test("an error status with a web page is not an error of the API", () => {
  expect(kind(answer(403, "<html>Access Denied</html>"))).toBe("ambiguous");
  expect(said(answer(403, "<html>Access Denied</html>"))).toBe(
    "blocked by a gateway: the response is a web page",
  );
  expect(kind(answer(404, " <HTML>"))).toBe("ambiguous");
});

test.each([
  [{ message: "a" }, "a"],
  [{ error: { message: "b", code: 1 } }, "b"],
  [{ error: "c" }, "c"],
  [{ detail: "d" }, "d"],
  [{ msg: "e" }, "e"],
  [{ info: "i" }, "i"],
  [{ error: { error: { error: { error: "four deep" } } } }, "four deep"],
  [["f", "g"], "f; g"],
  [{ detail: [{ loc: ["body", "size"], msg: "i", input: "x" }, { msg: "j" }, "k", {}] }, "i; j; k"],
  ["plain words", "plain words"],
  [{ message: "", detail: "h" }, "h"],
  [{ message: "two\r\nlines\u001b[31m" }, "two lines [31m"],
  [{ other: 1 }, "the API answered 400 without a message"],
  ["", "the API answered 400 without a message"],
  [{ message: "x".repeat(1000) }, "x".repeat(300)],
])("the message of an error body is found: %j", (body, words) => {
  const wordless = words.startsWith("the API answered");
  expect(said(answer(400, body))).toBe(wordless ? words : `the API reports: ${words}`);
});

test.each<[string, unknown, string]>([
  ["a response in a text", JSON.stringify({ message: "made", secretKey: "hidden" }), "; it contains: made"],
  ["a response without a message in a text", JSON.stringify({ secretKey: "hidden" }), ""],
  ["a plain text", "nothing here", "; it contains: nothing here"],
])("an unreadable 2xx quotes only the message of its body: %s", (_, body, quote) => {
  const place = "the response has an unexpected format (its body)";
  expect(said(answer(200, JSON.stringify(body)))).toBe(`${place}${quote}`);
});

test("the response text of a sign-in is not quoted, since it may be the token", () => {
  const signIn = endpoint("sign-in", "POST /sign-in", z.object({ access_token: z.string() }));
  for (const body of ["token", JSON.stringify({ access_token: "token" })]) {
    const outcome = classifyResponse(signIn, answer(200, JSON.stringify(body)), now);
    expect(outcome).toMatchObject({ kind: "unreadable", reason: expect.not.stringContaining("token") });
  }
});

test("plain text with an HTML character is a message of the API", () => {
  expect(said(answer(400, "sizeGb<min"))).toBe("the API reports: sizeGb<min");
});

test("a request id that is empty after cleaning is undefined", () => {
  const reply = answer(400, {}, { headers: { "x-request-id": "canary-one" } });
  expect(classifyResponse(create, reply, now, redactor(["canary-one"]))).not.toHaveProperty("requestId");
});

test("the cleaned request id is part of the outcome", () => {
  const headers = { "x-request-id": "req-1\u0000<b>" };
  expect(classifyResponse(create, answer(500, {}, { headers }), now)).toMatchObject({
    status: 500,
    requestId: "req-1b",
  });
});

const reply: fc.Arbitrary<Reply> = fc.oneof(
  fc.record({ kind: fc.constant("unsent" as const), reason: fc.string() }),
  fc.record({ kind: fc.constant("lost" as const), reason: fc.string() }),
  fc.record({
    kind: fc.constant("answer" as const),
    status: fc.integer({ min: 100, max: 599 }),
    headers: fc.dictionary(fc.constantFrom("retry-after", "x-request-id", "location"), fc.string()),
    body: fc.oneof(fc.string(), fc.json(), fc.constantFrom("<html>", '{"id":"a"}', "", "null")),
    cut: fc.boolean(),
  }),
);

test("every response has exactly one outcome, and counts as executed only if its body is as declared", () => {
  fc.assert(
    fc.property(reply, (reply) => {
      const outcome = classifyResponse(create, reply, now);
      if (outcome.kind !== "executed") return inWordsOf("terraform", outcome.reason).length <= 400;
      return reply.kind === "answer" && !reply.cut && typeof JSON.parse(reply.body).id === "string";
    }),
    { numRuns: 1000 },
  );
});

test("less information never turns an ambiguous outcome into a certain one", () => {
  const harmless = new Set(["unsent", "rejected", "auth", "throttled"]);
  fc.assert(
    fc.property(reply, fc.nat(50), (full, at) => {
      fc.pre(full.kind === "answer" && full.status < 400);
      const less: Reply[] = [
        { kind: "lost", reason: "" },
        { ...full, cut: true },
        { ...full, cut: true, body: full.body.slice(0, at) },
        { ...full, body: "", headers: {} },
      ];
      return less.every((reply) => !harmless.has(kind(reply)));
    }),
    { numRuns: 1000 },
  );
});

test("a very deeply nested body is classified too", () => {
  const deep = `${'{"message":'.repeat(200_000)}1${"}".repeat(200_000)}`;
  expect(said(answer(400, deep))).toBe("the API answered 400 without a message");
});

test.each([
  ["0", 0],
  ["7", 7_000],
  ["9999999999", 9_999_999_999_000],
  ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
  ["Thursday, 01-Jan-26 00:00:30 GMT", 30_000],
  ["Thu Jan  1 00:00:30 2026", 30_000],
  ["Wed, 31 Dec 2025 23:59:00 GMT", 0],
])("Retry-After: %s is accepted", (header, ms) => {
  expect(parseRetryAfter(header, now)).toBe(ms);
});

test.each([
  "-5",
  "1.5",
  "soon",
  "Sep 2027",
  "10000000000",
  "1e3",
  " 7",
  "",
  "2026-01-01",
  "Thu, 99 Foo 2026 00:00:30 GMT",
])("Retry-After: %j is ignored", (header) => {
  expect(parseRetryAfter(header, now)).toBeUndefined();
});

test("Retry-After is never negative and never NaN for any header", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.date().map(String), fc.integer().map(String)), (header) => {
      const ms = parseRetryAfter(header, now);
      return ms === undefined || (Number.isFinite(ms) && ms >= 0);
    }),
  );
});

test("the three date formats give the same result", () => {
  const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
  fc.assert(
    fc.property(
      fc.date({
        min: new Date(Date.UTC(2000, 0, 1)),
        max: new Date(Date.UTC(2049, 0, 1)),
        noInvalidDate: true,
      }),
      (date) => {
        const seconds = Math.floor(date.getTime() / 1000) * 1000;
        const fixed = new Date(seconds).toUTCString();
        const [, day = "", month = "", year = "", time = ""] = fixed.split(/,? /);
        const weekday = days[date.getUTCDay()] ?? "";
        const forms = [
          fixed,
          `${weekday}, ${day}-${month}-${year.slice(2)} ${time} GMT`,
          `${weekday.slice(0, 3)} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`,
        ];
        expect(forms.map(parseHttpDate)).toEqual([seconds, seconds, seconds]);
      },
    ),
  );
});

test("an error inside a 200 is recognized also with empty fields, but not if it names an object", () => {
  const refusal = { status: "failed", message: "quota exceeded", data: null, errors: [null, "no space"] };
  const reasonOf = (body: object) => JSON.stringify(classifyResponse(create, answer(200, body), now));
  expect(reasonOf(refusal)).toContain("the API reports: quota exceeded");
  expect(reasonOf({ ...refusal, data: { task_id: "t-1" } })).not.toContain("the API reports: quota exceeded");
});
