import { expect, test } from "@jest/globals";
import { createPreviews, mostPreviews, validMs } from "../../mcp/preview.ts";

const record = { request: "r", object: "o", confirmations: ["id"], about: "about" };

test("each preview has its own digest, which only its session knows", () => {
  const [one, other] = [createPreviews(), createPreviews()];
  const [first, second] = [one.add(record), one.add(record)];
  expect(first).not.toBe(second);
  expect(one.find(first)).toMatchObject({ record, state: "fresh" });
  const unknown = { problem: "The digest is that of no preview of this session." };
  expect([other.find(first), one.find(""), one.find("__proto__")]).toEqual([unknown, unknown, unknown]);
});

test("a digest is valid for ten minutes, and until it was used", () => {
  let now = 1_000;
  const previews = createPreviews(() => now);
  const digest = previews.add(record);
  now += validMs;
  const preview = previews.find(digest);
  expect(preview).toMatchObject({ state: "fresh" });
  now += 1;
  expect(previews.find(digest)).toEqual({
    problem: "The digest has expired: it is valid for ten minutes.",
  });
  const next = previews.add(record);
  const found = previews.find(next);
  if ("problem" in found) throw new Error(found.problem);
  found.state = "used";
  expect(previews.find(next)).toEqual({ problem: "The digest was used: it is valid for one call." });
});

test("the oldest previews are removed", () => {
  const previews = createPreviews();
  const digests = Array.from({ length: mostPreviews + 1 }, () => previews.add(record));
  expect(previews.find(String(digests[0]))).toHaveProperty("problem");
  expect(previews.find(String(digests[1]))).toHaveProperty("record");
});
