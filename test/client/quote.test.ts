import { expect, test } from "@jest/globals";
import { redactor } from "../../provider/client/redact.ts";
import { classifyResponse } from "../../provider/client/response.ts";
import type { Reply } from "../../provider/platform/ports.ts";
import { answer, create, now } from "./reply.ts";

const said = (reply: Reply, redact?: (text: string) => string) => {
  const outcome = classifyResponse(create, reply, now, redact);
  return outcome.kind === "executed" ? "" : outcome.reason;
};

test("secrets are redacted before a message is truncated", () => {
  const redact = (text: string) => text.replaceAll("the-secret-key", "***");
  const words = said(answer(400, { message: `${"x".repeat(293)}the-secret-key` }), redact);
  expect(words).toBe(`the API reports: ${"x".repeat(293)}***`);
  const headers = { "x-request-id": "id-the-secret-key" };
  expect(classifyResponse(create, answer(400, {}, { headers }), now, redact)).toMatchObject({
    requestId: "id-",
  });
});

test.each([
  ["of several lines", "canary-one\ncanary-two\r\ncanary-three"],
  ["that ends in a line break", "canary-one-two\n"],
  ["with a control character", "canary\u0000one\u001btwo"],
])("a secret %s is redacted before the message becomes one line", (_, secret) => {
  const words = said(answer(400, { message: `no such user_data: ${secret}` }), redactor([secret]));
  expect(words).toBe("the API reports: no such user_data: ***");
});

test("direction marks and words of any length are removed", () => {
  expect(said(answer(400, { message: "one\u202etwo\u2028three" }))).toBe("the API reports: one two three");
  const secret = "canary-".repeat(20_000);
  expect(said(answer(400, { message: secret.repeat(50) }), redactor([secret]))).toMatch(
    /^the API reports: \*{3}/,
  );
});
