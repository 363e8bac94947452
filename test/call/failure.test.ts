import { expect, test } from "@jest/globals";
import { failureOf } from "../../call/failure.ts";
import type { Operation } from "../../operation/operation.ts";
import { areas } from "../../operation/operations.ts";
import { CloudError, ConfigError, type Failure, InputError, SignInError } from "../../provider/core/error.ts";

const operationOf = (area: string, method: string) => areas[area]?.[method] as Operation;
const create = operationOf("volume", "createVolume");
const read = operationOf("volume", "getVolume");

const errorOf = (failure: Failure, status?: number, mayHaveExecuted = false) =>
  new CloudError({ failure, status, mayHaveExecuted, route: "POST /v", reason: "the reason" });

test.each([
  ["unsent", undefined, 1, 1],
  ["rejected", 400, 3, 3],
  ["rejected", 404, 4, 5],
  ["auth", 401, 3, 3],
  ["throttled", 429, 4, 3],
  ["conflict", 409, 3, 3],
  ["ambiguous", 500, 4, 1],
  ["unreadable", 200, 4, 1],
] as const)(
  "a request that is %s (%s) has the exit code %i as a change, and %i as a read",
  (failure, status, change, reading) => {
    const codes = [create, read].map((operation) => {
      // The client marks these two responses to a create.
      const isMarked = operation === create && (status === 404 || status === 429);
      return failureOf(errorOf(failure, status, isMarked), operation, { progress: "sending" });
    });
    expect(codes.map(({ code }) => code)).toEqual([change, reading]);
    expect(codes.map(({ text }) => /may have been executed/.test(text))).toEqual([change === 4, false]);
  },
);

test("a 404 and a 429 prove that an update and a delete by ID changed nothing, but not a request that is never repeated", () => {
  const codes = (["updateVolume", "deleteVolume"] as const).map((method) =>
    [errorOf("rejected", 404), errorOf("throttled", 429)].map(
      (error) => failureOf(error, operationOf("volume", method), { progress: "sending" }).code,
    ),
  );
  expect(codes).toEqual([
    [5, 3],
    [5, 3],
  ]);
  const cancel = operationOf("inference", "cancelInferenceTask");
  expect(failureOf(errorOf("throttled", 429), cancel, { progress: "sending" }).code).toBe(4);
});

test("a rejection that may have been executed is unclear", () => {
  expect(failureOf(errorOf("rejected", 404, true), create, { progress: "sending" }).code).toBe(4);
});

test("an error of a library during a change is unclear, and its message is not shown", () => {
  const { code, text } = failureOf(new Error("canary"), create, { progress: "sending" });
  expect([code, text]).toEqual([4, expect.not.stringContaining("canary")]);
  expect(failureOf(new Error("canary"), create, { progress: "prepared" }).code).toBe(1);
  expect(failureOf(new Error("canary"), read, { progress: "sending" }).code).toBe(1);
});

test("a response that cannot be shown does not hide that a change was executed", () => {
  for (const error of [new RangeError("canary"), new Error("canary")]) {
    const { code, text } = failureOf(error, create, { progress: "executed" });
    expect([code, text]).toEqual([4, expect.stringMatching(/^The operation was executed, but /)]);
    expect(text).not.toContain("canary");
    expect(failureOf(error, read, { progress: "executed" }).code).toBe(1);
  }
});

test("a sign-in that failed, and a missing setting, changed nothing", () => {
  const signIn = new SignInError({ failure: "unsent", route: "POST /s", reason: "no response" }, false);
  expect(failureOf(signIn, create, { progress: "sending" }).code).toBe(1);
  expect(
    failureOf(new ConfigError([{ path: ["apiKey"], problem: "is missing" }]), create, {
      progress: "prepared",
    }).code,
  ).toBe(1);
});

test("problems have the names of options, and those of the arguments are not repeated", () => {
  const error = new InputError([
    { path: ["volumeType"], problem: "is required" },
    { path: ["qos", "iops"], problem: "must be a number" },
    { path: ["size"], problem: "must be a number" },
    { path: [], problem: "a sentence" },
  ]);
  const problems = [{ option: "--size", problem: "is not valid JSON" }];
  expect(failureOf(error, create, { problems, progress: "prepared" })).toEqual({
    code: 2,
    text: "--size: is not valid JSON\n--volume-type: is required\n--qos.iops: must be a number\na sentence",
  });
});
