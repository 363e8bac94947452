import { expect, test } from "@jest/globals";
import type { Given } from "../../provider/config/setting.ts";
import { openSession } from "../../provider/engine/session.ts";
import { openCloud } from "../support/cloud.ts";

test("sessions of one account share a rate limit, and another account has a separate one", () => {
  const cloud = openCloud();
  const { ports } = cloud.session;
  const given = { baseUrl: "https://cloud.example", apiKey: "one", maxRequestsPerSecond: 5 };
  const { rateLimiter } = openSession(given, ports);
  expect(openSession({ ...given, region: "In-Hyderabad-1" }, ports).rateLimiter).toBe(rateLimiter);
  expect(openSession({ ...given, apiKey: "other" }, ports).rateLimiter).not.toBe(rateLimiter);
  const signedIn = (email: string, more: Given = {}) =>
    openSession(
      { baseUrl: given.baseUrl, email, password: "secret-password", maxRequestsPerSecond: 5, ...more },
      ports,
    ).rateLimiter;
  expect(signedIn("a@example.com")).toBe(signedIn("a@example.com"));
  expect(signedIn("a@example.com")).not.toBe(signedIn("b@example.com"));
  const [one, other] = ["111111111111", "222222222222"].map((accountId) =>
    signedIn("a@example.com", { accountUser: true, accountId }),
  );
  expect(one).not.toBe(other);
});
